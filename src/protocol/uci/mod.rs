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

/// The longest line of a client in bytes: the moves of the longest games fit in, at five bytes for each ply.
pub const MAX_LINE: usize = 65_536;

/// Whether a first line is of this protocol: `uci`, or what a person may begin with who types or pipes commands. In no other
/// protocol does a session begin with any of these; xboard's `go` takes nothing.
pub fn is_spoken(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    match words.next() {
        Some(b"uci" | b"isready" | b"ucinewgame" | b"setoption" | b"position" | b"d" | b"eval") => true,
        Some(b"go") => words.next().is_some(),
        _ => false,
    }
}
