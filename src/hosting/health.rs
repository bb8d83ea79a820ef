//! When an engine that fails is used: a pure value.

use std::time::{Duration, Instant};

/// Failures in a row after which an engine gets a rest.
const MOST_FAILURES: u32 = 4;
/// The first rest; each further one without a success between is twice as long.
const FIRST_REST: Duration = Duration::from_secs(30);
/// The longest rest.
const LONGEST_REST: Duration = Duration::from_secs(480);

/// Recent failures of an engine.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Health {
    /// Failures since the last success or rest.
    failures: u32,
    /// Rests since the last success.
    rests: u32,
    /// When its rest ends.
    resting: Option<Instant>,
}

impl Health {
    /// Returns true if the engine may be used now.
    pub(super) fn is_usable(&self, now: Instant) -> bool {
        self.resting.is_none_or(|until| until <= now)
    }

    /// Records the first failure in a search. Returns how long the engine rests, if a rest begins.
    pub(super) fn failed(&mut self, now: Instant) -> Option<Duration> {
        // Searches that were running fail one after the other.
        if !self.is_usable(now) {
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

    /// Records a search without failure. A rest that has begun meanwhile goes on.
    pub(super) fn succeeded(&mut self, now: Instant) {
        if self.is_usable(now) {
            *self = Health::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_some_failures_in_a_row_it_rests_longer_and_longer() {
        let (mut health, mut now) = (Health::default(), Instant::now());
        for _ in 1..MOST_FAILURES {
            assert_eq!(health.failed(now), None);
        }
        assert!(health.is_usable(now));
        assert_eq!(health.failed(now), Some(FIRST_REST));
        assert!(!health.is_usable(now));
        assert_eq!(health.failed(now), None, "searches that were running");
        let mut last = FIRST_REST;
        for _ in 0..8 {
            now += last;
            assert!(health.is_usable(now));
            let rest = health.failed(now).expect("the first failure is enough");
            assert!(rest == LONGEST_REST || rest == 2 * last);
            last = rest;
        }
        assert_eq!(last, LONGEST_REST);
    }

    #[test]
    fn a_success_resets_the_count() {
        let (mut health, now) = (Health::default(), Instant::now());
        for _ in 0..10 {
            for _ in 1..MOST_FAILURES {
                assert_eq!(health.failed(now), None);
            }
            health.succeeded(now);
        }
        for _ in 0..MOST_FAILURES {
            health.failed(now);
        }
        let later = now + FIRST_REST;
        assert!(health.is_usable(later));
        health.succeeded(now);
        assert!(!health.is_usable(now), "a search that was running");
        health.succeeded(later);
        assert!((1..MOST_FAILURES).all(|_| health.failed(later).is_none()));
    }
}
