//! The squares of a board, to be drawn.

use crate::chess::{AnyPosition, Color, Square};
use crate::protocol::Squares;

/// The visible pieces of a position: all, or one side's.
pub(super) fn squares_of(position: &AnyPosition, seen: Option<Color>) -> Squares {
    let mut squares = [' '; 64];
    for square in Square::all() {
        let piece = position.piece_at(square).filter(|piece| seen.is_none_or(|color| piece.color == color));
        if let Some(piece) = piece {
            squares[usize::from(8 * (7 - square.rank()) + square.file())] = piece.letter();
        }
    }
    squares
}
