//! PDN's FEN: `B:W21,22,K30:B1-4`. Reads the grammar of PDN 3.0 (section FEN) and a little more;
//! writes what programs with the narrowest grammar can read.

use super::{Bitboard, Setup, SetupError, Square};
use crate::chess::Color;
use std::fmt;

/// The start position.
pub const START_FEN: &str = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

/// An error in a text that is not a position. The message says what to fix without quoting the
/// text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text is empty.
    #[error("no position given")]
    Empty,
    /// An unbalanced bracket or quotation mark.
    #[error("the brackets or quotation marks of the position do not match")]
    Wrapping,
    /// The side on move is not `W` or `B`.
    #[error("the side on move must be W or B")]
    Turn,
    /// No list of pieces follows the side on move.
    #[error("the pieces are missing: the position should look like W:W21,K30:B1-4")]
    NoPieces,
    /// A list of pieces does not start with `W` or `B`.
    #[error("a list of pieces must start with W or B")]
    Color,
    /// A side has two lists of pieces.
    #[error("a side must have one list of pieces: W:W21,22:B1, not W:W21:W22:B1")]
    Twice,
    /// A square is not a number from 1 to 32.
    #[error("a square must be a number from 1 to 32")]
    Square,
    /// A range ends before it starts.
    #[error("a range of squares must go from the lower number to the higher")]
    Range,
    /// Two pieces on a square.
    #[error("there are two pieces on a square")]
    Occupied,
    /// An unexpected character between two items or after the last.
    #[error("squares must be separated by commas, lists of pieces by colons")]
    Separator,
    /// A readable text that is not a position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Setup {
    /// Reads PDN's FEN: `W:W21,22,K30:B1,2`. Accepts sides in either order, without pieces or left
    /// out; ranges of men (`W21-32`) or kings (`WK1-4`); letters in either case; a trailing dot;
    /// white space around everything; quotation marks or a whole tag (`[FEN "…"]`) around the text.
    ///
    /// # Errors
    /// The text is not FEN. The position itself is not checked.
    pub fn read(fen: &str) -> Result<Setup, FenError> {
        let mut scanner = Scanner { rest: unwrapped(fen)?.as_bytes() };
        if scanner.peek().is_none() {
            return Err(FenError::Empty);
        }
        let mut setup = Setup::empty(scanner.color().ok_or(FenError::Turn)?);
        if scanner.peek() != Some(b':') {
            return Err(FenError::NoPieces);
        }
        let mut listed = Vec::with_capacity(2);
        while scanner.accept(b':') {
            let color = scanner.color().ok_or(FenError::Color)?;
            if listed.contains(&color) {
                return Err(FenError::Twice);
            }
            listed.push(color);
            setup.read_list(color, &mut scanner)?;
        }
        scanner.accept(b'.');
        match scanner.peek() {
            None => Ok(setup),
            Some(_) => Err(FenError::Separator),
        }
    }

    /// Reads items separated by commas, or nothing.
    fn read_list(&mut self, color: Color, scanner: &mut Scanner<'_>) -> Result<(), FenError> {
        if matches!(scanner.peek(), None | Some(b':' | b'.')) {
            return Ok(());
        }
        self.read_item(color, scanner)?;
        while scanner.accept(b',') {
            self.read_item(color, scanner)?;
        }
        Ok(())
    }

    /// Reads `18`, `K18`, `18-20` or `K18-20`.
    fn read_item(&mut self, color: Color, scanner: &mut Scanner<'_>) -> Result<(), FenError> {
        let is_king = scanner.accept(b'K');
        let first = scanner.square()?;
        let last = if scanner.accept(b'-') { scanner.square()? } else { first };
        if last < first {
            return Err(FenError::Range);
        }
        for square in Square::all().filter(|square| (first..=last).contains(square)) {
            if !self.put(color, is_king, square) {
                return Err(FenError::Occupied);
            }
        }
        Ok(())
    }

    fn write_side(&self, color: Color, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ":{}", letter(color))?;
        for (index, square) in self.side(color).enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let king = if (self.kings() & Bitboard::of(square)).any() { "K" } else { "" };
            write!(f, "{comma}{king}{square}")?;
        }
        Ok(())
    }
}

/// FEN as strict readers need it: White's pieces first, squares in order, no ranges, no blanks, no
/// dot.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", letter(self.turn))?;
        self.write_side(Color::White, f)?;
        self.write_side(Color::Black, f)
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::White => 'W',
        Color::Black => 'B',
    }
}

/// Returns the text without a surrounding tag and quotation marks.
fn unwrapped(text: &str) -> Result<&str, FenError> {
    let text = text.trim_ascii();
    let text = match text.strip_prefix('[') {
        Some(tag) => {
            let tag = tag.strip_suffix(']').ok_or(FenError::Wrapping)?.trim_ascii();
            match tag.get(..3) {
                Some(name) if name.eq_ignore_ascii_case("fen") => tag[3..].trim_ascii(),
                _ => return Err(FenError::Wrapping),
            }
        }
        None => text,
    };
    match text.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"').ok_or(FenError::Wrapping),
        None => Ok(text),
    }
}

/// A scanner that skips white space and converts letters to upper case.
struct Scanner<'a> {
    rest: &'a [u8],
}

impl Scanner<'_> {
    fn peek(&mut self) -> Option<u8> {
        self.rest = self.rest.trim_ascii_start();
        self.rest.first().map(u8::to_ascii_uppercase)
    }

    fn accept(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        if is_next {
            self.rest = &self.rest[1..];
        }
        is_next
    }

    fn color(&mut self) -> Option<Color> {
        if self.accept(b'W') {
            return Some(Color::White);
        }
        self.accept(b'B').then_some(Color::Black)
    }

    fn square(&mut self) -> Result<Square, FenError> {
        self.peek();
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        square(number).ok_or(FenError::Square)
    }
}

/// Returns the square of these digits, which may start with zeros.
pub(super) fn square(digits: &[u8]) -> Option<Square> {
    let number = digits.iter().try_fold(0u8, |number, digit| match digit {
        b'0'..=b'9' => number.checked_mul(10)?.checked_add(digit - b'0'),
        _ => None,
    });
    Square::new(number?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::Position;

    const SOME: &str = "W:W21,22,K30:B1,2";

    fn read(fen: &str) -> Result<String, FenError> {
        Position::from_fen(fen).map(|position| position.fen())
    }

    #[test]
    fn fen_survives_a_round_trip() {
        for fen in [START_FEN, SOME, "B:WK1:B", "W:W:BK32", "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"] {
            let written = read(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(read(&written).as_deref(), Ok(&*written));
        }
        assert_eq!(read(START_FEN).as_deref(), Ok(START_FEN));
        assert_eq!(read(SOME).as_deref(), Ok(SOME));
    }

    #[test]
    fn every_form_of_a_position_is_read() {
        for form in [
            "W:B1,2:W21,22,K30",
            "W:W21-22,K30:B1-2",
            "W:WK30,22,21:B2,1.",
            "w:wk30,21,22:b01,002",
            " W : W 21 , 22 , K 30 : B 1 - 2 . ",
            "\"W:W21,22,K30:B1,2\"",
            "[FEN \"W:W21,22,K30:B1,2.\"]",
            "[fen\t\"W:W21,22,K30:B1,2\"]\r\n",
        ] {
            assert_eq!(read(form).as_deref(), Ok(SOME), "{form}");
        }
        assert_eq!(read("B:W21-32:B1-12").as_deref(), Ok(START_FEN));
        assert_eq!(read("W:WK1-4").as_deref(), Ok("W:WK1,K2,K3,K4:B"));
        assert_eq!(read("B:B:W.").as_deref(), Ok("B:W:B"));
    }

    #[test]
    fn errors_are_specific() {
        for (fen, error) in [
            ("", FenError::Empty),
            (" \t\n", FenError::Empty),
            ("\"\"", FenError::Empty),
            ("[FEN \"W:W1\"", FenError::Wrapping),
            ("[Event \"W:W18:B1\"]", FenError::Wrapping),
            ("[é\"W:W18:B1\"]", FenError::Wrapping),
            ("\"W:W18:B1", FenError::Wrapping),
            ("X:W18:B1", FenError::Turn),
            (":W18:B1", FenError::Turn),
            ("?:W18:B1", FenError::Turn),
            ("W", FenError::NoPieces),
            ("W18:B1", FenError::NoPieces),
            ("W:", FenError::Color),
            ("W:18:B1", FenError::Color),
            ("W:W21:W22:B1", FenError::Twice),
            ("W:B1:W21:B2", FenError::Twice),
            ("W:W:W21:B1", FenError::Twice),
            ("W:W0:B1", FenError::Square),
            ("W:W33:B1", FenError::Square),
            ("W:W99999999999999999999:B1", FenError::Square),
            ("W:W18,:B1", FenError::Square),
            ("W:W18,é:B1", FenError::Square),
            ("W:WKK18:B1", FenError::Square),
            ("W:W18-:B1", FenError::Square),
            ("W:W18--20:B1", FenError::Square),
            ("W:W-18:B1", FenError::Square),
            ("W:Wa1:Bb2", FenError::Square),
            ("W:W22-21:B1", FenError::Range),
            ("W:W18,18:B1", FenError::Occupied),
            ("W:W18:B18", FenError::Occupied),
            ("W:W18-20:BK19", FenError::Occupied),
            ("W:W1 8:B1", FenError::Separator),
            ("W:W18;B1", FenError::Separator),
            ("W:W18.:B1", FenError::Separator),
            ("W:W18:B1..", FenError::Separator),
            ("W:W18:B1 H0", FenError::Separator),
            ("W:W18:B29", FenError::Setup(SetupError::ManOnCrownRow)),
            ("W:W4:B1", FenError::Setup(SetupError::ManOnCrownRow)),
            ("W:WK1-13:BK32", FenError::Setup(SetupError::TooManyPieces)),
        ] {
            assert_eq!(read(fen), Err(error), "{fen}");
            assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn a_rotated_board_can_be_rotated_back() {
        let rotated = Setup::read("B:W1-12:B21-32").unwrap();
        assert_eq!(Position::set_up(&rotated), Err(SetupError::ManOnCrownRow));
        assert_eq!(Position::set_up(&rotated.rotated()).map(|position| position.fen()), Ok(START_FEN.into()));
        let setup = Setup::read("W:W7,K9:B30,K31").unwrap();
        assert_eq!(setup.rotated().to_string(), "W:WK24,26:BK2,3");
        assert_eq!(setup.rotated().rotated(), setup);
    }
}
