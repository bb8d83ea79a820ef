//! The subcommands of `edit`, which mean something only between `edit` and `.`.

use crate::chess::{Role, Square};

/// A line of an `edit` block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditCommand {
    /// `c`: from now on the pieces are of the other side.
    Color,
    /// `#`: empty the board.
    Clear,
    /// `Pa4`: put a piece on a square.
    Place(Role, Square),
    /// `xa4`: empty a square.
    Empty(Square),
    /// `.`: that is all.
    Leave,
    /// Anything else.
    Unknown(String),
}

impl EditCommand {
    /// Reads a line of an `edit` block. A `+` behind a piece (`Pa4+`), which some GUIs use to say that
    /// it has not moved yet, is understood and means nothing.
    pub fn parse(line: &[u8]) -> EditCommand {
        let text = String::from_utf8_lossy(line).replace(char::is_control, " ");
        let text = text.trim();
        match text {
            "c" => EditCommand::Color,
            "#" => EditCommand::Clear,
            "." => EditCommand::Leave,
            _ => placed(text).unwrap_or_else(|| EditCommand::Unknown(text.to_owned())),
        }
    }
}

fn placed(text: &str) -> Option<EditCommand> {
    let text = text.strip_suffix('+').unwrap_or(text);
    let [letter, file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text.as_bytes() else { return None };
    let square = Square::at(file - b'a', rank - b'1');
    match letter {
        b'x' => Some(EditCommand::Empty(square)),
        letter => Role::from_letter(char::from(*letter)).map(|role| EditCommand::Place(role, square)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subcommands_of_the_specification() {
        let a4 = Square::at(0, 3);
        assert_eq!(EditCommand::parse(b"c"), EditCommand::Color);
        assert_eq!(EditCommand::parse(b"#"), EditCommand::Clear);
        assert_eq!(EditCommand::parse(b" . "), EditCommand::Leave);
        assert_eq!(EditCommand::parse(b"Pa4"), EditCommand::Place(Role::Pawn, a4));
        assert_eq!(EditCommand::parse(b"Pa4+"), EditCommand::Place(Role::Pawn, a4));
        assert_eq!(EditCommand::parse(b"xa4"), EditCommand::Empty(a4));
        assert_eq!(EditCommand::parse(b"Pa9"), EditCommand::Unknown("Pa9".into()));
    }
}
