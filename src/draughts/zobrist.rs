//! Zobrist keys: a random number for each property that distinguishes positions.

use super::Square;
use crate::chess::Color;
use crate::chess::zobrist::numbers;
use crate::random::mix;

/// By side, then by men and kings.
static PIECES: [[u64; 64]; 4] = [numbers(0xd4a6), numbers(0xd4a7), numbers(0xd4a8), numbers(0xd4a9)];

/// White is on move.
pub(crate) const WHITE_ON_MOVE: u64 = mix(0xd4aa);

/// Returns the number of a piece on a square.
#[inline]
pub(crate) fn piece(color: Color, is_king: bool, square: Square) -> u64 {
    PIECES[color.index() * 2 + usize::from(is_king)][square.bit()]
}
