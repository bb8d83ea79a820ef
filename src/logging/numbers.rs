//! How many lines were not written.

use crate::metrics::{Counters, labels};
use std::sync::LazyLock;

/// Why a line was not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DropCause {
    /// There were many of its kind, which one line sums up.
    Repeated,
    /// The log is not read as fast as it grows.
    Full,
}

labels!(DropCause {
    Repeated => "repeated",
    Full => "full",
});

/// Lines of the log that were not written. The log belongs to the process, and so do these.
pub fn dropped() -> &'static Counters<DropCause> {
    static DROPPED: LazyLock<Counters<DropCause>> = LazyLock::new(Counters::default);
    &DROPPED
}
