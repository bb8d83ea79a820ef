//! Perft: the number of leaves of the tree of legal moves, the test of a move generator.

use super::{Count, Move, Position, Sink};

/// Returns the number of leaves of the tree `depth` plies deep. Captures on different paths are
/// different moves, even of the same pieces. The last ply is counted without being played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        let mut count = Count::default();
        position.generate(&mut count);
        return count.0;
    }
    let mut below = Below { position, depth: depth - 1, leaves: 0 };
    position.generate(&mut below);
    below.leaves
}

/// A sink that counts the leaves below each move.
struct Below<'a> {
    position: &'a Position,
    depth: u32,
    leaves: u64,
}

impl Sink for Below<'_> {
    #[inline]
    fn push(&mut self, mv: Move) {
        self.leaves += perft(&self.position.after(mv), self.depth);
    }
}

/// Returns the number of leaves below each first move. A `depth` of 0 counts as 1.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let below = |mv| perft(&position.after(mv), depth.saturating_sub(1));
    position.legal_moves().into_iter().map(|mv| (mv, below(mv))).collect()
}
