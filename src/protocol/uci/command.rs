//! The commands of a GUI.

use super::{Go, MoveWords};
use std::fmt;

/// A command from the GUI.
///
/// [`Command::parse`] reads it from a line, `Display` writes it; parsing what was written gives the same command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Nothing but white space, or a comment that begins with `#`.
    Empty,
    /// `uci`: say who you are, and which options you have.
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: answer at once, also while you search.
    Isready,
    /// `setoption name NAME [value VALUE]`
    Setoption {
        /// The name, with one blank between its words.
        name: String,
        /// The value as it was written, without blanks around; `None` for a button.
        value: Option<String>,
    },
    /// `register …`: what the client says about a licence.
    Register(String),
    /// `ucinewgame`: the next position is of another game.
    Ucinewgame,
    /// `position (startpos | fen FEN) [moves MOVES]`
    Position {
        /// Where the moves begin.
        start: Start,
        /// The moves played from there. Whether they are legal has not been looked at.
        moves: MoveWords,
    },
    /// `go`: search, and answer the best move.
    Go(Box<Go>),
    /// `stop`: answer the best move now.
    Stop,
    /// `ponderhit`: the expected move was played.
    Ponderhit,
    /// `d`: show the position, as Stockfish does.
    D,
    /// `eval`: show the static evaluation, as Stockfish does.
    Eval,
    /// `help`: show the commands, as Stockfish does.
    Help,
    /// `quit`
    Quit,
}

/// The position that a list of moves begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// `startpos`: that of the variant.
    Startpos,
    /// `fen FEN`, with one blank between its fields. Whether that can be has not been looked at.
    Fen(String),
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Empty => Ok(()),
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => f.write_str(if *on { "debug on" } else { "debug off" }),
            Command::Isready => f.write_str("isready"),
            Command::Setoption { name, value } => {
                write!(f, "setoption name {name}")?;
                value.iter().try_for_each(|value| write!(f, " value {value}"))
            }
            Command::Register(what) if what.is_empty() => f.write_str("register"),
            Command::Register(what) => write!(f, "register {what}"),
            Command::Ucinewgame => f.write_str("ucinewgame"),
            Command::Position { start, moves } => {
                write!(f, "position {start}")?;
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {moves}") }
            }
            Command::Go(go) => write!(f, "go{go}"),
            Command::Stop => f.write_str("stop"),
            Command::Ponderhit => f.write_str("ponderhit"),
            Command::D => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Help => f.write_str("help"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Startpos => f.write_str("startpos"),
            Start::Fen(fen) => write!(f, "fen {fen}"),
        }
    }
}
