//! The protocol of xboard and WinBoard ("Chess Engine Communication Protocol", versions 1 and 2).
//!
//! * [`Command`]: a command of a GUI, parsed from a line and printed as one.
//! * [`Reply`]: a reply of the engine: one complete line that no GUI misreads.
//!
//! Neither depends on a session: whether a command is legal now is decided there.

mod argument;
mod arrangement;
mod command;
mod display;
mod edit;
mod feature;
mod holding;
mod kind;
mod move_text;
mod notation;
mod parse;
mod partner_notice;
mod partner_talk;
mod plain;
#[cfg(test)]
mod properties;
mod reply;
mod thinking;
#[cfg(test)]
mod xboard_model;

pub use argument::{ArgumentError, Level, Rating, RootMoves};
pub use arrangement::{Arrangement, Wing};
pub use command::{Command, CommandError};
pub use edit::EditCommand;
pub use feature::Feature;
pub use holding::{Hand, Holding};
pub(crate) use kind::CommandKind;
pub use move_text::looks_like_a_move;
pub(crate) use notation::is_known_to_xboard;
pub use notation::{move_text, variant_name, variant_named};
pub use partner_notice::PartnerNotice;
pub use partner_talk::PartnerTalk;
pub use reply::{BookEntry, ErrorReason, Reply};
pub use thinking::{BookLine, Columns, Stat01, ThinkingLine};
#[cfg(test)]
pub(crate) use xboard_model::{Reading, xboard_reads};
