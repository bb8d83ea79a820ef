//! What a pool is doing, for whoever looks after the server.

use super::{Class, JobId, Pool};
use std::time::{Duration, Instant};

/// How a pool is occupied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// Run tokens.
    pub tokens: usize,
    /// Searches that hold one.
    pub running: usize,
    /// All searches: those that run, that are suspended or held, and that have not started.
    pub searches: usize,
    /// The same by class, those that go first first.
    pub by_class: [(Class, usize); Class::ALL.len()],
    /// Threads.
    pub threads: usize,
}

impl Pool {
    /// How it is occupied.
    pub fn occupancy(&self) -> Occupancy {
        let state = self.shared.lock();
        Occupancy {
            tokens: state.scheduler.tokens(),
            running: state.scheduler.running(),
            searches: state.scheduler.len(),
            by_class: state.scheduler.by_class(),
            threads: state.threads.len(),
        }
    }

    /// For how long a search has waited for a token at the instant `now`; `None` if it does not wait.
    pub fn waiting(&self, job: JobId, now: Instant) -> Option<Duration> {
        let since = self.shared.lock().scheduler.waits_since(job)?;
        Some(now.saturating_duration_since(since))
    }

    /// For how long a search has held a token, up to the instant `now`; `None` if it is not there.
    pub fn ran(&self, job: JobId, now: Instant) -> Option<Duration> {
        self.shared.lock().scheduler.ran(job, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::tests::{ENDLESS, PATIENCE, Stand};

    #[test]
    fn who_has_no_token_waits() {
        let stand = Stand::new(1, 4);
        let jobs = [1, 2].map(|owner| stand.start(owner, ENDLESS, Class::Analysis, None));
        let first = stand.start(3, ENDLESS, Class::Clock, None);
        let deadline = Instant::now() + PATIENCE;
        let waits = |job| stand.pool.waiting(job, Instant::now() + Duration::from_millis(7));
        // A clock search has it as soon as the analysis that had it has noticed.
        while waits(first).is_some() {
            assert!(Instant::now() < deadline);
            std::thread::yield_now();
        }
        assert!(jobs.iter().all(|&job| waits(job) >= Some(Duration::from_millis(7))));
        let occupancy = stand.pool.occupancy();
        assert_eq!((occupancy.tokens, occupancy.running, occupancy.searches), (1, 1, 3));
        let count = |class| occupancy.by_class.iter().find(|&&(of, _)| of == class).map(|&(_, count)| count);
        assert_eq!((count(Class::Clock), count(Class::Analysis)), (Some(1), Some(2)));
        assert!(occupancy.threads >= 1);
        stand.pool.hold(jobs[0]);
        assert_eq!(waits(jobs[0]), None, "it wants nothing");
        jobs.iter().chain([&first]).for_each(|&job| stand.pool.stop(job));
        assert_eq!(waits(jobs[1]), None);
    }
}
