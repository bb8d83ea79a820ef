//! Moves as text: coordinates, castling, and standard algebraic notation (PGN standard, section
//! 8.2.3).

use super::{Bitboard, CastlingStyle, Move, MoveError, MoveKind, Position, Role, Ruleset, Square};

impl<R: Ruleset> Position<R> {
    /// Returns the move in coordinates, as UCI and most tools write it: `e2e4`, `e7e8q`, castling
    /// `e1g1`; where king and rooks may start anywhere, castling is king takes own rook (`e1h1`).
    pub fn coordinates(&self, mv: Move) -> String {
        match mv.kind() {
            MoveKind::Castle if self.ruleset.castling() != CastlingStyle::Chess960 => {
                format!("{}{}", mv.from(), self.castling_targets(mv.from(), mv.to()).king)
            }
            MoveKind::Promotion(role) => {
                format!("{}{}{}", mv.from(), mv.to(), role.letter().to_ascii_lowercase())
            }
            MoveKind::Drop(role) => format!("{}@{}", role.letter(), mv.to()),
            _ => format!("{}{}", mv.from(), mv.to()),
        }
    }

    /// Returns the move, which must be legal here, in standard algebraic notation with `+` or `#`.
    pub fn san(&self, mv: Move) -> String {
        let mut text = String::with_capacity(8);
        let role = self.role_at(mv.from()).unwrap_or(Role::Pawn);
        if mv.kind() == MoveKind::Castle && self.castles_by_squares(mv) {
            return self.coordinates(mv);
        } else if mv.kind() == MoveKind::Castle {
            text.push_str(castling_text(mv));
        } else if let MoveKind::Drop(role) = mv.kind() {
            text.push_str(&format!("{}@{}", role.letter(), mv.to()));
        } else {
            let capture = self.is_capture(mv);
            if role == Role::Pawn {
                if capture {
                    text.push((b'a' + mv.from().file()) as char);
                }
            } else {
                text.push(role.letter());
                self.push_origin(role, mv, &mut text);
            }
            if capture {
                text.push('x');
            }
            text.push_str(&mv.to().to_string());
            if let Some(promotion) = mv.promotion() {
                text.push('=');
                text.push(promotion.letter());
            }
        }
        let mut after = *self;
        after.play(mv);
        if after.in_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    /// Appends as much of the origin as distinguishes the move from moves of like pieces: file,
    /// else rank, else both.
    fn push_origin(&self, role: Role, mv: Move, text: &mut String) {
        let rivals: Bitboard = self
            .legal_moves()
            .into_iter()
            .filter(|other| {
                other.to() == mv.to()
                    && !matches!(other.kind(), MoveKind::Castle | MoveKind::Drop(_))
                    && other.from() != mv.from()
                    && self.role_at(other.from()) == Some(role)
            })
            .map(Move::from)
            .collect();
        if rivals.is_empty() {
            return;
        }
        let origin = mv.from();
        if (rivals & Bitboard::file(origin.file())).is_empty() {
            text.push((b'a' + origin.file()) as char);
        } else if (rivals & Bitboard::rank(origin.rank())).is_empty() {
            text.push((b'1' + origin.rank()) as char);
        } else {
            text.push_str(&origin.to_string());
        }
    }

    /// Reads a move: coordinates, castling in any usual form (`O-O`, `0-0`, `e1g1`, king takes own
    /// rook), a drop (`P@h3`), or SAN, also as older programs write it (`Pe4`, `e8(Q)`, `e8/Q`).
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        if let Some(king_side) = castling_side(text) {
            return self.parse_castling(king_side);
        }
        if let Some((from, to, promotion)) = split_coordinates(text) {
            return self.parse_coordinates(from, to, promotion);
        }
        if let Some((role, to)) = text.split_once('@').filter(|_| self.has_hands()) {
            return self.parse_drop(role, to);
        }
        let san = San::parse(text).ok_or(MoveError::Syntax)?;
        self.parse_san(&san)
    }

    /// Returns true if programs disagree on which castling of this king is short: for a king on d
    /// in a game that mirrors castling, some count from the king's side and others from the king.
    fn castles_by_squares(&self, castling: Move) -> bool {
        self.ruleset.castling() == CastlingStyle::Wild && castling.from().file() == 3
    }

    fn parse_castling(&self, king_side: bool) -> Result<Move, MoveError> {
        let castlings: Vec<Move> =
            self.legal_moves().into_iter().filter(|mv| mv.kind() == MoveKind::Castle).collect();
        let is_meant = |mv: &&Move| match castlings[..] {
            [only] if self.castles_by_squares(only) => true,
            _ => !self.castles_by_squares(**mv) && is_king_side(**mv) == king_side,
        };
        castlings.iter().find(is_meant).copied().ok_or(if self.in_check() {
            MoveError::InCheck
        } else {
            MoveError::Illegal
        })
    }

    fn parse_drop(&self, role: &str, to: &str) -> Result<Move, MoveError> {
        let role = match role.chars().next() {
            None => Some(Role::Pawn),
            Some(letter) => Role::from_letter(letter).filter(|_| role.len() == 1),
        };
        let (Some(role), Some(to)) = (role, Square::parse(to)) else { return Err(MoveError::Syntax) };
        let legal = self.legal_moves();
        let drop = legal.iter().copied().find(|&mv| mv == Move::drop(role, to));
        drop.ok_or(if self.in_check() { MoveError::InCheck } else { MoveError::Illegal })
    }

    fn parse_coordinates(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, MoveError> {
        let legal = self.legal_moves();
        let plain = legal.iter().find(|mv| {
            mv.from() == from
                && mv.to() == to
                && !matches!(mv.kind(), MoveKind::Castle | MoveKind::Drop(_))
                && mv.promotion() == promotion
        });
        let castling = || {
            legal.iter().find(|mv| {
                mv.kind() == MoveKind::Castle
                    && mv.from() == from
                    && promotion.is_none()
                    && (mv.to() == to || self.king_jumps(**mv, to))
            })
        };
        plain.or_else(castling).copied().ok_or_else(|| self.why_not(from, to))
    }

    /// Returns true if `to` is the king's target in this castling, and too far for a step of the
    /// king.
    fn king_jumps(&self, castling: Move, to: Square) -> bool {
        let target = self.castling_targets(castling.from(), castling.to()).king;
        target == to && castling.from().file().abs_diff(to.file()) >= 2
    }

    fn parse_san(&self, san: &San) -> Result<Move, MoveError> {
        let fits = |mv: &Move| {
            mv.to() == san.to
                && !matches!(mv.kind(), MoveKind::Castle | MoveKind::Drop(_))
                && mv.promotion() == san.promotion
                && self.role_at(mv.from()) == Some(san.role)
                && san.origin.has(mv.from())
        };
        let mut found = self.legal_moves().into_iter().filter(fits);
        let Some(mv) = found.next() else {
            let candidates = self.pieces(self.turn(), san.role) & san.origin;
            let pinned = candidates.into_iter().find(|&from| self.reaches(from, san.to));
            return Err(pinned.map_or(MoveError::Illegal, |from| self.why_not(from, san.to)));
        };
        if found.next().is_some() { Err(MoveError::Ambiguous) } else { Ok(mv) }
    }

    /// Returns why a move is illegal.
    fn why_not(&self, from: Square, to: Square) -> MoveError {
        if self.color(!self.turn()).has(from) {
            MoveError::WrongTurn
        } else if !self.reaches(from, to)
            || self.legal_moves().iter().any(|mv| (mv.from(), mv.to()) == (from, to))
        {
            MoveError::Illegal
        } else if self.must_capture() && !self.color(!self.turn()).has(to) {
            MoveError::MustCapture
        } else if self.in_check() {
            MoveError::InCheck
        } else if self.king(self.turn()).is_some() {
            MoveError::IntoCheck
        } else {
            MoveError::Illegal
        }
    }
}

fn is_king_side(castling: Move) -> bool {
    castling.to().file() > castling.from().file()
}

fn castling_text(mv: Move) -> &'static str {
    if is_king_side(mv) { "O-O" } else { "O-O-O" }
}

/// Reads castling: true for king's side, false for queen's side, `None` if the text is no castling.
fn castling_side(text: &str) -> Option<bool> {
    match text {
        "O-O" | "0-0" | "o-o" => Some(true),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(false),
        _ => None,
    }
}

fn split_coordinates(text: &str) -> Option<(Square, Square, Option<Role>)> {
    if !text.is_ascii() || text.len() < 4 {
        return None;
    }
    let (from, to) = (Square::parse(&text[..2])?, Square::parse(&text[2..4])?);
    let promotion = match text[4..].trim_start_matches('=').as_bytes() {
        [] if text.len() == 4 => None,
        [letter] => Some(Role::from_letter(*letter as char)?),
        _ => return None,
    };
    Some((from, to, promotion))
}

/// Splits the promotion off a pawn's move: `=Q`, `Q`, `/Q` or `(Q)`.
fn split_promotion(text: &str) -> Option<(&str, Option<Role>)> {
    let role = |letter: &str| match letter {
        "Q" | "R" | "B" | "N" | "K" => letter.chars().next().and_then(Role::from_letter),
        _ => None,
    };
    if let Some(inside) = text.strip_suffix(')') {
        let (before, letter) = inside.split_once('(')?;
        return Some((before, Some(role(letter)?)));
    }
    let (before, letter) = text.split_at(text.len().checked_sub(1)?);
    Some(match role(letter) {
        Some(role) => (before.trim_end_matches(['=', '/']), Some(role)),
        None => (text, None),
    })
}

/// A parsed move in algebraic notation.
struct San {
    role: Role,
    /// Possible origins.
    origin: Bitboard,
    to: Square,
    promotion: Option<Role>,
}

impl San {
    fn parse(text: &str) -> Option<San> {
        if !text.is_ascii() {
            return None;
        }
        let (role, rest) = match text.chars().next()? {
            letter @ ('K' | 'Q' | 'R' | 'B' | 'N' | 'P') => (Role::from_letter(letter)?, &text[1..]),
            _ => (Role::Pawn, text),
        };
        let (rest, promotion) = if role == Role::Pawn { split_promotion(rest)? } else { (rest, None) };
        let to = Square::parse(rest.get(rest.len().checked_sub(2)?..)?)?;
        let mut origin = Bitboard::ALL;
        let prefix = &rest[..rest.len() - 2];
        let hint = prefix.strip_suffix(['x', '-']).unwrap_or(prefix).as_bytes();
        let (file, rank) = match hint {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank)),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file), Some(rank)),
            _ => return None,
        };
        if let Some(file) = file {
            origin &= Bitboard::file(file - b'a');
        }
        if let Some(rank) = rank {
            origin &= Bitboard::rank(rank - b'1');
        }
        // `e5` is a push: without a file the pawn comes from the file it goes to.
        if role == Role::Pawn && prefix.is_empty() {
            origin = Bitboard::file(to.file());
        }
        Some(San { role, origin, to, promotion })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Standard;

    fn position(fen: &str) -> Position<Standard> {
        Position::from_fen(Standard::NORMAL, fen).unwrap()
    }

    #[test]
    fn every_legal_move_reads_back_from_both_notations() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "Q6Q/8/8/1k6/8/8/1K6/Q6Q w - - 0 1",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
        ] {
            let position = position(fen);
            for mv in position.legal_moves() {
                assert_eq!(position.parse_move(&position.san(mv)), Ok(mv), "{fen} {mv:?}");
                assert_eq!(position.parse_move(&position.coordinates(mv)), Ok(mv), "{fen} {mv:?}");
            }
        }
    }

    #[test]
    fn san_is_minimal() {
        let queens = position("Q6Q/8/8/1k6/8/8/1K6/Q6Q w - - 0 1");
        let san = |text: &str| queens.san(queens.parse_move(text).unwrap());
        assert_eq!(san("a8d8"), "Qad8");
        assert_eq!(san("a1d1"), "Qad1");
        assert_eq!(san("a8a5"), "Q8a5+");
        let mate = position("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
        assert_eq!(mate.san(mate.parse_move("a1a8").unwrap()), "Ra8#");
        assert_eq!(mate.san(mate.parse_move("e1c1").unwrap()), "O-O-O");
    }

    #[test]
    fn illegal_moves_say_why() {
        let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(start.parse_move("e2e5"), Err(MoveError::Illegal));
        assert_eq!(start.parse_move("e7e5"), Err(MoveError::WrongTurn));
        assert_eq!(start.parse_move("hello"), Err(MoveError::Syntax));
        assert_eq!(start.parse_move("Nd5"), Err(MoveError::Illegal));
        assert_eq!(start.parse_move("e4e4e4"), Err(MoveError::Syntax));
        let pinned = position("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1");
        assert_eq!(pinned.parse_move("e2c3"), Err(MoveError::IntoCheck));
        assert_eq!(pinned.parse_move("Nc3"), Err(MoveError::IntoCheck));
        let check = position("4r1k1/8/8/8/8/8/3N4/4K3 w - - 0 1");
        assert_eq!(check.parse_move("d2b3"), Err(MoveError::InCheck));
        assert_eq!(check.parse_move("O-O"), Err(MoveError::InCheck));
        let knights = position("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1");
        assert_eq!(knights.parse_move("Nd2"), Err(MoveError::Ambiguous));
    }

    #[test]
    fn pawns_are_read_as_older_programs_write_them() {
        let pawns = position("n3k3/1P6/8/8/8/8/4P3/4K3 w - - 0 1");
        for (text, mv) in [
            ("Pe4", "e2e4"),
            ("b8(Q)", "b7b8q"),
            ("b8/N", "b7b8n"),
            ("bxa8=R+", "b7a8r"),
            ("Pbxa8(B)", "b7a8b"),
        ] {
            assert_eq!(pawns.parse_move(text).map(|mv| pawns.coordinates(mv)), Ok(mv.to_owned()), "{text}");
        }
        for text in ["P", "Pe5x", "b8()", "b8(Q", "b8(Q))", ")", "e4)"] {
            assert!(pawns.parse_move(text).is_err(), "{text}");
        }
    }

    #[test]
    fn castling_is_read_in_every_form() {
        let normal = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for text in ["O-O", "0-0", "o-o", "e1g1", "e1h1", "O-O+"] {
            assert_eq!(normal.coordinates(normal.parse_move(text).unwrap()), "e1g1", "{text}");
        }
        let chess960 =
            Position::from_fen(Standard::FISCHERANDOM, "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1").unwrap();
        for text in ["O-O", "f1g1"] {
            let mv = chess960.parse_move(text).unwrap();
            assert_eq!((mv.kind(), chess960.coordinates(mv).as_str()), (MoveKind::Castle, "f1g1"));
        }
        assert_eq!(chess960.coordinates(chess960.parse_move("f1c1").unwrap()), "f1b1");
        assert_eq!(chess960.parse_move("f1e1").unwrap().kind(), MoveKind::Normal);
    }
}
