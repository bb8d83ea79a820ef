//! Positions put together from their parts.

use super::{Bitboard, Color, FenError, Piece, Position, Ruleset, Square};

/// What a position is made of. Whether it is legal is found out by [`Position::set_up`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What stands on each square, from a1 to h8.
    pub board: [Option<Piece>; 64],
    /// Pieces that were pawns. Left out by rules to which that is nothing, and where none of the kind can stand.
    pub promoted: Bitboard,
    /// The side on move.
    pub turn: Color,
    /// Rooks that may castle. A right that the board contradicts is left out.
    pub castling: Bitboard,
    /// Where a pawn has just passed by a double step. Left out where no pawn can be taken there.
    pub en_passant: Option<Square>,
}

impl<R: Ruleset> Position<R> {
    /// The position that is put together like this, hands empty; no ply has been played in it.
    ///
    /// # Errors
    /// It is illegal.
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
