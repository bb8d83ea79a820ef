//! The dark squares by their number in PDN.

use super::Bitboard;
use std::fmt;

/// A dark square. Numbered row by row from Black's side, 1 to 4, 5 to 8, … 29 to 32, from left to
/// right as White sees them.
///
/// Holds the number of its bit ([`Bitboard`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns all squares from 1 to 32.
    pub fn all() -> impl Iterator<Item = Square> {
        (1..=32).filter_map(Square::new)
    }

    /// The square with this number; `None` unless it is 1 to 32.
    #[inline]
    pub const fn new(number: u8) -> Option<Square> {
        match number {
            1..=32 => Some(Square(number - 1 + (number - 1) / 8)),
            _ => None,
        }
    }

    /// The square of a bit, which must be one of [`Bitboard::BOARD`].
    #[inline]
    pub(super) const fn of_bit(bit: u8) -> Square {
        Square(bit)
    }

    /// Returns the number of its bit, below 35.
    #[inline]
    pub(crate) const fn bit(self) -> usize {
        // The mask tells the compiler what the constructors ensure.
        (self.0 & 63) as usize
    }

    /// Returns its number, 1 to 32.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 - self.0 / 9 + 1
    }

    /// Returns its index, 0 for square 1 … 31 for square 32.
    #[inline]
    pub const fn index(self) -> usize {
        self.number() as usize - 1
    }

    /// Returns its row, 0 for the squares 1 to 4 … 7 for 29 to 32.
    #[inline]
    pub const fn row(self) -> u8 {
        (self.number() - 1) / 4
    }

    /// Returns the square after half a turn of the board: 1 becomes 32.
    #[inline]
    pub const fn rotated(self) -> Square {
        Square(Bitboard::BITS - 1 - self.0)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_the_numbers_1_to_32() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!((square.index(), usize::from(square.number())), (index, index + 1));
            assert_eq!(usize::from(square.row()), index / 4);
            assert_eq!(square.rotated().number(), 33 - square.number());
            assert!(Bitboard::BOARD.has(square));
        }
        assert_eq!(Square::all().count(), 32);
        assert_eq!((Square::new(0), Square::new(33), Square::new(255)), (None, None, None));
    }
}
