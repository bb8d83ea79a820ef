//! The Universal Chess Interface (text of April 2006), with later additions of engines and GUIs.
//!
//! * [`Command`]: a command of a GUI, parsed from a line and printed as one.
//! * [`Reply`]: a reply of the engine: one complete line that no GUI misreads.
//!
//! Neither depends on a session: whether a move is legal now is decided there.

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
pub use parse::CommandError;
pub use reply::Reply;

pub(crate) use super::first_line::is_uci as is_spoken;

/// The longest line of a client in bytes: enough for the moves of the longest games, at five bytes
/// a ply.
pub const MAX_LINE: usize = 65_536;
