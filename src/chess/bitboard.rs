//! Sets of squares.

use super::square_set::square_set;
use super::{File, Rank, Square};
use std::fmt;
use std::ops::{Shl, Shr};

/// A set of squares, one bit for each: bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The dark squares (a1 is one).
    pub(crate) const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

    /// The eight squares of a file.
    #[inline]
    pub const fn file(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << (file & 7))
    }

    /// The eight squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xff << (8 * (rank & 7)))
    }

    /// Returns true if the set has two squares or more.
    #[inline]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }
}

square_set!(Bitboard, Square, index, new);

impl Shl<u32> for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn shl(self, by: u32) -> Bitboard {
        Bitboard(self.0 << by)
    }
}

impl Shr<u32> for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn shr(self, by: u32) -> Bitboard {
        Bitboard(self.0 >> by)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                f.write_str(if self.has(Square::at(file, rank)) { "X " } else { ". " })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
