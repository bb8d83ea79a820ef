//! An unchecked board.

use super::{Bitboard, Square};
use crate::chess::Color;

/// Pieces on squares, at most one on each, and a side on move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The side on move.
    pub turn: Color,
    sides: [Bitboard; 2],
    kings: Bitboard,
}

/// An error in a set-up that is not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// A man on its crown row. Common in set-ups of programs whose board is rotated
    /// ([`Setup::rotated`]).
    #[error("a man cannot stand on the row where it is crowned")]
    ManOnCrownRow,
    /// A side has more than twelve pieces.
    #[error("a side has more than twelve pieces")]
    TooManyPieces,
}

impl Setup {
    /// An empty board.
    pub const fn empty(turn: Color) -> Setup {
        Setup { turn, sides: [Bitboard::EMPTY; 2], kings: Bitboard::EMPTY }
    }

    /// Puts a piece on a square. Returns false and changes nothing if the square is occupied.
    pub fn put(&mut self, color: Color, is_king: bool, square: Square) -> bool {
        if (self.sides[0] | self.sides[1]).has(square) {
            return false;
        }
        self.sides[color.index()] |= square.into();
        if is_king {
            self.kings |= square.into();
        }
        true
    }

    /// Returns the pieces of a side.
    pub const fn side(&self, color: Color) -> Bitboard {
        self.sides[color.index()]
    }

    /// Returns the kings of both sides.
    pub const fn kings(&self) -> Bitboard {
        self.kings
    }

    /// Returns the same pieces after half a turn of the board, without exchanging colours: some old
    /// programs number their boards like this.
    pub const fn rotated(&self) -> Setup {
        let sides = [self.sides[0].rotated(), self.sides[1].rotated()];
        Setup { turn: self.turn, sides, kings: self.kings.rotated() }
    }

    /// Validates what must hold of every position.
    pub(super) fn validate(&self) -> Result<(), SetupError> {
        for color in Color::ALL {
            let side = self.side(color);
            if (side & !self.kings & Bitboard::crown_row(color)).any() {
                return Err(SetupError::ManOnCrownRow);
            }
            if side.count() > 12 {
                return Err(SetupError::TooManyPieces);
            }
        }
        Ok(())
    }
}
