//! Moves, packed into 16 bits.

use super::notation::MoveText;
use super::paths::{self, MAX_SQUARES, Path};
use super::{Bitboard, Direction, Square};
use arrayvec::ArrayVec;
use std::fmt;
use std::num::NonZeroU16;

/// A move: the number of its path among all those possible on the board, 11 bits that are never all
/// 0. It determines the squares touched and the pieces captured, so no two moves of a position are
/// equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move with this path.
    #[inline]
    pub(super) const fn of_path(number: u16) -> Move {
        Move(NonZeroU16::new(number).expect("0 is no path"))
    }

    /// A step from a square, which must not leave the board.
    #[inline]
    pub(super) const fn step(from: Square, direction: Direction) -> Move {
        Move::of_path(paths::step(from, direction))
    }

    #[inline]
    pub(super) fn path(self) -> &'static Path {
        paths::path(self.bits())
    }

    /// Returns the origin.
    #[inline]
    pub fn from(self) -> Square {
        self.path().from
    }

    /// Returns the target; a king may return to its origin.
    #[inline]
    pub fn to(self) -> Square {
        self.path().to
    }

    /// Returns the squares of the captured pieces.
    #[inline]
    pub fn jumped(self) -> Bitboard {
        self.path().jumped
    }

    /// Returns true if the move is a capture.
    #[inline]
    pub const fn is_jump(self) -> bool {
        paths::is_jump(self.bits())
    }

    /// Returns the squares that the piece touches, from the first to the last.
    pub fn squares(self) -> ArrayVec<Square, MAX_SQUARES> {
        let mut squares = ArrayVec::new();
        let mut number = self.bits();
        while number != 0 && !squares.is_full() {
            squares.push(paths::path(number).to);
            number = paths::path(number).parent;
        }
        squares.reverse();
        squares
    }

    /// Returns the 16 bits; never 0.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits; `None` for 0. Untrusted bits need not be a legal move.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&MoveText::of(*self), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bits_are_safe() {
        assert_eq!(size_of::<Option<Move>>(), 2);
        assert_eq!(Move::from_bits(0), None);
        for bits in 1..=u16::MAX {
            let mv = Move::from_bits(bits).expect("not 0");
            assert_eq!(mv.bits(), bits);
            assert!(mv.squares().len() <= MAX_SQUARES);
            assert_eq!(mv.squares().last(), Some(&mv.to()));
        }
    }
}
