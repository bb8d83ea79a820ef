//! The protocol of xboard and WinBoard ("Chess Engine Communication Protocol", versions 1 and 2).
//!
//! * [`Command`]: what a GUI says, parsed from a line and printed as one.
//! * [`Reply`]: what the engine says. A reply is always one complete line that no GUI misreads.
//!
//! Neither knows a session: whether a command is legal now is the session's affair.

mod arguments;
mod command;
mod display;
mod edit;
mod feature;
mod move_text;
mod parse;
mod plain;
#[cfg(test)]
mod properties;
mod reply;
mod thinking;

pub use arguments::{GameResult, Level, Rating, RootMoves};
pub use command::{Command, CommandError, Problem};
pub use edit::EditCommand;
pub use feature::{Feature, OptionDeclaration, OptionKind};
pub use move_text::looks_like_a_move;
pub use reply::{ErrorReason, IllegalReason, Reply};
pub use thinking::{Stat01, ThinkingLine};
