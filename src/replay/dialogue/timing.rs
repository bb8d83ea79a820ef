//! The times of a replay, beside the times in its record.

use std::time::{Duration, Instant};

/// Time limit for an answer besides twice its time in the record; also for the end of the session.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum pause in a record that is repeated.
const MAX_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);

/// When to send the client's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As soon as everything before them in the record has come. Only a `stop` waits for as long as
    /// it did in the record.
    Fast,
    /// The same, but not before their time in the record. A late answer delays everything that
    /// follows.
    Recorded,
}

/// The progress of a replay.
pub(super) struct Timing {
    pub(super) pace: Pace,
    began: Instant,
    /// Delay behind the record.
    late: Duration,
    /// Time in the record reached so far.
    at: Duration,
    /// When it was reached.
    reached: Instant,
}

impl Timing {
    pub(super) fn new(pace: Pace, now: Instant) -> Timing {
        Timing { pace, began: now, late: Duration::ZERO, at: Duration::ZERO, reached: now }
    }

    /// Notes that the replay has come to this time in the record.
    pub(super) fn reach(&mut self, at: Duration, now: Instant) {
        (self.at, self.reached) = (at, now);
    }

    /// Notes that the answer with this time in the record has come, or is not awaited any more.
    pub(super) fn reach_answer(&mut self, at: Duration, now: Instant) {
        self.reach(at, now);
        self.late = self.late.max(now.saturating_duration_since(self.began).saturating_sub(at));
    }

    /// Returns when the client's line with this time in the record is due. At full speed only one
    /// that ends a search waits.
    pub(super) fn due(&self, at: Duration, ends_search: bool, now: Instant) -> Instant {
        let pause = at.saturating_sub(self.at).min(MAX_PAUSE);
        match self.pace {
            Pace::Fast if ends_search => self.reached.checked_add(pause),
            Pace::Fast => Some(now),
            Pace::Recorded => self.began.checked_add((at + self.late).min(self.at + self.late + MAX_PAUSE)),
        }
        .unwrap_or(now)
    }

    /// Returns when an answer with this time in the record is overdue.
    pub(super) fn deadline(&self, at: Option<Duration>, now: Instant) -> Instant {
        now + ANSWER_TIMEOUT + 2 * at.unwrap_or(self.at).saturating_sub(self.at).min(MAX_PAUSE)
    }
}
