//! Zobrist keys: a random number for each property that distinguishes positions.

use super::piece::HAND_LIMIT;
use super::{Color, Piece, Square};
use crate::random::mix;

/// Returns random numbers, others for each salt.
pub(crate) const fn numbers<const N: usize>(salt: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = mix(mix(salt).wrapping_add(i as u64));
        i += 1;
    }
    table
}

static PIECES: [u64; 768] = numbers(1);
static CASTLING: [u64; 64] = numbers(2);
static EN_PASSANT: [u64; 8] = numbers(3);
static PROMOTED: [u64; 64] = numbers(6);
static HANDS: [[u64; HAND_LIMIT as usize + 1]; 12] = {
    let mut table = [[0; HAND_LIMIT as usize + 1]; 12];
    let mut kind = 0;
    while kind < table.len() {
        table[kind] = numbers(7 + kind as u64);
        kind += 1;
    }
    table
};

/// Black is on move.
pub(crate) const BLACK_ON_MOVE: u64 = mix(4);

/// Returns the number of a piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[(piece.color as usize * 6 + piece.role as usize) * 64 + square.index()]
}

/// Returns the number of a castling right of the rook on this square.
#[inline]
pub(crate) fn castling(rook: Square) -> u64 {
    CASTLING[rook.index()]
}

/// Returns the number of an en passant capture on this square.
#[inline]
pub(crate) fn en_passant(square: Square) -> u64 {
    EN_PASSANT[square.file() as usize]
}

/// Returns the number of the side on move.
#[inline]
pub(crate) const fn turn(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => BLACK_ON_MOVE,
    }
}

/// Returns the number of `count` pieces of a kind in hand; 0 for none.
#[inline]
pub(crate) fn in_hand(piece: Piece, count: u8) -> u64 {
    if count == 0 { 0 } else { HANDS[piece.color as usize * 6 + piece.role as usize][usize::from(count)] }
}

/// Returns the number of `given` checks; 0 for none.
#[inline]
pub(crate) const fn checks(color: Color, given: u8) -> u64 {
    if given == 0 { 0 } else { mix(mix(5).wrapping_add((color as u64) << 8 | given as u64)) }
}

/// Returns the number of a promoted piece on this square.
#[inline]
pub(crate) fn promoted(square: Square) -> u64 {
    PROMOTED[square.index()]
}
