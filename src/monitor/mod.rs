//! Looking at a server that runs: what its control socket tells, and how that is shown.
//!
//! * [`ask`]: questions to the control socket.
//! * [`Watch`]: what has happened between two answers.
//! * [`table`]: cells in columns.
//! * [`view`]: both as lines of text, for a screen of a given size.

pub mod ask;
pub mod table;
pub mod view;
mod watch;

pub use ask::{AskError, Snapshot};
pub use watch::{Seen, Watch};
