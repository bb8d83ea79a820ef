//! Counters of dropped lines.

use crate::metrics::{Counters, labels};
use std::sync::LazyLock;

labels! {
    /// Reason for dropping a line.
    pub enum DropCause {
        /// Too many of its kind; one line gives their number.
        Repeated = "repeated",
        /// The log's reader is too slow.
        Full = "full",
    }
}

/// Returns the process-wide counters of dropped lines.
pub fn dropped() -> &'static Counters<DropCause> {
    static DROPPED: LazyLock<Counters<DropCause>> = LazyLock::new(Counters::default);
    &DROPPED
}
