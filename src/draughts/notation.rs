//! Moves as text. `22x15x6` names every square that the piece touches; PDN's short form only the
//! first and the last.

use super::fen::square;
use super::paths::MAX_SQUARES;
use super::{Move, Position, Square};
use arrayvec::ArrayVec;
use std::fmt;

/// An error in a text that is not a playable move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Not a move at all.
    #[error("not a move")]
    Syntax,
    /// A move that is not possible here.
    #[error("illegal move")]
    Illegal,
    /// The origin holds a piece of the other side.
    #[error("wrong turn")]
    WrongTurn,
    /// A capture is compulsory, and this move is none.
    #[error("a jump is compulsory")]
    MustJump,
    /// The jump must be continued.
    #[error("the jump must be carried to its end")]
    Unfinished,
    /// First and last square of jumps that lead to different positions.
    #[error("ambiguous jump: name all of its squares")]
    Ambiguous,
}

/// The squares named by the text of a move, at least two. Displayed with `x` between them, also for
/// steps, as programs of the Checkers Protocol need it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText(ArrayVec<Square, MAX_SQUARES>);

impl MoveText {
    /// The squares of a move.
    pub fn of(mv: Move) -> MoveText {
        MoveText(mv.squares())
    }

    /// Reads squares separated by `x`, `-` or `:`; numbers may start with zeros.
    ///
    /// # Errors
    /// The text is something else, or longer than any move.
    pub fn read(text: &str) -> Result<MoveText, MoveError> {
        let mut squares = ArrayVec::new();
        for number in text.trim_ascii().as_bytes().split(|byte| b"xX-:".contains(byte)) {
            let square = square(number).ok_or(MoveError::Syntax)?;
            squares.try_push(square).map_err(|_| MoveError::Syntax)?;
        }
        if squares.len() < 2 { Err(MoveError::Syntax) } else { Ok(MoveText(squares)) }
    }

    /// Returns the squares.
    pub fn squares(&self) -> &[Square] {
        &self.0
    }

    /// Returns the move after half a turn of the board.
    pub fn rotated(&self) -> MoveText {
        MoveText(self.0.iter().map(|square| square.rotated()).collect())
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, square) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "x" };
            write!(f, "{separator}{square}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        MoveText::of(*self).fmt(f)
    }
}

impl Position {
    /// Reads a move ([`Position::find`]).
    ///
    /// # Errors
    /// The text is not a legal move.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.find(&MoveText::read(text)?)
    }

    /// Returns the legal move that touches exactly these squares; otherwise, for two squares, a
    /// jump between them, if all such jumps lead to the same position.
    ///
    /// # Errors
    /// There is none, or there are several.
    pub fn find(&self, text: &MoveText) -> Result<Move, MoveError> {
        let moves = self.legal_moves();
        if let Some(&exact) = moves.iter().find(|mv| mv.squares() == text.0) {
            return Ok(exact);
        }
        if let [from, to] = text.squares() {
            let mut named = moves.iter().filter(|mv| (mv.from(), mv.to()) == (*from, *to));
            if let Some(&first) = named.next() {
                let is_same = |&other: &Move| self.after(other) == self.after(first);
                return if named.all(is_same) { Ok(first) } else { Err(MoveError::Ambiguous) };
            }
        }
        Err(self.why_not(text, &moves))
    }

    fn why_not(&self, text: &MoveText, moves: &[Move]) -> MoveError {
        let (from, next) = (text.squares()[0], text.squares()[1]);
        let is_step = from.row().abs_diff(next.row()) == 1;
        if self.side(!self.turn()).has(from) {
            MoveError::WrongTurn
        } else if !self.side(self.turn()).has(from) {
            MoveError::Illegal
        } else if moves.iter().any(|mv| mv.squares().starts_with(text.squares())) {
            MoveError::Unfinished
        } else if is_step && self.must_jump() {
            MoveError::MustJump
        } else {
            MoveError::Illegal
        }
    }

    /// Returns the move, which must be legal here, in PDN: `9-14`, `15x22`, and all squares of a
    /// jump whose first and last square are ambiguous.
    pub fn pdn(&self, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        if !mv.is_jump() {
            return format!("{from}-{to}");
        }
        let moves = self.legal_moves();
        let named = moves.iter().filter(|other| (other.from(), other.to()) == (from, to));
        if named.count() == 1 { format!("{from}x{to}") } else { mv.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    #[test]
    fn every_separator_is_read_and_x_is_written() {
        let start = Position::start();
        for text in ["9-14", "9x14", "9X14", "9:14", "09-14", " 9-014\r"] {
            let mv = start.parse_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((mv.to_string(), start.pdn(mv)), ("9x14".into(), "9-14".into()));
        }
    }

    #[test]
    fn illegal_moves_are_refused() {
        let start = Position::start();
        for text in ["", "9", "9-", "-14", "9--14", "9 14", "a3b4", "0-14", "9-33", "9-999999999999", "é-14"]
        {
            assert_eq!(start.parse_move(text), Err(MoveError::Syntax), "{text}");
        }
        assert_eq!(start.parse_move(&["9"; 11].join("x")), Err(MoveError::Syntax));
        for (text, error) in [
            ("9-18", MoveError::Illegal),
            ("9-9", MoveError::Illegal),
            ("15-18", MoveError::Illegal),
            ("9-14-18", MoveError::Illegal),
            ("14-9", MoveError::Illegal),
            ("22-18", MoveError::WrongTurn),
        ] {
            assert_eq!(start.parse_move(text), Err(error), "{text}");
            assert!(!error.to_string().is_empty());
        }
        let jump = position("B:W14,22,30:B9,1");
        assert_eq!(jump.parse_move("1-5"), Err(MoveError::MustJump));
        assert_eq!(position("B:W14,22,31:B9,1").parse_move("9x18"), Err(MoveError::Unfinished));
    }

    #[test]
    fn a_jump_may_be_named_by_its_ends_if_that_is_unambiguous() {
        let jump = position("B:W14,22,31:B9");
        assert_eq!(jump.legal_moves().len(), 1);
        let mv = jump.parse_move("9x25").expect("the short form");
        assert_eq!((mv.to_string(), jump.pdn(mv)), ("9x18x25".into(), "9x25".into()));
        // Either way round the loop captures the same pieces.
        let twins = position("W:WK17:B14,15,22,23");
        assert_eq!(twins.legal_moves().len(), 2);
        assert!(twins.parse_move("17x17").is_ok());
        assert_eq!(position("W:WK19:B6,14,15,22,23").parse_move("19x1"), Err(MoveError::Ambiguous));
    }

    #[test]
    fn a_full_path_wins_over_a_short_reading() {
        let loops = position("B:W10,11,18,19,26,27:B5,K14,K15");
        let ends = |mv: &&Move| (mv.from().number(), mv.to().number()) == (15, 6);
        assert_eq!(loops.legal_moves().iter().filter(ends).count(), 3);
        let single = loops.parse_move("15x6").expect("a jump over 10 alone");
        assert_eq!(single.jumped().count(), 1);
        assert_eq!(loops.pdn(single), "15x6");
        for &mv in &loops.legal_moves() {
            assert_eq!(loops.parse_move(&loops.pdn(mv)), Ok(mv));
            assert_eq!(loops.parse_move(&mv.to_string()), Ok(mv));
        }
    }

    #[test]
    fn a_rotated_move_is_the_same_on_a_rotated_board() {
        let text = MoveText::read("22x15x6").unwrap();
        assert_eq!(text.rotated().to_string(), "11x18x27");
        assert_eq!(text.rotated().rotated(), text);
    }
}
