//! `--record`: a log of the session that a person can read, and that `farboard replay` runs again.
//!
//! The first line names the format. Every other is `SECONDS.MILLISECONDS`, a blank, a mark, a blank and a
//! text:
//!
//! | mark | text |
//! |---|---|
//! | `>` | a line of the client |
//! | `+` | a line that the shim said for the client: the options in its command line |
//! | `<` | a line that the client got |
//! | `#` | what happened to the connection |
//! | `>>`, `<<` | the beginning of a line that is too long for one; the rest follows under the same mark |
//!
//! `write` makes one while a session lasts, `read` takes whatever is in a file.

mod read;
mod write;

pub use read::{Entry, Event, Flaw, Record, RecordError};
pub use write::Recorder;

/// The first line of a record.
pub const HEADER: &str = "# farboard-connect record 1";

/// A line longer than that is written in parts, in bytes.
const LONGEST_LINE: usize = 64 * 1024;
