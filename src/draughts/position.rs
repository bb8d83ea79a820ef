//! What is on the board, and who is on move.

use super::{Bitboard, FenError, START_FEN, Setup, SetupError, zobrist};
use crate::chess::{Color, Outcome};

/// A position of English draughts. Of each side at most twelve pieces, and no man where it would have been crowned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) sides: [Bitboard; 2],
    pub(super) kings: Bitboard,
    pub(super) key: u64,
    pub(super) reversible_plies: u16,
    pub(super) turn: Color,
}

impl Position {
    /// Where games start: Black on 1 to 12 and on move, White on 21 to 32.
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

    /// The position that is put together like this.
    ///
    /// # Errors
    /// It is illegal.
    pub fn set_up(setup: &Setup) -> Result<Position, SetupError> {
        setup.validate()?;
        let sides = Color::ALL.map(|color| setup.side(color));
        let (kings, turn) = (setup.kings(), setup.turn);
        let mut position = Position { sides, kings, key: 0, reversible_plies: 0, turn };
        position.key = position.compute_key();
        Ok(position)
    }

    /// The pieces as they stand.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty(self.turn);
        for color in Color::ALL {
            for square in self.side(color) {
                setup.put(color, self.kings.has(square), square);
            }
        }
        setup
    }

    /// Writes FEN as strictly as the strictest reader wants it: white pieces first, squares in order, no blanks, no dot.
    pub fn fen(&self) -> String {
        self.setup().to_string()
    }

    /// The side on move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The zobrist key: equal for positions that are the same for the repetition rule.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key from scratch.
    pub fn compute_key(&self) -> u64 {
        let mut key = if self.turn == Color::White { zobrist::WHITE_ON_MOVE } else { 0 };
        for color in Color::ALL {
            for square in self.side(color) {
                key ^= zobrist::piece(color, self.kings.has(square), square);
            }
        }
        key
    }

    /// Plies since a man has moved or a piece was taken.
    #[inline]
    pub const fn reversible_plies(&self) -> u32 {
        self.reversible_plies as u32
    }

    /// The pieces of a side.
    #[inline]
    pub const fn side(&self, color: Color) -> Bitboard {
        self.sides[color.index()]
    }

    /// The kings of both sides.
    #[inline]
    pub const fn kings(&self) -> Bitboard {
        self.kings
    }

    /// The squares on which nothing stands.
    #[inline]
    pub fn empty(&self) -> Bitboard {
        Bitboard::BOARD & !(self.sides[0] | self.sides[1])
    }

    /// How the game has ended by what is on the board, if it has: the side on move has lost if it cannot move.
    pub fn outcome(&self) -> Option<Outcome> {
        (!self.has_legal_move()).then_some(Outcome::Win(!self.turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::Square;

    #[test]
    fn the_start_position_is_that_of_the_rules() {
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
