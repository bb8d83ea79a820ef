//! Positions from their parts.

use super::{Bitboard, Color, FenError, Piece, Position, Ruleset, Square};

/// The parts of a position, validated by [`Position::set_up`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, from a1 to h8.
    pub board: [Option<Piece>; 64],
    /// Promoted pieces. Ignored where the rules do not distinguish them, or no such piece can
    /// stand.
    pub promoted: Bitboard,
    /// The side on move.
    pub turn: Color,
    /// Rooks that may castle. Ignored where the board contradicts it.
    pub castling: Bitboard,
    /// The square just passed by a double step. Ignored if no capture there is possible.
    pub en_passant: Option<Square>,
}

impl<R: Ruleset> Position<R> {
    /// Creates a position from its parts, with empty hands and no plies played.
    ///
    /// # Errors
    /// The position is illegal.
    pub fn set_up(ruleset: R, setup: &Setup) -> Result<Position<R>, FenError> {
        let mut position = Position::empty(ruleset);
        for (square, man) in Square::all().zip(setup.board) {
            if let Some(piece) = man {
                position.put(piece, square);
            }
        }
        position.set_promoted(setup.promoted);
        position.set_turn(setup.turn);
        position.validate()?;
        for rook in setup.castling {
            position.restore_castling(rook);
        }
        position.find_checkers();
        if let Some(square) = setup.en_passant {
            position.set_en_passant(square);
        }
        Ok(position)
    }
}
