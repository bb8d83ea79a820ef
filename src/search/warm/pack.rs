//! The warm part as bytes: a version, what it is about, and the tree, parents before their children.

use super::super::Bound;
use super::super::table::DEEPEST;

/// The version of the format. It covers keys, the bits of moves and the meaning of scores, too.
const VERSION: u8 = 1;
const HEADER: usize = 1 + 8;
const BRANCH: usize = 6;

/// The longest path to a position of the tree.
pub const MOST_PLIES: u8 = 63;

/// A position of the tree, and what the table knows of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Plies from the root, [`MOST_PLIES`] at most. The parent is the last branch before with a ply less.
    pub ply: u8,
    /// Which of the parent's legal moves leads here, or [`Branch::PASS`]. Means nothing at the root.
    pub by: u8,
    /// Which of the legal moves here is best, if one is.
    pub best: Option<u8>,
    /// The score as the table has it.
    pub score: i16,
    /// Plies the score rests on.
    pub depth: u8,
    pub bound: Bound,
    /// Whether it was on a principal variation.
    pub pv: bool,
}

impl Branch {
    /// Legal moves that can be named. Few positions have more, and what follows them is not worth much.
    pub const MOVES: u8 = 254;
    /// The parent's null move.
    pub const PASS: u8 = 254;
    const NO_MOVE: u8 = 255;

    fn pack(&self) -> [u8; BRANCH] {
        let [low, high] = self.score.to_le_bytes();
        let bound: u8 = match self.bound {
            Bound::Exact => 3,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        let best = self.best.unwrap_or(Branch::NO_MOVE);
        [self.by, best, low, high, self.depth | u8::from(self.pv) << 7, self.ply | bound << 6]
    }

    fn unpack([by, best, low, high, depth, ply]: [u8; BRANCH]) -> Option<Branch> {
        let bound = match ply >> 6 {
            3 => Bound::Exact,
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => return None,
        };
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

/// Branches that fit into so many bytes.
pub fn capacity(bytes: usize) -> usize {
    bytes.saturating_sub(HEADER) / BRANCH
}

/// The bytes of a tree.
pub fn pack(subject: u64, branches: impl Iterator<Item = Branch>) -> Box<[u8]> {
    let mut bytes = vec![VERSION];
    bytes.extend_from_slice(&subject.to_le_bytes());
    bytes.extend(branches.flat_map(|branch| branch.pack()));
    bytes.into_boxed_slice()
}

/// The branches of a tree, up to the first that is none. None at all if it is of another version, or about something else.
pub fn unpack(subject: u64, bytes: &[u8]) -> impl Iterator<Item = Branch> {
    let tree = bytes
        .strip_prefix(&[VERSION])
        .and_then(|bytes| bytes.strip_prefix(&subject.to_le_bytes()))
        .unwrap_or_default();
    tree.as_chunks().0.iter().map_while(|&branch| Branch::unpack(branch))
}
