//! FEN, with the castling letters of Shredder-FEN (`HAha`) and X-FEN (`KQkq` for the outermost
//! rook).
//!
//! Fields after the side on move may be missing, also just the castling field, which xboard omits
//! in variants without castling.

use super::{Bitboard, CastlingStyle, Color, Piece, Position, Role, Ruleset, Square, attacks};

/// An error in a text that is not a position. The message says what to fix without quoting the
/// text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text is empty.
    #[error("no position given")]
    Empty,
    /// The board field is not eight ranks of eight squares.
    #[error("the board must have 8 ranks of 8 squares")]
    Board,
    /// A letter that is no piece.
    #[error("the board has a letter that is no piece")]
    Piece,
    /// The side on move is not `w` or `b`.
    #[error("the side on move must be w or b")]
    Turn,
    /// A meaningless castling letter.
    #[error("the castling field must be - or letters of rooks that can castle")]
    Castling,
    /// A counter that is not a number.
    #[error("the move counters must be numbers")]
    Counter,
    /// Text after the last field.
    #[error("there is something after the last field")]
    TooLong,
    /// A side does not have the kings that the rules require: exactly one in most variants.
    #[error("a side has too many kings for this game, or none")]
    Kings,
    /// A pawn on the first or last rank.
    #[error("a pawn cannot stand on the first or last rank")]
    PawnRank,
    /// More pieces than a side can have: more than 16, or more promoted pieces than missing pawns.
    #[error("a side has more pieces than it can have")]
    TooManyPieces,
    /// The side not on move is in check.
    #[error("the side that has just moved is in check")]
    OpponentInCheck,
    /// The pieces in hand are not letters between brackets.
    #[error("the pieces in hand must be letters in brackets")]
    Hand,
    /// The counters of checks are not two numbers.
    #[error("the checks must be two numbers with a + between them")]
    Checks,
    /// A king is in check in a variant without checks.
    #[error("a king is in check in a variant without checks")]
    InCheck,
}

impl<R: Ruleset> Position<R> {
    /// Reads a position of these rules.
    ///
    /// # Errors
    /// The text is not FEN, or the position is illegal by these rules.
    pub fn from_fen(ruleset: R, fen: &str) -> Result<Position<R>, FenError> {
        let mut fields = fen.split_ascii_whitespace().peekable();
        let mut position = Position::empty(ruleset);
        position.read_board(fields.next().ok_or(FenError::Empty)?)?;
        match fields.next() {
            None | Some("w") => {}
            Some("b") => position.set_turn(Color::Black),
            Some(_) => return Err(FenError::Turn),
        }
        position.validate()?;

        let counts_checks = position.counts_checks();
        let is_number = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_checks = |text: &&str| counts_checks && text.contains('+');
        if let Some(castling) = fields.next_if(|text| {
            !is_number(text) && !is_checks(text) && (Square::parse(text).is_none() || text.len() != 2)
        }) {
            position.read_castling(castling)?;
        }
        position.find_checkers();
        if let Some(square) = fields.next_if(|text| !is_number(text) && !is_checks(text)) {
            Square::parse(square).into_iter().for_each(|square| position.set_en_passant(square));
        }
        if let Some(counters) = fields.next_if(is_checks) {
            position.read_checks(counters)?;
        }
        let mut counter = |default: u16| match fields.next_if(|text| !is_checks(text)) {
            None => Ok(default),
            Some(text) if is_number(&text) => Ok(text.parse::<u16>().unwrap_or(u16::MAX).min(9999)),
            Some(_) => Err(FenError::Counter),
        };
        let (halfmove_clock, fullmove) = (counter(0)?, counter(1)?.max(1));
        position.set_clocks(halfmove_clock, fullmove);
        if let Some(counters) = fields.next_if(is_checks) {
            position.read_checks(counters)?;
        }
        match fields.next() {
            None => Ok(position),
            Some(_) => Err(FenError::TooLong),
        }
    }

    fn read_board(&mut self, text: &str) -> Result<(), FenError> {
        let text = self.read_hands(text)?;
        let mut ranks = 0;
        for (rank, row) in (0..8u8).rev().zip(text.split('/')) {
            let (mut file, mut follows_piece) = (0u8, false);
            for letter in row.chars() {
                if let Some(gap) = letter.to_digit(10).filter(|gap| (1..=8).contains(gap)) {
                    file += gap as u8;
                } else if letter == '~' && follows_piece && self.has_hands() {
                    self.change_fairy(|fairy| fairy.set_promoted(Square::at(file - 1, rank), true));
                } else {
                    let piece = Piece::from_letter(letter).ok_or(FenError::Piece)?;
                    if file < 8 {
                        self.put(piece, Square::at(file, rank));
                    }
                    file += 1;
                }
                follows_piece = "NBRQnbrq".contains(letter);
                if file > 8 {
                    return Err(FenError::Board);
                }
            }
            if file != 8 {
                return Err(FenError::Board);
            }
            ranks += 1;
        }
        if ranks == 8 && text.split('/').count() == 8 { Ok(()) } else { Err(FenError::Board) }
    }

    /// Validates what the rest of the crate relies on.
    pub(super) fn validate(&self) -> Result<(), FenError> {
        if let Some(fairy) = self.fairy() {
            return self.validate_fairy(fairy);
        }
        if (self.role(Role::Pawn) & (Bitboard::rank(0) | Bitboard::rank(7))).any() {
            return Err(FenError::PawnRank);
        }
        for color in Color::ALL {
            let count = |role| self.pieces(color, role).count();
            if count(Role::King) != 1 {
                return Err(FenError::Kings);
            }
            let promoted = count(Role::Queen).saturating_sub(1)
                + [Role::Rook, Role::Bishop, Role::Knight]
                    .into_iter()
                    .map(|role| count(role).saturating_sub(2))
                    .sum::<u32>();
            if count(Role::Pawn) + promoted > 8 {
                return Err(FenError::TooManyPieces);
            }
        }
        match self.king(!self.turn()) {
            Some(king) if self.attacked(king, self.turn(), self.occupied()) => Err(FenError::OpponentInCheck),
            _ => Ok(()),
        }
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        for letter in text.chars() {
            let color = Color::white_if(letter.is_ascii_uppercase());
            let king = self.castling_king(color).map(Square::file);
            let rooks = self.pieces(color, Role::Rook) & Bitboard::rank(color.home());
            let rook = match letter.to_ascii_lowercase() {
                'k' => rooks.filter(|rook| Some(rook.file()) > king).last(),
                'q' => rooks.filter(|rook| Some(rook.file()) < king).min_by_key(|rook| rook.file()),
                file @ 'a'..='h' => rooks.into_iter().find(|rook| rook.file() == file as u8 - b'a'),
                _ => return Err(FenError::Castling),
            };
            rook.into_iter().for_each(|rook| self.restore_castling(rook));
        }
        Ok(())
    }

    /// Gives a rook the right to castle, unless the board contradicts it: GUIs write KQkq too
    /// freely.
    pub(super) fn restore_castling(&mut self, rook: Square) {
        let Some(Piece { color, role: Role::Rook }) = self.piece_at(rook) else { return };
        if self.fairy().is_some_and(|fairy| fairy.promoted().has(rook)) {
            return;
        }
        let Some(king) = self.castling_king(color) else { return };
        let home = color.home();
        if (king.rank(), rook.rank()) == (home, home) && self.can_castle(king, rook) {
            self.allow_castling(rook);
        }
    }

    /// Returns true if the variant lets a king and a rook on these squares castle.
    fn can_castle(&self, king: Square, rook: Square) -> bool {
        match self.ruleset.castling() {
            CastlingStyle::None => false,
            CastlingStyle::Orthodox => king.file() == 4 && (rook.file() == 0 || rook.file() == 7),
            CastlingStyle::Wild => matches!(king.file(), 3 | 4) && (rook.file() == 0 || rook.file() == 7),
            CastlingStyle::Chess960 => true,
        }
    }

    /// Sets the en passant square if such a capture is legal.
    pub(super) fn set_en_passant(&mut self, target: Square) {
        let us = self.turn();
        let (rank, step) = if us == Color::White { (5, -1) } else { (2, 1) };
        if target.rank() != rank {
            return;
        }
        let pawn = Square::at(target.file(), (rank as i8 + step) as u8);
        let behind = Square::at(target.file(), (rank as i8 - step) as u8);
        let free = !self.occupied().has(target) && !self.occupied().has(behind);
        // The double step must have been the last move: no other check is possible.
        let leapers = self.checkers() & (self.role(Role::Knight) | self.role(Role::Pawn));
        if free && self.pieces(!us, Role::Pawn).has(pawn) && (leapers & !Bitboard::of(pawn)).is_empty() {
            self.remember_en_passant(target);
        }
    }

    /// Returns the same pieces with the other side on move, without en passant, if that is a legal
    /// position.
    pub fn with_turn(&self, turn: Color) -> Option<Position<R>> {
        let mut position = *self;
        position.forget_en_passant();
        position.set_turn(turn);
        position.find_checkers();
        position.validate().ok().map(|()| position)
    }

    /// Returns the FEN; castling letters are Shredder's in Chess960.
    pub fn fen(&self) -> String {
        let mut text = String::with_capacity(90);
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                match self.piece_at(Square::at(file, rank)) {
                    None => gap += 1,
                    Some(piece) => {
                        push_gap(&mut text, gap);
                        gap = 0;
                        text.push(piece.letter());
                        if self.fairy().is_some_and(|fairy| fairy.promoted().has(Square::at(file, rank))) {
                            text.push('~');
                        }
                    }
                }
            }
            push_gap(&mut text, gap);
            if rank > 0 {
                text.push('/');
            }
        }
        self.write_hands(&mut text);
        text.push_str(if self.turn() == Color::White { " w " } else { " b " });
        self.write_castling(&mut text);
        match self.en_passant() {
            Some(square) => text.push_str(&format!(" {square}")),
            None => text.push_str(" -"),
        }
        self.write_checks(&mut text);
        text.push_str(&format!(" {} {}", self.halfmove_clock(), self.fullmove()));
        text
    }

    fn write_castling(&self, text: &mut String) {
        if self.castling().is_empty() {
            text.push('-');
            return;
        }
        for color in Color::ALL {
            let mut rooks: Vec<Square> = (self.castling() & self.color(color)).collect();
            rooks.reverse();
            for rook in rooks {
                let letter = match self.ruleset.castling() {
                    CastlingStyle::None | CastlingStyle::Orthodox | CastlingStyle::Wild
                        if rook.file() > 4 =>
                    {
                        'k'
                    }
                    CastlingStyle::None | CastlingStyle::Orthodox | CastlingStyle::Wild => 'q',
                    CastlingStyle::Chess960 => (b'a' + rook.file()) as char,
                };
                text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
    }

    /// Returns true if the piece on `from`, if it is the mover's, reaches `to` by its kind of
    /// movement, kings aside.
    pub(super) fn reaches(&self, from: Square, to: Square) -> bool {
        let us = self.turn();
        match self.piece_at(from) {
            Some(piece) if piece.color == us && !self.color(us).has(to) => match piece.role {
                Role::Pawn => self.pawn_reaches(us, from, to),
                role => attacks::piece(role, from, self.occupied()).has(to),
            },
            _ => false,
        }
    }

    fn pawn_reaches(&self, us: Color, from: Square, to: Square) -> bool {
        if attacks::pawn(us, from).has(to) {
            return self.color(!us).has(to);
        }
        let (step, start) = if us == Color::White { (8i16, 1) } else { (-8, 6) };
        let distance = to.index() as i16 - from.index() as i16;
        let way = attacks::between(from, to) | Bitboard::of(to);
        let free = (way & self.occupied()).is_empty();
        free && (distance == step || distance == 2 * step && from.rank() == start)
    }
}

fn push_gap(text: &mut String, gap: u8) {
    if gap > 0 {
        text.push((b'0' + gap) as char);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Standard;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn normal(fen: &str) -> Result<String, FenError> {
        Position::from_fen(Standard::NORMAL, fen).map(|position| position.fen())
    }

    #[test]
    fn fen_survives_a_round_trip() {
        for fen in [START, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 17"] {
            assert_eq!(normal(fen).as_deref(), Ok(fen));
        }
        let chess960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        assert_eq!(Position::from_fen(Standard::FISCHERANDOM, chess960).unwrap().fen(), chess960);
    }

    #[test]
    fn fields_may_be_missing() {
        let board = "4k3/8/8/8/8/8/8/R3K2R";
        assert_eq!(normal(board).as_deref(), Ok("4k3/8/8/8/8/8/8/R3K2R w - - 0 1"));
        assert_eq!(normal(&format!("{board} b")).as_deref(), Ok("4k3/8/8/8/8/8/8/R3K2R b - - 0 1"));
        assert_eq!(normal(&format!("{board} w KQ")).as_deref(), Ok("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"));
        assert_eq!(normal(&format!("{board} w - 7 12")).as_deref(), Ok("4k3/8/8/8/8/8/8/R3K2R w - - 7 12"));
    }

    #[test]
    fn rights_the_board_contradicts_are_dropped() {
        assert_eq!(
            normal("4k3/8/8/8/8/8/8/1R2K2R w KQkq - 0 1").unwrap(),
            "4k3/8/8/8/8/8/8/1R2K2R w K - 0 1"
        );
    }

    #[test]
    fn x_fen_names_the_outermost_rook() {
        let position =
            Position::from_fen(Standard::FISCHERANDOM, "4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1").unwrap();
        assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/RR2K1RR w HA - 0 1");
        let inner = Position::from_fen(Standard::FISCHERANDOM, "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1").unwrap();
        assert_eq!(inner.fen(), "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1");
    }

    #[test]
    fn en_passant_counts_only_where_it_is_legal() {
        let kept = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
        assert_eq!(normal(kept).as_deref(), Ok(kept));
        let pinned = "4k3/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1".replace("4k3", "8");
        assert_eq!(normal(&pinned).unwrap(), "8/8/8/8/R2pP2k/8/8/4K3 b - - 0 1");
        assert_eq!(normal("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1").unwrap(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for (fen, error) in [
            ("", FenError::Empty),
            ("8/8/8/8/8/8/8", FenError::Board),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w - - 0 1", FenError::Board),
            ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", FenError::Board),
            ("rnbqkbnx/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", FenError::Piece),
            ("4k3/8/8/8/8/8/8/4K3 x", FenError::Turn),
            ("4k3/8/8/8/8/8/8/4K3 w ?", FenError::Castling),
            ("4k3/8/8/8/8/8/8/4K3 w - - x", FenError::Counter),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 more", FenError::TooLong),
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", FenError::Kings),
            ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", FenError::PawnRank),
            ("4k3/8/8/8/8/8/8/4KR1k w - - 0 1", FenError::Kings),
            ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", FenError::OpponentInCheck),
            ("k7/QQQQQQQQ/QQQQQQQ1/8/8/8/8/K7 b - - 0 1", FenError::TooManyPieces),
        ] {
            assert_eq!(normal(fen), Err(error), "{fen}");
        }
    }
}
