//! Zobrist keys: a random number for each property that distinguishes positions.

use super::Square;
use crate::chess::Color;
use crate::random::mix;

/// By side, then by men and kings.
static PIECES: [[u64; 64]; 4] = [numbers(0), numbers(1), numbers(2), numbers(3)];

const fn numbers(salt: u64) -> [u64; 64] {
    let mut table = [0; 64];
    let mut bit = 0;
    while bit < 64 {
        table[bit] = mix(mix(0xd4a6 + salt).wrapping_add(bit as u64));
        bit += 1;
    }
    table
}

/// White is on move.
pub(crate) const WHITE_ON_MOVE: u64 = mix(0xd4aa);

/// Returns the number of a piece on a square.
#[inline]
pub(crate) fn piece(color: Color, is_king: bool, square: Square) -> u64 {
    PIECES[color.index() * 2 + usize::from(is_king)][square.bit()]
}
