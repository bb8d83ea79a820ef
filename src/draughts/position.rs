//! A valid board and the side on move.

use super::{Bitboard, FenError, START_FEN, Setup, SetupError, zobrist};
use crate::chess::{Color, Outcome};

/// A position of English draughts. Each side has at most twelve pieces, and no man on its crown
/// row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) sides: [Bitboard; 2],
    pub(super) kings: Bitboard,
    pub(super) key: u64,
    pub(super) reversible_plies: u16,
    pub(super) turn: Color,
}

impl Position {
    /// The start position: Black on 1 to 12 and on move, White on 21 to 32.
    pub fn start() -> Position {
        Position::from_fen(START_FEN).expect("the start position is legal")
    }

    /// Reads PDN's FEN ([`Setup::read`]).
    ///
    /// # Errors
    /// The text is not FEN, or the position is illegal.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Ok(Position::set_up(&Setup::read(fen)?)?)
    }

    /// Creates a position from a set-up.
    ///
    /// # Errors
    /// The position is illegal.
    pub fn set_up(setup: &Setup) -> Result<Position, SetupError> {
        setup.validate()?;
        let sides = Color::ALL.map(|color| setup.side(color));
        let (kings, turn) = (setup.kings(), setup.turn);
        let mut position = Position { sides, kings, key: 0, reversible_plies: 0, turn };
        position.key = position.compute_key();
        Ok(position)
    }

    /// Returns the set-up of the pieces.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty(self.turn);
        for color in Color::ALL {
            for square in self.side(color) {
                setup.put(color, self.kings.has(square), square);
            }
        }
        setup
    }

    /// Returns the FEN in the strictest form: white pieces first, squares in order, no blanks, no
    /// dot.
    pub fn fen(&self) -> String {
        self.setup().to_string()
    }

    /// Returns the side on move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Returns the zobrist key: equal for positions that the repetition rule considers equal.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Computes the key from scratch.
    pub fn compute_key(&self) -> u64 {
        let mut key = if self.turn == Color::White { zobrist::WHITE_ON_MOVE } else { 0 };
        for color in Color::ALL {
            for square in self.side(color) {
                key ^= zobrist::piece(color, self.kings.has(square), square);
            }
        }
        key
    }

    /// Returns the number of plies since the last man's move or capture.
    #[inline]
    pub const fn reversible_plies(&self) -> u32 {
        self.reversible_plies as u32
    }

    /// Returns the pieces of a side.
    #[inline]
    pub const fn side(&self, color: Color) -> Bitboard {
        self.sides[color.index()]
    }

    /// Returns the kings of both sides.
    #[inline]
    pub const fn kings(&self) -> Bitboard {
        self.kings
    }

    /// Returns the empty squares.
    #[inline]
    pub fn empty(&self) -> Bitboard {
        Bitboard::BOARD & !(self.sides[0] | self.sides[1])
    }

    /// Returns the outcome by the position alone: the side on move has lost if it cannot move.
    pub fn outcome(&self) -> Option<Outcome> {
        (!self.has_legal_move()).then_some(Outcome::Win(!self.turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::Square;

    #[test]
    fn the_start_position_follows_the_rules() {
        let start = Position::start();
        assert_eq!(start.turn(), Color::Black);
        let numbers = |color| start.side(color).map(Square::number).collect::<Vec<_>>();
        assert_eq!(numbers(Color::Black), (1..=12).collect::<Vec<_>>());
        assert_eq!(numbers(Color::White), (21..=32).collect::<Vec<_>>());
        assert!(start.kings().is_empty());
        assert_eq!(start.empty().count(), 8);
        assert_eq!(start.outcome(), None);
    }

    #[test]
    fn a_position_is_small() {
        assert!(size_of::<Position>() <= 40);
    }
}
