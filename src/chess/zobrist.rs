//! Zobrist keys: one random number for each thing that makes positions different.

use super::ruleset::HAND_LIMIT;
use super::{Color, Piece, Square};

/// A good hash of 64 bits to 64 bits (the finaliser of splitmix64).
pub const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn numbers<const N: usize>(salt: u64) -> [u64; N] {
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
pub const BLACK_ON_MOVE: u64 = mix(4);

/// This piece stands there.
#[inline]
pub fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[(piece.color as usize * 6 + piece.role as usize) * 64 + square.index()]
}

/// The rook on this square may castle.
#[inline]
pub fn castling(rook: Square) -> u64 {
    CASTLING[rook.index()]
}

/// A pawn may be taken en passant on this square.
#[inline]
pub fn en_passant(square: Square) -> u64 {
    EN_PASSANT[square.file() as usize]
}

/// What differs between the side on move and the other.
#[inline]
pub const fn turn(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => BLACK_ON_MOVE,
    }
}

/// A side has this number of pieces of a kind in hand; 0 for none.
#[inline]
pub fn in_hand(piece: Piece, count: u8) -> u64 {
    if count == 0 { 0 } else { HANDS[piece.color as usize * 6 + piece.role as usize][usize::from(count)] }
}

/// A side has given this number of checks; 0 for none.
#[inline]
pub const fn checks(color: Color, given: u8) -> u64 {
    if given == 0 { 0 } else { mix(mix(5).wrapping_add((color as u64) << 8 | given as u64)) }
}

/// The piece on this square was a pawn.
#[inline]
pub fn promoted(square: Square) -> u64 {
    PROMOTED[square.index()]
}
