//! Boards as left by `edit`: pieces, castling rights and en passant.

use crate::chess::{AnyPosition, Bitboard, Color, FenError, Piece, Role, Setup, Square, Variant};

/// Pieces on a board, the side to move, and what is known of earlier moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// The piece on each square, from a1 to h8.
    pub pieces: [Option<Piece>; 64],
    /// Promoted pieces, which become pawns again when captured.
    pub promoted: Bitboard,
    /// Pieces in hand, by side and role.
    pub hands: [[u8; 6]; 2],
    /// The side to move.
    pub turn: Color,
    /// Castling rights that are lost although king and rook are on their home squares.
    pub castling_lost: Vec<(Color, Wing)>,
    /// The square on which a pawn can be captured en passant.
    pub en_passant: Option<Square>,
}

/// A side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wing {
    /// The kings' side.
    King,
    /// The queens' side.
    Queen,
}

impl Arrangement {
    /// The pieces of a position with this side to move; nothing is known of earlier moves.
    pub fn of(position: &AnyPosition, turn: Color) -> Arrangement {
        Arrangement {
            pieces: std::array::from_fn(|index| position.piece_at(Square::new(index as u8))),
            promoted: position.promoted(),
            hands: position.hands().unwrap_or_default(),
            turn,
            castling_lost: Vec::new(),
            en_passant: None,
        }
    }

    /// Removes all pieces, also from the hands.
    pub fn clear(&mut self) {
        (self.pieces, self.promoted, self.hands) = ([None; 64], Bitboard::EMPTY, [[0; 6]; 2]);
    }

    /// Puts a piece on a square, or empties it.
    pub fn put(&mut self, piece: Option<Piece>, square: Square, was_pawn: bool) {
        self.pieces[square.index()] = piece;
        let square = Bitboard::of(square);
        self.promoted = if was_pawn { self.promoted | square } else { self.promoted & !square };
    }

    /// Returns the position: a king and a rook on their home squares may castle unless that is
    /// lost, only the given square allows en passant, and the 50 moves begin anew (protocol 1,
    /// section 8, `edit`). In fischerandom home is the back rank, the king between the rooks.
    ///
    /// # Errors
    /// The position is illegal. An en passant square that no pawn can have passed is ignored.
    pub fn position(&self, variant: Variant) -> Result<AnyPosition, FenError> {
        let wings = [Wing::King, Wing::Queen];
        let castling = Color::ALL
            .into_iter()
            .flat_map(|color| wings.map(|wing| (color, wing)))
            .filter(|lost| !self.castling_lost.contains(lost))
            .filter_map(|(color, wing)| self.rook_at_home(color, wing))
            .collect();
        let setup = Setup {
            board: self.pieces,
            promoted: self.promoted,
            turn: self.turn,
            castling,
            en_passant: self.en_passant,
        };
        let position = AnyPosition::set_up(variant, &setup)?;
        Ok(position.with_hands(&self.hands).unwrap_or(position))
    }

    /// Returns the outermost rook of a wing, with the king on the same rank and not in a corner. Of
    /// several kings the one on e counts.
    fn rook_at_home(&self, color: Color, wing: Wing) -> Option<Square> {
        let home = if color == Color::White { 0 } else { 7 };
        let mut squares = (0..8).map(|file| Square::at(file, home));
        let has = |square: Square, role| self.pieces[square.index()] == Some(Piece { color, role });
        let mut kings = squares.clone().filter(|&square| has(square, Role::King));
        let king = kings.clone().find(|king| king.file() == 4).or_else(|| kings.next())?;
        let mut rooks = squares.clone().filter(|&square| has(square, Role::Rook));
        let rook = match wing {
            Wing::King => rooks.rfind(|rook| rook.file() > king.file()),
            Wing::Queen => rooks.find(|rook| rook.file() < king.file()),
        };
        let is_corner = squares.next() == Some(king) || squares.next_back() == Some(king);
        rook.filter(|_| !is_corner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::START_FEN;

    fn board(variant: Variant, fen: &str) -> Arrangement {
        let position = AnyPosition::from_fen(variant, fen).unwrap();
        Arrangement::of(&position, position.turn())
    }

    fn set_up(variant: Variant, fen: &str) -> String {
        board(variant, fen).position(variant).unwrap().fen()
    }

    #[test]
    fn the_king_on_e_may_castle() {
        let twokings = Variant::from_name("twokings").unwrap();
        let fen = "k7/8/8/8/8/8/8/K3K2R w K - 0 1";
        assert_eq!(set_up(twokings, fen), fen);
    }

    #[test]
    fn men_at_home_may_castle() {
        assert_eq!(
            set_up(Variant::NORMAL, "r3k2r/8/8/3pP3/8/8/8/R2K3R w - d6 9 9"),
            "r3k2r/8/8/3pP3/8/8/8/R2K3R w kq - 0 1"
        );
        assert_eq!(
            set_up(Variant::NORMAL, "4k1r1/8/8/8/8/8/8/1R2K2R b - - 0 1"),
            "4k1r1/8/8/8/8/8/8/1R2K2R b K - 0 1"
        );
        assert_eq!(
            set_up(Variant::FISCHERANDOM, "6k1/8/8/8/8/8/8/RR1K1R1R w - - 0 1"),
            "6k1/8/8/8/8/8/8/RR1K1R1R w HA - 0 1"
        );
        assert_eq!(
            set_up(Variant::FISCHERANDOM, "r6k/8/8/8/8/8/8/KR6 w - - 0 1"),
            "r6k/8/8/8/8/8/8/KR6 w - - 0 1",
            "a king in a corner is not between rooks"
        );
    }

    #[test]
    fn castling_and_en_passant_are_set_explicitly() {
        let mut board = board(Variant::NORMAL, "r3k2r/8/8/3pP3/8/8/8/R3K2R w - - 0 1");
        board.castling_lost = vec![(Color::White, Wing::King), (Color::Black, Wing::Queen)];
        board.en_passant = Square::parse("d6");
        let fen = board.position(Variant::NORMAL).unwrap().fen();
        assert_eq!(fen, "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qk d6 0 1");
        board.en_passant = Square::parse("e6");
        let fen = board.position(Variant::NORMAL).unwrap().fen();
        assert_eq!(fen, "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qk - 0 1", "no pawn has passed e6");
    }

    #[test]
    fn hands_and_promoted_pieces_are_kept() {
        let crazyhouse = Variant::from_name("crazyhouse").unwrap();
        let fen = "4k3/8/8/8/8/8/8/4K2Q~[Pn] b - - 0 1";
        assert_eq!(set_up(crazyhouse, fen), fen);
        let mut board = board(crazyhouse, fen);
        let white = |role| Some(Piece { color: Color::White, role });
        for (role, square) in [(Role::Queen, "h1"), (Role::Pawn, "a2"), (Role::King, "e1")] {
            board.put(white(role), Square::parse(square).unwrap(), role != Role::Queen);
        }
        board.put(white(Role::Knight), Square::parse("b1").unwrap(), true);
        let position = board.position(crazyhouse).unwrap();
        assert_eq!(position.fen(), "4k3/8/8/8/8/8/P7/1N~2K2Q[Pn] b - - 0 1");
        let normal = board.position(Variant::NORMAL).unwrap();
        assert_eq!(normal.fen(), "4k3/8/8/8/8/8/P7/1N2K2Q b - - 0 1", "where it is nothing");
        board.put(None, Square::parse("b1").unwrap(), false);
        board.put(white(Role::Rook), Square::parse("b1").unwrap(), false);
        assert_eq!(board.position(crazyhouse).unwrap().fen(), "4k3/8/8/8/8/8/P7/1R2K2Q[Pn] b - - 0 1");
        board.put(white(Role::Rook), Square::parse("h1").unwrap(), true);
        let position = board.position(crazyhouse).unwrap();
        assert_eq!(position.fen(), "4k3/8/8/8/8/8/P7/1R2K2R~[Pn] b - - 0 1", "it cannot castle");
    }

    #[test]
    fn an_empty_board_is_illegal() {
        let mut board = board(Variant::NORMAL, START_FEN);
        board.clear();
        assert_eq!(board.position(Variant::NORMAL).err(), Some(FenError::Kings));
    }
}
