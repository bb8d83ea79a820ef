//! Perft: the number of leaves of the tree of legal moves, the test of a move generator.

use super::generate::{Count, MoveList, Stage};
use super::{Bitboard, Move, Position, Ruleset};

impl<R: Ruleset> Position<R> {
    /// Returns the number of leaves of the tree `depth` plies deep. The last ply is counted without
    /// being played.
    pub fn perft(&self, depth: u32) -> u64 {
        self.leaves(depth, &mut Vec::new())
    }

    /// Like [`Position::perft`]; `moves` holds the moves of the line while they are played.
    fn leaves(&self, depth: u32, moves: &mut MoveList) -> u64 {
        if depth == 0 {
            return 1;
        }
        if depth == 1 {
            let mut count = Count::default();
            self.generate(Stage::All, Bitboard::ALL, &mut count);
            return count.0;
        }
        let (mut leaves, start) = (0, moves.len());
        self.generate(Stage::All, Bitboard::ALL, moves);
        for index in start..moves.len() {
            let mut child = *self;
            child.play(moves[index]);
            leaves += child.leaves(depth - 1, moves);
        }
        moves.truncate(start);
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
