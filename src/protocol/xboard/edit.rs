//! The subcommands of `edit`, which are commands only between `edit` and `.`.

use super::Wing;
use crate::chess::{Color, Role, Square};
use std::fmt;

/// A line of an `edit` block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditCommand {
    /// `c`: the next pieces are of the other side.
    Color,
    /// `#`: empty the board.
    Clear,
    /// `Pa4`: put a piece on a square; with a `+` (`Pa4+`, the minimal text) a promoted one, which
    /// differs only in variants where it becomes a pawn again when captured.
    Place {
        /// The piece.
        role: Role,
        /// Its square.
        square: Square,
        /// Whether it was a pawn.
        promoted: bool,
    },
    /// `xa4`: empty a square.
    Empty(Square),
    /// `castle +w00`, `castle -b000`: a castling right (ChessBase).
    Castle {
        /// The side with the right.
        color: Color,
        /// `00` or `000`.
        wing: Wing,
        /// Whether castling is allowed: `+` or `-`.
        allowed: bool,
    },
    /// `ep d6`: a pawn can be captured there en passant (ChessBase).
    EnPassant(Square),
    /// `.`: end of the edit.
    Leave,
    /// Anything else.
    Unknown(String),
}

impl EditCommand {
    /// Reads a line of an `edit` block.
    pub fn parse(line: &[u8]) -> EditCommand {
        let text = String::from_utf8_lossy(line).replace(char::is_control, " ");
        let text = text.trim();
        match text {
            "c" => EditCommand::Color,
            "#" => EditCommand::Clear,
            "." => EditCommand::Leave,
            _ => placed(text).or_else(|| told(text)).unwrap_or_else(|| EditCommand::Unknown(text.to_owned())),
        }
    }
}

fn placed(text: &str) -> Option<EditCommand> {
    let (man, promoted) = text.strip_suffix('+').map_or((text, false), |man| (man, true));
    let mut letters = man.chars();
    let letter = letters.next()?;
    let square = Square::parse(letters.as_str())?;
    match letter {
        'x' if !promoted => Some(EditCommand::Empty(square)),
        letter => Role::from_letter(letter).map(|role| EditCommand::Place { role, square, promoted }),
    }
}

fn told(text: &str) -> Option<EditCommand> {
    let (word, argument) = text.split_once(' ')?;
    let argument = argument.trim_start();
    if word == "ep" {
        return Square::parse(argument).map(EditCommand::EnPassant);
    }
    if word != "castle" {
        return None;
    }
    let (allowed, rest) = match argument.split_at_checked(1)? {
        ("+", rest) => (true, rest),
        ("-", rest) => (false, rest),
        _ => return None,
    };
    let (color, wing) = match rest {
        "w00" => (Color::White, Wing::King),
        "w000" => (Color::White, Wing::Queen),
        "b00" => (Color::Black, Wing::King),
        "b000" => (Color::Black, Wing::Queen),
        _ => return None,
    };
    Some(EditCommand::Castle { color, wing, allowed })
}

impl fmt::Display for EditCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditCommand::Color => f.write_str("c"),
            EditCommand::Clear => f.write_str("#"),
            EditCommand::Leave => f.write_str("."),
            EditCommand::Place { role, square, promoted } => {
                write!(f, "{}{square}{}", role.letter(), if *promoted { "+" } else { "" })
            }
            EditCommand::Empty(square) => write!(f, "x{square}"),
            EditCommand::Castle { color, wing, allowed } => {
                let side = if *color == Color::White { 'w' } else { 'b' };
                let zeros = if *wing == Wing::King { "00" } else { "000" };
                write!(f, "castle {}{side}{zeros}", if *allowed { '+' } else { '-' })
            }
            EditCommand::EnPassant(square) => write!(f, "ep {square}"),
            EditCommand::Unknown(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_subcommands_of_the_specifications() {
        let square = Square::at(0, 3);
        let pawn = |promoted| EditCommand::Place { role: Role::Pawn, square, promoted };
        assert_eq!(EditCommand::parse(b"c"), EditCommand::Color);
        assert_eq!(EditCommand::parse(b"#"), EditCommand::Clear);
        assert_eq!(EditCommand::parse(b" . "), EditCommand::Leave);
        assert_eq!(EditCommand::parse(b"Pa4"), pawn(false));
        assert_eq!(EditCommand::parse(b"Pa4+"), pawn(true));
        assert_eq!(EditCommand::parse(b"xa4"), EditCommand::Empty(square));
        let castle = |color, wing, allowed| EditCommand::Castle { color, wing, allowed };
        assert_eq!(EditCommand::parse(b"castle +w00"), castle(Color::White, Wing::King, true));
        assert_eq!(EditCommand::parse(b"castle -b000"), castle(Color::Black, Wing::Queen, false));
        assert_eq!(EditCommand::parse(b"ep d6"), EditCommand::EnPassant(Square::at(3, 5)));
        for text in ["Pa9", "xa4+", "castle w00", "castle +w0", "castle", "ep", "ep x", "castle \u{e9}"] {
            assert_eq!(EditCommand::parse(text.as_bytes()), EditCommand::Unknown(text.into()));
        }
    }

    proptest! {
        #[test]
        fn edit_commands_are_read_and_written_again(
            line in "(c|#|\\.|x|ep |castle |castle [+-][wb]0{2,3}|[PNBRQKpx])?([a-i][0-9])?\\+?( |\\PC{0,6})"
        ) {
            let command = EditCommand::parse(line.as_bytes());
            prop_assert_eq!(EditCommand::parse(command.to_string().as_bytes()), command);
        }
    }
}
