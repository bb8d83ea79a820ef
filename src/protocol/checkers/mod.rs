//! The Checkers Protocol: English draughts over lines of words, of which two dialects are spoken.
//!
//! * [`Command`]: what a GUI says, parsed from a line and printed as one.
//! * [`Reply`]: what the engine says. A reply is always one complete line that no GUI misreads.
//! * [`Value`], [`ParameterType`]: parameters of an engine, as they are named and written.
//!
//! Neither knows a session: whether a move is legal now is the session's affair.

mod command;
mod parameter;
mod parse;
mod plain;
#[cfg(test)]
mod properties;
mod reply;

pub use command::{Command, GameCommand, Go};
pub use parameter::{MAX_TEXT_CHARS, ParameterType, Value, ValueError};
pub use parse::CommandError;
pub use reply::{Info, Progress, Reply};

use std::str::FromStr;

/// The longest line of a client in bytes: set-up moves of the longest games fit in. Later texts of the protocol allow as
/// much.
pub const MAX_LINE: usize = 65_536;

/// The alert to a `GO` that comes too early. The shim recognises it, as those that follow.
pub const STILL_THINKING: &str = "it still thinks about its move";
/// The alert to a `GO` of a game that is over.
pub const GAME_OVER: &str = "the game is over: the side on move cannot move";
/// The alert to a command that comes while too much waits already, and to those that follow it in the same game.
pub const MUCH_WAITS: &str = "much waits already: no move and no search is taken until the next NEWGAME";
/// The alert to a `GO` that has brought no move.
pub const NO_MOVE_FOUND: &str = "a defect of the engine: it has found no move";
/// The alert to a question for a parameter that there is not.
pub const NO_PARAMETER: &str = "there is no such parameter";
/// The answers that differ between the programs of this protocol.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "server", derive(serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Dialect {
    /// The text of August 2024: `PARAMETERS name type …`, `PARAMETER name value`.
    #[default]
    Seed,
    /// The text since October 2024: `PARAMETERS name …`, `PARAMETER name type value`, `BESTMOVE none`.
    Late,
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(word: &str) -> Result<Dialect, String> {
        match word {
            "seed" => Ok(Dialect::Seed),
            "late" => Ok(Dialect::Late),
            _ => Err(format!("there is no dialect {word:?}: it is seed or late")),
        }
    }
}

/// Whether a line begins with a command of this protocol. No other protocol has any of these words.
pub fn is_spoken(line: &[u8]) -> bool {
    let word = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty());
    word.is_some_and(|word| command::WORDS.iter().any(|known| known.as_bytes() == word))
}
