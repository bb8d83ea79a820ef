//! The Universal Chess Interface (text of April 2006), with what engines and GUIs have added since.
//!
//! * [`Command`]: what a GUI says, parsed from a line and printed as one.
//! * [`Reply`]: what the engine says. A reply is always one complete line that no GUI misreads.
//!
//! Neither knows a session: whether a move is legal now is the session's affair.

mod command;
mod go;
mod info;
mod moves;
mod notation;
mod option;
mod parse;
mod plain;
#[cfg(test)]
mod properties;
mod reply;

pub use command::{Command, Start};
pub use go::Go;
pub use info::{Bound, CurrentMove, Info, Score, Wdl};
pub use moves::MoveWords;
pub use notation::{VariantChoice, move_text};
pub use option::{OptionDeclaration, OptionKind};
pub use parse::CommandError;
pub use reply::Reply;

pub use super::first_line::is_uci as is_spoken;

/// The longest line of a client in bytes: the moves of the longest games fit in, at five bytes for each ply.
pub const MAX_LINE: usize = 65_536;
