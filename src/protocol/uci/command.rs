//! The commands of a GUI.

use super::{Go, MoveWords};
use std::fmt;

/// A command from the GUI.
///
/// [`Command::parse`] reads it from a line, `Display` writes it; parsing what was written gives the
/// same command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Nothing but white space, or a comment that begins with `#`.
    Empty,
    /// `uci`: identify the engine and declare its options.
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: answer at once, also during a search.
    Isready,
    /// `setoption name NAME [value VALUE]`
    Setoption {
        /// The name, with one blank between its words.
        name: String,
        /// The value as written, without blanks around; `None` for a button.
        value: Option<String>,
    },
    /// `register …`: licence data of the client.
    Register(String),
    /// `ucinewgame`: the next position is of another game.
    Ucinewgame,
    /// `position (startpos | fen FEN) [moves MOVES]`
    Position {
        /// The position before the moves.
        start: Start,
        /// The moves played from there, possibly illegal.
        moves: MoveWords,
    },
    /// `go`: search, and answer with the best move.
    Go(Box<Go>),
    /// `stop`: answer with the best move now.
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

/// The position before a list of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// `startpos`: the start position of the variant.
    Startpos,
    /// `fen FEN`, with one blank between its fields; possibly an illegal position.
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
