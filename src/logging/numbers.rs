//! Counters of dropped lines.

use crate::metrics::{Counters, labels};
use std::sync::LazyLock;

/// Reason for dropping a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DropCause {
    /// Too many of its kind; one line gives their number.
    Repeated,
    /// The log's reader is too slow.
    Full,
}

labels!(DropCause {
    Repeated => "repeated",
    Full => "full",
});

/// Returns the process-wide counters of dropped lines.
pub fn dropped() -> &'static Counters<DropCause> {
    static DROPPED: LazyLock<Counters<DropCause>> = LazyLock::new(Counters::default);
    &DROPPED
}
