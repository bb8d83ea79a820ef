//! Perft: the number of leaves of the tree of legal moves, the test of a move generator.

use super::generate::{Count, Stage};
use super::{Bitboard, Move, Position, Ruleset};

impl<R: Ruleset> Position<R> {
    /// Returns the number of leaves of the tree `depth` plies deep. The last ply is counted without
    /// being played.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if depth == 1 {
            let mut count = Count::default();
            self.generate(Stage::All, Bitboard::ALL, &mut count);
            return count.0;
        }
        let mut leaves = 0;
        for mv in self.legal_moves() {
            let mut child = *self;
            child.play(mv);
            leaves += child.perft(depth - 1);
        }
        leaves
    }

    /// Returns the number of leaves below each first move. A `depth` of 0 counts as 1.
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        let below = |mv| {
            let mut child = *self;
            child.play(mv);
            child.perft(depth.saturating_sub(1))
        };
        self.legal_moves().into_iter().map(|mv| (mv, below(mv))).collect()
    }
}
