//! Load of a pool, for the server's operator.

use super::{Class, JobId, Pool};
use std::time::{Duration, Instant};

/// Load of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// Number of run tokens.
    pub tokens: usize,
    /// Searches that hold a token.
    pub running: usize,
    /// Searches that wait for a token, without helpers.
    pub waiting: usize,
    /// All searches by class, in order of priority: running, suspended, held, and not yet started.
    pub by_class: [(Class, usize); Class::ALL.len()],
    /// Number of threads.
    pub threads: usize,
}

impl Pool {
    /// Returns the current load.
    pub fn occupancy(&self) -> Occupancy {
        let state = self.shared.lock();
        let states = state.scheduler.states();
        Occupancy {
            tokens: state.scheduler.tokens(),
            running: state.scheduler.running(),
            waiting: states.iter().filter(|(class, _)| *class != Class::Help).map(|(_, of)| of.waiting).sum(),
            by_class: states.map(|(class, of)| (class, of.running + of.waiting + of.held)),
            threads: state.threads.len(),
        }
    }

    /// Returns the time for which a search has been waiting for a token; `None` if it is not
    /// waiting.
    pub fn waiting(&self, job: JobId, now: Instant) -> Option<Duration> {
        let since = self.shared.lock().scheduler.waits_since(job)?;
        Some(now.saturating_duration_since(since))
    }

    /// Returns the total time for which a search has held a token; `None` if it does not exist.
    pub fn ran(&self, job: JobId, now: Instant) -> Option<Duration> {
        self.shared.lock().scheduler.ran(job, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::tests::{ENDLESS, Harness, TIMEOUT};

    #[test]
    fn who_has_no_token_waits() {
        let harness = Harness::new(1, 4);
        let jobs = [1, 2].map(|owner| harness.start(owner, ENDLESS, Class::Analysis, None));
        let first = harness.start(3, ENDLESS, Class::Clock, None);
        let deadline = Instant::now() + TIMEOUT;
        let waits = |job| harness.pool.waiting(job, Instant::now() + Duration::from_millis(7));
        // The clock search gets the token as soon as the analysis has noticed.
        while waits(first).is_some() {
            assert!(Instant::now() < deadline);
            std::thread::yield_now();
        }
        assert!(jobs.iter().all(|&job| waits(job) >= Some(Duration::from_millis(7))));
        let occupancy = harness.pool.occupancy();
        assert_eq!((occupancy.tokens, occupancy.running, occupancy.waiting), (1, 1, 2));
        let count = |class| occupancy.by_class.iter().find(|&&(of, _)| of == class).map(|&(_, count)| count);
        assert_eq!((count(Class::Clock), count(Class::Analysis)), (Some(1), Some(2)));
        assert!(occupancy.threads >= 1);
        harness.pool.hold(jobs[0]);
        assert_eq!(waits(jobs[0]), None, "it wants nothing");
        jobs.iter().chain([&first]).for_each(|&job| harness.pool.stop(job));
        assert_eq!(waits(jobs[1]), None);
    }
}
