//! How a replay went.

use super::answer::Count;
use std::fmt;

/// What came of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Answers as in the record.
    pub agree: Count,
    /// Answers that are not, are missing, or are not in the record at all.
    pub differ: Count,
    /// Why the replay ended before the record did.
    pub stopped: Option<String>,
}

impl Verdict {
    /// Whether all is as in the record.
    pub fn agrees(&self) -> bool {
        self.differ == Count::default() && self.stopped.is_none()
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
