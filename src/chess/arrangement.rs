//! Boards as the protocol's `edit` leaves them: men, and what cannot be seen from them.

use super::{Color, FenError, Piece, Position, Rules, Square};

/// Men on a board, whose turn it is, and what is known of the moves before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// What stands on each square.
    pub men: [Option<Piece>; 64],
    /// Who is on move.
    pub turn: Color,
    /// Castling that is not allowed although king and rook are at home.
    pub castling_lost: Vec<(Color, Wing)>,
    /// The square where a pawn that has just made a double step can be taken.
    pub en_passant: Option<Square>,
}

/// A side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wing {
    /// Where the kings stand.
    King,
    /// Where the queens stand.
    Queen,
}

impl<R: Rules> Position<R> {
    /// The position: a king and a rook on their home squares may castle unless that is lost, nothing else can be taken
    /// en passant, and the 50 moves begin anew (protocol 1, section 8, `edit`). In fischerandom home is the back rank,
    /// the king between the rooks.
    ///
    /// # Errors
    /// The position is illegal. An en passant square that no pawn can have passed is ignored.
    pub fn arranged(board: &Arrangement) -> Result<Position<R>, FenError> {
        let mut position = Position::empty();
        for (square, man) in Square::all().zip(board.men) {
            if let Some(piece) = man {
                position.put(piece, square);
            }
        }
        position.set_turn(board.turn);
        position.validate()?;
        for (color, wing, letter) in [
            (Color::White, Wing::King, "K"),
            (Color::White, Wing::Queen, "Q"),
            (Color::Black, Wing::King, "k"),
            (Color::Black, Wing::Queen, "q"),
        ] {
            let between_rooks = (1..7).contains(&position.king(color).file());
            if between_rooks && !board.castling_lost.contains(&(color, wing)) {
                position.read_castling(letter)?;
            }
        }
        position.find_checkers();
        if let Some(square) = board.en_passant {
            position.set_en_passant(square);
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Fischerandom, Normal};

    fn board<R: Rules>(fen: &str) -> Arrangement {
        let position = Position::<R>::from_fen(fen).unwrap();
        let men = std::array::from_fn(|index| position.piece_at(Square::new(index as u8)));
        Arrangement { men, turn: position.turn(), castling_lost: Vec::new(), en_passant: None }
    }

    fn set_up<R: Rules>(fen: &str) -> String {
        Position::<R>::arranged(&board::<R>(fen)).unwrap().fen()
    }

    #[test]
    fn men_at_home_may_castle() {
        assert_eq!(
            set_up::<Normal>("r3k2r/8/8/3pP3/8/8/8/R2K3R w - d6 9 9"),
            "r3k2r/8/8/3pP3/8/8/8/R2K3R w kq - 0 1"
        );
        assert_eq!(
            set_up::<Normal>("4k1r1/8/8/8/8/8/8/1R2K2R b - - 0 1"),
            "4k1r1/8/8/8/8/8/8/1R2K2R b K - 0 1"
        );
        let chess960 = "6k1/8/8/8/8/8/8/RR1K1R1R w - - 0 1";
        assert_eq!(set_up::<Fischerandom>(chess960), "6k1/8/8/8/8/8/8/RR1K1R1R w HA - 0 1");
    }

    #[test]
    fn what_the_men_do_not_show_is_told() {
        let mut board = board::<Normal>("r3k2r/8/8/3pP3/8/8/8/R3K2R w - - 0 1");
        board.castling_lost = vec![(Color::White, Wing::King), (Color::Black, Wing::Queen)];
        board.en_passant = Square::parse("d6");
        let fen = Position::<Normal>::arranged(&board).unwrap().fen();
        assert_eq!(fen, "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qk d6 0 1");
        board.en_passant = Square::parse("e6");
        let fen = Position::<Normal>::arranged(&board).unwrap().fen();
        assert_eq!(fen, "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qk - 0 1", "no pawn has passed e6");
    }

    #[test]
    fn an_empty_board_is_illegal() {
        let mut board = board::<Normal>(crate::chess::START_FEN);
        board.men = [None; 64];
        assert_eq!(Position::<Normal>::arranged(&board).err(), Some(FenError::Kings));
    }
}
