//! The Checkers Protocol: English draughts over lines of words, in two dialects.
//!
//! * [`Command`]: a command of a GUI, parsed from a line and printed as one.
//! * [`Reply`]: a reply of the engine: one complete line that no GUI misreads.
//! * [`Value`], [`ParameterType`]: parameters of an engine, as they are named and written.
//!
//! None depends on a session: whether a move is legal now is decided there.

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

/// The longest line of a client in bytes: enough for the moves of the longest games. Later texts of
/// the protocol allow as much.
pub const MAX_LINE: usize = 65_536;

/// The alert to a `GO` that comes too early. The shim recognises this one and the next ones.
pub(crate) const STILL_THINKING: &str = "it still thinks about its move";
/// The alert to a `GO` of a game that is over.
pub(crate) const GAME_OVER: &str = "the game is over: the side on move cannot move";
/// The alert to a command that comes while too many wait, and to later ones of the same game.
pub(crate) const MUCH_WAITS: &str =
    "much waits already: no move and no search is taken until the next NEWGAME";
/// The alert to a `GO` for which no move was found.
pub(crate) const NO_MOVE_FOUND: &str = "a defect of the engine: it has found no move";
/// The alert to an unknown parameter.
pub(crate) const NO_PARAMETER: &str = "there is no such parameter";
/// The replies that differ between the programs of this protocol.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "server", derive(serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Dialect {
    /// The text of August 2024: `PARAMETERS name type …`, `PARAMETER name value`.
    #[default]
    Seed,
    /// The text since October 2024: `PARAMETERS name …`, `PARAMETER name type value`, `BESTMOVE
    /// none`.
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

/// Returns true if a line begins with a command of this protocol. No other protocol has any of
/// these words.
pub(crate) fn is_spoken(line: &[u8]) -> bool {
    let word = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty());
    word.is_some_and(|word| command::WORDS.iter().any(|known| known.as_bytes() == word))
}
