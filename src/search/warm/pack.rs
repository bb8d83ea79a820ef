//! Encoding of the warm part: a version, the search it is of, and the tree, parents before their
//! children.

use super::super::Bound;
use super::super::table::DEEPEST;

/// Version of the format. It also covers keys, the bits of moves and the meaning of scores.
const VERSION: u8 = 1;
pub(super) const HEADER: usize = 1 + 8 + 8;
const BRANCH: usize = 6;

/// The longest path to a position of the tree.
pub(super) const MOST_PLIES: u8 = 63;

/// A position of the tree with its table entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Branch {
    /// Plies from the root, at most [`MOST_PLIES`]. The parent is the last earlier branch one ply
    /// above.
    pub ply: u8,
    /// Index of the move that leads here among the parent's sorted moves; unused at the root.
    pub by: u8,
    /// Index of the best move, if any, among the sorted moves.
    pub best: Option<u8>,
    /// Score as the table has it.
    pub score: i16,
    /// Depth of the search that found the score.
    pub depth: u8,
    pub bound: Bound,
    /// Whether it was on a principal variation.
    pub pv: bool,
}

impl Branch {
    /// Number of legal moves that can be indexed. Few positions have more.
    pub(super) const MOVES: u8 = Branch::NO_MOVE;
    const NO_MOVE: u8 = 255;

    fn pack(&self) -> [u8; BRANCH] {
        let [low, high] = self.score.to_le_bytes();
        let best = self.best.unwrap_or(Branch::NO_MOVE);
        [self.by, best, low, high, self.depth | u8::from(self.pv) << 7, self.ply | self.bound.bits() << 6]
    }

    fn unpack([by, best, low, high, depth, ply]: [u8; BRANCH]) -> Option<Branch> {
        let bound = Bound::from_bits(ply >> 6)?;
        Some(Branch {
            ply: ply & MOST_PLIES,
            by,
            best: (best != Branch::NO_MOVE).then_some(best),
            score: i16::from_le_bytes([low, high]),
            depth: depth & DEEPEST,
            bound,
            pv: depth >> 7 != 0,
        })
    }
}

/// Returns the number of branches that fit into this many bytes.
pub(super) fn capacity(bytes: usize) -> usize {
    bytes.saturating_sub(HEADER) / BRANCH
}

/// Header of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct About {
    /// The search it is of.
    pub subject: u64,
    /// Nodes of the search, including the searches it continued.
    pub nodes: u64,
}

/// Encodes a tree.
pub(super) fn pack(about: About, branches: impl Iterator<Item = Branch>) -> Box<[u8]> {
    let mut bytes = vec![VERSION];
    bytes.extend_from_slice(&about.subject.to_le_bytes());
    bytes.extend_from_slice(&about.nodes.to_le_bytes());
    bytes.extend(branches.flat_map(|branch| branch.pack()));
    bytes.into_boxed_slice()
}

/// Decodes a tree, up to the first malformed branch. Returns `None` for another version.
pub(super) fn unpack(bytes: &[u8]) -> Option<(About, impl Iterator<Item = Branch>)> {
    let (subject, bytes) = bytes.strip_prefix(&[VERSION])?.split_first_chunk()?;
    let (nodes, tree) = bytes.split_first_chunk()?;
    let about = About { subject: u64::from_le_bytes(*subject), nodes: u64::from_le_bytes(*nodes) };
    Some((about, tree.as_chunks().0.iter().map_while(|&branch| Branch::unpack(branch))))
}
