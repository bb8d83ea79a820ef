//! Monitoring of a running server through its control socket.
//!
//! * [`ask`]: requests to the control socket, which it finds if none is named.
//! * [`Watch`]: rates between two snapshots.
//! * [`table`]: cells in columns.
//! * [`view`]: text for a screen of a given size.

pub mod ask;
pub mod table;
pub mod view;
mod watch;

pub use ask::{AskError, Snapshot};
pub use watch::{Seen, Watch};
