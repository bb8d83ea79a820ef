//! Monitoring of a running server: what its control socket tells, and how that is shown.
//!
//! * [`ask`]: requests to the control socket.
//! * [`find`]: the server that is meant if none is named.
//! * [`Watch`]: rates between two answers.
//! * [`table`]: cells in columns.
//! * [`view`]: text for a screen of a given size.

pub mod ask;
pub mod find;
pub mod table;
pub mod view;
mod watch;

pub use ask::{AskError, Snapshot};
pub use watch::{Seen, Watch};
