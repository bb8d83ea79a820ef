//! Sets of squares, and the four diagonal directions.

use super::Square;
use crate::chess::Color;
use crate::chess::square_set::square_set;
use std::fmt;

/// A set of squares, one bit for each, with an unused bit after every second row:
///
/// ```text
///      0   1   2   3
///    4   5   6   7      8
///      9  10  11  12
///   13  14  15  16     17
///     18  19  20  21
///   22  23  24  25     26
///     27  28  29  30
///   31  32  33  34
/// ```
///
/// A step shifts by four or five bits from every square, and a step off the board ends on an unused
/// bit, so no edge masks are needed, only one for the squares that may be entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

/// A diagonal direction, as White sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Towards lower numbers and the left.
    UpLeft = 0,
    /// Towards lower numbers and the right.
    UpRight = 1,
    /// Towards higher numbers and the left.
    DownLeft = 2,
    /// Towards higher numbers and the right.
    DownRight = 3,
}

impl Direction {
    /// All directions: first for White's men, then for Black's.
    pub const ALL: [Direction; 4] =
        [Direction::UpLeft, Direction::UpRight, Direction::DownLeft, Direction::DownRight];

    /// Returns the two directions towards the next row down (towards higher numbers, as Black's men
    /// move) or up.
    #[inline]
    pub(crate) const fn rows_on(down: bool) -> [Direction; 2] {
        if down {
            [Direction::DownLeft, Direction::DownRight]
        } else {
            [Direction::UpLeft, Direction::UpRight]
        }
    }

    /// Returns true if it leads towards higher numbers.
    #[inline]
    pub(crate) const fn is_down(self) -> bool {
        self as u8 >= Direction::DownLeft as u8
    }

    /// Returns the opposite direction.
    #[inline]
    pub(crate) const fn opposite(self) -> Direction {
        Direction::ALL[3 - self as usize]
    }
}

impl Bitboard {
    /// Number of bits from square 1 to square 32, unused ones included.
    pub(crate) const BITS: u8 = 35;
    /// Every square.
    pub(crate) const BOARD: Bitboard = Bitboard(0x7_fbfd_feff);

    /// Returns the row where the men of a side are crowned.
    #[inline]
    pub(crate) const fn crown_row(color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(0xf),
            Color::Black => Bitboard(0xf << 31),
        }
    }

    /// Moves every square by one step. Squares that leave the board are on unused bits,
    /// which must be masked before the next step. The opposite step restores the set.
    #[inline]
    pub const fn step(self, direction: Direction) -> Bitboard {
        const TURNS: [u32; 4] = [64 - 5, 64 - 4, 4, 5];
        Bitboard(self.0.rotate_left(TURNS[direction as usize]))
    }

    /// Returns the set after half a turn of the board.
    #[inline]
    pub const fn rotated(self) -> Bitboard {
        Bitboard(self.0.reverse_bits() >> (64 - Bitboard::BITS))
    }
}

square_set!(Bitboard, Square, bit, of_bit);

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row and column by the rules: square 1 is the second of its row, square 5 the first of the
    /// next.
    fn place(square: Square) -> (i32, i32) {
        let (row, rest) = (i32::from(square.number() - 1) / 4, i32::from(square.number() - 1) % 4);
        (row, 2 * rest + (row + 1) % 2)
    }

    #[test]
    fn a_step_goes_to_the_next_square_of_the_diagonal() {
        let ways = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
        for from in Square::all() {
            for (direction, way) in Direction::ALL.into_iter().zip(ways) {
                let (row, column) = place(from);
                let target = (row + way.0, column + way.1);
                let expected: Bitboard = Square::all().filter(|&to| place(to) == target).collect();
                let found = Bitboard::of(from).step(direction);
                assert_eq!(found & Bitboard::BOARD, expected, "{from} {direction:?}");
                assert_eq!(found.step(direction.opposite()), from.into());
                let (there_and_on, back) = (found.step(direction), direction.opposite());
                assert_eq!(there_and_on.step(back).step(back), from.into());
            }
        }
    }

    #[test]
    fn a_set_has_the_squares_added_to_it() {
        assert_eq!(Square::all().collect::<Bitboard>(), Bitboard::BOARD);
        assert!(Bitboard::BOARD.eq(Square::all()));
        for color in Color::ALL {
            let row = if color == Color::White { 0 } else { 7 };
            assert!(Bitboard::crown_row(color).eq(Square::all().filter(|square| square.row() == row)));
        }
        for square in Square::all() {
            assert_eq!(Bitboard::of(square).rotated(), square.rotated().into());
        }
    }
}
