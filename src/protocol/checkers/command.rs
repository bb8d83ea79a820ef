//! The commands of a GUI.

use crate::draughts::{MoveText, Setup};
use std::fmt;
use std::time::Duration;

/// The first words of all commands.
pub(super) const WORDS: [&str; 10] = [
    "INIT",
    "NEWGAME",
    "MOVE",
    "GO",
    "STOP",
    "GETPARAMETERS",
    "GETPARAMETER",
    "SETPARAMETER",
    "GETNAME",
    "QUIT",
];

/// A command from the GUI, in any dialect.
///
/// [`Command::parse`] reads it from a line, `Display` writes it; parsing what was written gives the
/// same command.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// An empty line, as typed by a user.
    Empty,
    /// A command about the game.
    Game(GameCommand),
    /// `STOP`: answer now.
    Stop,
    /// `GETPARAMETERS`
    Getparameters,
    /// `GETPARAMETER NAME`
    Getparameter(String),
    /// `SETPARAMETER NAME VALUE`. The value is text, blanks inside it included.
    Setparameter(String, String),
    /// `GETNAME` (late dialect).
    Getname,
    /// `HELP` or `help`: show the commands. Not sent by GUIs.
    Help,
    /// `QUIT`
    Quit,
}

/// A command about the game, executed in the order of the lines.
#[derive(Clone, PartialEq, Debug)]
pub enum GameCommand {
    /// `INIT`: get ready to play.
    Init,
    /// `NEWGAME [POSITION] [MOVES]`: a game from this position, or from the start position, with
    /// these moves played.
    Newgame {
        /// The pieces on the board, possibly an illegal position; `None` for the start position.
        position: Option<Setup>,
        /// Moves to play from there, possibly illegal.
        moves: Vec<MoveText>,
    },
    /// `MOVE MOVE`: play it, if it is legal.
    Move(MoveText),
    /// `GO`: think, answer the best move and play it.
    Go(Go),
}

/// The arguments of `GO`.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Go {
    /// `dontplaymove`: the best move is answered, not played.
    pub dont_play_move: bool,
    /// `maxdepth PLIES` (late dialect); at least 1.
    pub max_depth: Option<u8>,
    /// `maxtime SECONDS` (late dialect).
    pub max_time: Option<Duration>,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Empty => Ok(()),
            Command::Game(command) => command.fmt(f),
            Command::Stop => f.write_str("STOP"),
            Command::Getparameters => f.write_str("GETPARAMETERS"),
            Command::Getparameter(name) => write!(f, "GETPARAMETER {name}"),
            Command::Setparameter(name, value) => write!(f, "SETPARAMETER {name} {value}"),
            Command::Getname => f.write_str("GETNAME"),
            Command::Help => f.write_str("HELP"),
            Command::Quit => f.write_str("QUIT"),
        }
    }
}

impl fmt::Display for GameCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameCommand::Init => f.write_str("INIT"),
            GameCommand::Newgame { position, moves } => {
                f.write_str("NEWGAME")?;
                position.iter().try_for_each(|position| write!(f, " {position}"))?;
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            GameCommand::Move(mv) => write!(f, "MOVE {mv}"),
            GameCommand::Go(go) => write!(f, "GO{go}"),
        }
    }
}

/// With a blank before each argument.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.max_depth.iter().try_for_each(|depth| write!(f, " maxdepth {depth}"))?;
        self.max_time.iter().try_for_each(|time| write!(f, " maxtime {}", time.as_secs_f64()))?;
        if self.dont_play_move { f.write_str(" dontplaymove") } else { Ok(()) }
    }
}
