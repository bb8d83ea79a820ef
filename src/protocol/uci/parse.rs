//! Lines to commands.

use super::command::{Command, Start};
use super::{Go, MoveWords};
use crate::protocol::plain::echo;

/// The most characters of an echo of the client's own words.
const MAX_ECHO: usize = 60;

/// The reason that a line is not a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is a command; the first word.
    #[error("unknown command: {}", echo(.0, MAX_ECHO))]
    Unknown(String),
    /// Something is missing after this command.
    #[error("{0} needs {1}")]
    Missing(&'static str, &'static str),
    /// A word of `go` is not followed by a number; the word, and what follows it, if anything.
    #[error("a number must follow {word} of go{}", found(.1), word = .0)]
    Number(&'static str, String),
    /// The argument of `debug` is neither `on` nor `off`.
    #[error("debug is on or off: {}", echo(.0, MAX_ECHO))]
    Debug(String),
    /// Something between `startpos` and `moves`.
    #[error("moves must follow startpos, not {}", echo(.0, MAX_ECHO))]
    Position(String),
}

impl CommandError {
    /// Returns true if the line was a `go`, to which a best move is due.
    pub fn is_of_go(&self) -> bool {
        matches!(self, CommandError::Number(..))
    }

    /// Returns true if the line was a `position`, so that the last position no longer counts.
    pub(crate) fn is_of_position(&self) -> bool {
        matches!(self, CommandError::Position(_) | CommandError::Missing("position", _))
    }
}

/// A word found in the wrong place, if any, for a message.
fn found(word: &str) -> String {
    if word.is_empty() { String::new() } else { format!(": {}", echo(word, MAX_ECHO)) }
}

impl Command {
    /// Reads a line (without its line end, of any bytes). White space is blanks, tabs, CR and form
    /// feeds in any number. Superfluous arguments are ignored.
    ///
    /// # Errors
    /// The line is not a command, or has an invalid argument.
    pub fn parse(line: &[u8]) -> Result<Command, CommandError> {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_ascii();
        match first_word(line) {
            ("", _) => return Ok(Command::Empty),
            (word, _) if word.starts_with('#') => return Ok(Command::Empty),
            // Too short to be recognised after unknown words.
            ("d", _) => return Ok(Command::D),
            ("eval", _) => return Ok(Command::Eval),
            ("help", _) => return Ok(Command::Help),
            _ => {}
        }
        // "Unknown tokens should be ignored" up to the first known one.
        let mut rest = line;
        while !rest.is_empty() {
            let (word, behind) = first_word(rest);
            if let Some(command) = command(word, behind) {
                return command;
            }
            rest = behind;
        }
        Err(CommandError::Unknown(first_word(line).0.to_owned()))
    }
}

/// Reads the command with this word; `None` if there is none.
fn command(word: &str, rest: &str) -> Option<Result<Command, CommandError>> {
    Some(match word {
        "uci" => Ok(Command::Uci),
        "debug" => match first_word(rest).0 {
            "on" => Ok(Command::Debug(true)),
            "off" => Ok(Command::Debug(false)),
            other => Err(CommandError::Debug(other.to_owned())),
        },
        "isready" => Ok(Command::Isready),
        "setoption" => setoption(rest),
        "register" => Ok(Command::Register(rest.to_owned())),
        "ucinewgame" => Ok(Command::Ucinewgame),
        "position" => position(rest),
        "go" => Go::parse(rest.split_ascii_whitespace()).map(|go| Command::Go(Box::new(go))),
        "stop" => Ok(Command::Stop),
        "ponderhit" => Ok(Command::Ponderhit),
        "quit" => Ok(Command::Quit),
        _ => return None,
    })
}

/// Splits off the first word; the rest has no blanks around. The text does not begin with a blank.
fn first_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
    (word, rest.trim_ascii())
}

/// Reads the arguments of `setoption`. Names and values may contain blanks; the first word `value`
/// ends the name.
fn setoption(rest: &str) -> Result<Command, CommandError> {
    let (word, mut rest) = first_word(rest);
    if word != "name" {
        return Err(CommandError::Missing("setoption", "name and the name of an option"));
    }
    let (mut name, mut value) = (String::new(), None);
    while !rest.is_empty() {
        let (word, behind) = first_word(rest);
        if word == "value" && !name.is_empty() {
            value = Some(behind.to_owned());
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
        rest = behind;
    }
    if name.is_empty() {
        return Err(CommandError::Missing("setoption", "the name of an option"));
    }
    Ok(Command::Setoption { name, value })
}

fn position(rest: &str) -> Result<Command, CommandError> {
    let (word, rest) = first_word(rest);
    let (before, moves) = before_moves(rest);
    let start = match word {
        "startpos" if before.is_empty() => Start::Startpos,
        "startpos" => return Err(CommandError::Position(before)),
        "fen" if before.is_empty() => return Err(CommandError::Missing("position", "a FEN after fen")),
        "fen" => Start::Fen(before),
        _ => return Err(CommandError::Missing("position", "startpos, or fen and a FEN")),
    };
    Ok(Command::Position { start, moves: MoveWords::read(moves) })
}

/// Returns the words before the word `moves`, with one blank between them, and the text after it.
fn before_moves(mut rest: &str) -> (String, &str) {
    let mut before = String::new();
    while !rest.is_empty() {
        let (word, behind) = first_word(rest);
        rest = behind;
        if word == "moves" {
            break;
        }
        if !before.is_empty() {
            before.push(' ');
        }
        before.push_str(word);
    }
    (before, rest)
}
