//! Perft: the number of leaves of the tree of legal moves, the test of a move generator.

use super::generate::{Count, Stage};
use super::{Bitboard, Move, Position, Ruleset};

/// Returns the number of leaves of the tree `depth` plies deep. The last ply is counted without
/// being played.
pub fn perft<R: Ruleset>(position: &Position<R>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        let mut count = Count::default();
        position.generate(Stage::All, Bitboard::ALL, &mut count);
        return count.0;
    }
    let mut leaves = 0;
    for mv in position.legal_moves() {
        let mut child = *position;
        child.play(mv);
        leaves += perft(&child, depth - 1);
    }
    leaves
}

/// Returns the number of leaves below each first move. A `depth` of 0 counts as 1.
pub fn divide<R: Ruleset>(position: &Position<R>, depth: u32) -> Vec<(Move, u64)> {
    let below = |mv| {
        let mut child = *position;
        child.play(mv);
        perft(&child, depth.saturating_sub(1))
    };
    position.legal_moves().into_iter().map(|mv| (mv, below(mv))).collect()
}
