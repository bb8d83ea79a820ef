//! Squares, files and ranks.

use std::fmt;

/// A square of the board, a1 = 0, b1 = 1, … h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A file, 0 for a … 7 for h.
pub type File = u8;
/// A rank, 0 for the first … 7 for the eighth.
pub type Rank = u8;

impl Square {
    /// Returns all squares from a1 to h8.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// The square with this index. Only the low six bits count, so every argument is a square.
    #[inline]
    pub const fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square on a file and rank, each taken modulo 8.
    #[inline]
    pub const fn at(file: File, rank: Rank) -> Square {
        Square((rank & 7) << 3 | (file & 7))
    }

    /// Returns the index, 0 for a1 … 63 for h8.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask repeats what the constructor ensures, so that table look-ups need no bounds
        // check.
        (self.0 & 63) as usize
    }

    /// Returns the file, 0 for a … 7 for h.
    #[inline]
    pub const fn file(self) -> File {
        self.0 & 7
    }

    /// Returns the rank, 0 for the first … 7 for the eighth.
    #[inline]
    pub const fn rank(self) -> Rank {
        self.0 >> 3
    }

    /// Parses a square like `e4`, lower case only.
    pub fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::at(file - b'a', rank - b'1')),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_survive_a_round_trip() {
        for square in Square::all() {
            assert_eq!(Square::parse(&square.to_string()), Some(square));
        }
        for bad in ["", "e", "e9", "i1", "E4", "e44", "é4"] {
            assert_eq!(Square::parse(bad), None, "{bad}");
        }
    }
}
