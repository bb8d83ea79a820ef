//! The result of a replay.

use super::compared_line::LineCounts;
use std::fmt;

/// The result of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Lines as in the record.
    pub agree: LineCounts,
    /// Lines that differ, are missing, or are not in the record.
    pub differ: LineCounts,
    /// Why the replay ended early.
    pub stopped: Option<String>,
}

impl Verdict {
    /// Returns true if everything is as in the record.
    pub fn agrees(&self) -> bool {
        self.differ == LineCounts::default() && self.stopped.is_none()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.stopped {
            writeln!(f, "{reason}. The rest of the record was not replayed.")?;
        }
        if self.agrees() {
            write!(f, "The answers agree with the record: {}.", self.agree)
        } else {
            write!(f, "The answers differ from the record in {}; {} agree.", self.differ, self.agree)
        }
    }
}
