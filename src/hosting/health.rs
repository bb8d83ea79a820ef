//! Whether an engine that fails is still asked. A pure value.

use std::time::{Duration, Instant};

/// Failures in a row after which an engine gets a rest.
const MOST_FAILURES: u32 = 4;
/// The first rest; each further one without a success between is twice as long.
const FIRST_REST: Duration = Duration::from_secs(30);
/// The longest rest.
const LONGEST_REST: Duration = Duration::from_secs(480);

/// How an engine has done of late.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Health {
    /// Failures since the last success or rest.
    failures: u32,
    /// Rests since the last success.
    rests: u32,
    /// It is not asked before.
    resting: Option<Instant>,
}

impl Health {
    /// Whether it may be asked now.
    pub fn is_asked(&self, now: Instant) -> bool {
        self.resting.is_none_or(|until| until <= now)
    }

    /// It has failed. Returns how long it rests, if it does from now on.
    pub fn failed(&mut self, now: Instant) -> Option<Duration> {
        // Searches that were going on fail one after the other.
        if !self.is_asked(now) {
            return None;
        }
        self.failures += 1;
        // After a rest the first failure is enough.
        if self.failures < MOST_FAILURES && self.rests == 0 {
            return None;
        }
        let rest = (FIRST_REST * (1 << self.rests.min(8))).min(LONGEST_REST);
        self.rests += 1;
        self.failures = 0;
        self.resting = now.checked_add(rest);
        Some(rest)
    }

    /// It has done a search.
    pub fn succeeded(&mut self) {
        if self.resting.is_none() || self.failures > 0 {
            self.failures = 0;
        }
        if self.rests > 0 {
            self.rests -= 1;
        }
        self.resting = None;
    }
}
