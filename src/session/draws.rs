//! When the engine agrees to a draw, and when it resigns: what sessions of several protocols share.

use super::player::Options;
use crate::chess::{AnyPosition, Square};
use crate::search::Score;

/// The engine accepts no draw up to this move while there are more pieces than
/// [`MAX_PIECES_AFTER_OPENING`]. Both count, since GUIs number the moves of set-up positions from
/// 1.
const LAST_OPENING_MOVE: u32 = 15;
const MAX_PIECES_AFTER_OPENING: usize = 24;

/// The number of the engine's moves in a row that must be lost before it resigns.
pub(super) const MIN_LOST_MOVES: u32 = 3;

/// Returns true if a draw is acceptable at this score. Never in the opening, where a score slightly
/// below zero means little, nor in bughouse, where the partner's board counts as much.
pub(super) fn is_draw_acceptable(score: Score, position: &AnyPosition, options: &Options) -> bool {
    let variant = position.variant();
    // In kriegspiel the engine does not know the number of pieces.
    let is_opening = position.fullmove() <= LAST_OPENING_MOVE
        && (variant.rules().hidden || piece_count(position) > MAX_PIECES_AFTER_OPENING);
    score <= Score(-i32::from(options.contempt)) && !is_opening && !variant.has_partner()
}

/// Returns the number of pieces on the board.
pub(super) fn piece_count(position: &AnyPosition) -> usize {
    Square::all().filter(|&square| position.piece_at(square).is_some()).count()
}
