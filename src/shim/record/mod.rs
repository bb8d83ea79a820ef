//! `--record`: a readable log of the session, which `farboard replay` repeats.
//!
//! The first line names the format. Every other line is `SECONDS.MILLISECONDS`, a blank, a mark, a blank and
//! a text:
//!
//! | mark | text |
//! |---|---|
//! | `>` | a line of the client |
//! | `+` | a line that the shim sent for the client: the options in its command line |
//! | `<` | a line that the client got |
//! | `#` | an event of the connection |
//! | `>>`, `<<` | the beginning of a line that is too long for one; the rest follows with the same mark |
//!
//! `write` makes a record during a session, `read` accepts any file.

mod read;
mod write;

pub use read::{Flaw, Record, RecordEntry, RecordError, RecordEvent};
pub use write::Recorder;

/// The first line of a record.
pub const HEADER: &str = "# farboard-connect record 1";

/// Maximum length in bytes of a line; a longer one is written in parts.
const MAX_LINE: usize = 64 * 1024;
