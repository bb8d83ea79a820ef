//! Metrics of searches, without a lock: a scrape never delays the pool.

use super::scheduler::Scheduler;
use super::{Class, Shortage};
use crate::metrics::{Counter, Counters, Gauge, Gauges, Histogram, Label, labels};
use std::time::Duration;

/// Bounds in microseconds for the time that a search waits for a token.
const WAITS: &[u64] = &[
    100, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000,
    30_000_000,
];

impl Label for Class {
    const ALL: &'static [Class] = &Class::ALL;

    fn index(self) -> usize {
        self as usize
    }

    fn word(self) -> &'static str {
        Class::word(self)
    }
}

labels! {
    /// Cause of a refusal.
    pub enum RefusalCause {
        /// All slots of its class are taken.
        Searches = "searches",
        /// The source has all the slots of the class that it may have.
        Source = "source",
        /// The user has reached the limit.
        User = "user",
        /// The system started no thread.
        Threads = "threads",
    }
}

impl From<Shortage> for RefusalCause {
    fn from(shortage: Shortage) -> RefusalCause {
        match shortage {
            Shortage::Searches(_) => RefusalCause::Searches,
            Shortage::OfUser(_) => RefusalCause::User,
            Shortage::Threads => RefusalCause::Threads,
        }
    }
}

/// Metrics of a pool.
#[derive(Debug)]
pub struct Metrics {
    pub(super) running: Gauges<Class>,
    pub(super) waiting: Gauges<Class>,
    pub(super) held: Gauges<Class>,
    pub(super) refused: Counters<RefusalCause>,
    /// Nodes of all searches, helpers included.
    pub(super) nodes: Counter,
    /// Time that searches have waited for a token, by class.
    waits: Box<[Histogram]>,
    pub(super) tokens: Gauge,
    /// The limit of each class.
    pub(super) max_searches: Gauge,
    pub(super) threads: Gauge,
}

impl Metrics {
    /// Creates the metrics of a pool with this number of tokens, and of slots for each class.
    pub(super) fn new(tokens: usize, max_searches: usize) -> Metrics {
        let metrics = Metrics {
            running: Gauges::default(),
            waiting: Gauges::default(),
            held: Gauges::default(),
            refused: Counters::default(),
            nodes: Counter::new(),
            waits: Class::ALL.iter().map(|_| Histogram::new(WAITS)).collect(),
            tokens: Gauge::default(),
            max_searches: Gauge::default(),
            threads: Gauge::default(),
        };
        metrics.tokens.set_size(tokens);
        metrics.max_searches.set_size(max_searches);
        metrics
    }

    /// Records the time that a search has waited for its token.
    pub(super) fn waited(&self, class: Class, time: Duration) {
        self.waits(class).observe(time);
    }

    /// Returns the waiting times of a class.
    pub(super) fn waits(&self, class: Class) -> &Histogram {
        &self.waits[class.index()]
    }

    /// Updates the gauges.
    pub(super) fn note(&self, scheduler: &Scheduler, threads: usize) {
        for (class, states) in scheduler.states() {
            self.running.of(class).set_size(states.running);
            self.waiting.of(class).set_size(states.waiting);
            self.held.of(class).set_size(states.held);
        }
        self.threads.set_size(threads);
    }
}

#[cfg(all(unix, feature = "server"))]
mod text {
    use super::*;
    use crate::metrics::text::{Exposed, Exposition};
    use std::fmt;
    use std::sync::Arc;

    impl Exposed for Arc<Metrics> {
        fn expose(&self, to: &mut Exposition<'_>) -> fmt::Result {
            let states = [("running", &self.running), ("waiting", &self.waiting), ("held", &self.held)];
            let searches = states.into_iter().flat_map(|(state, by_class)| {
                by_class
                    .iter()
                    .map(move |(class, now)| ([("class", class.word()), ("state", state)], now.get()))
            });
            to.gauge_rows("farboard_searches", "Searches by what they do", None, searches)?;
            let help = "Places for searches of each class (max_searches)";
            to.gauge("farboard_searches_max", help, self.max_searches.get())?;
            let help = "Searches that found no place";
            to.counters("farboard_searches_refused", help, "cause", &self.refused)?;
            to.gauge("farboard_tokens", "Searches that may run at one time (workers)", self.tokens.get())?;
            to.gauge("farboard_search_threads", "Threads for searches", self.threads.get())?;
            to.counter("farboard_nodes", "Nodes that were searched", self.nodes.get())?;
            let waits = Class::ALL.into_iter().map(|class| ([("class", class.word())], self.waits(class)));
            to.histograms("farboard_token_wait", "How long a search has waited for a token", waits)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Source;
    use crate::pool::tests::{ENDLESS, Harness, TIMEOUT, budget};
    use std::time::Instant;

    /// Waits until the numbers say so.
    fn until(what: &str, is_so: impl Fn() -> bool) {
        let deadline = Instant::now() + TIMEOUT;
        while !is_so() {
            assert!(Instant::now() < deadline, "{what}");
            std::thread::yield_now();
        }
    }

    #[test]
    fn searches_are_counted_by_what_they_do() {
        let harness = Harness::new(1, 4);
        let metrics = harness.pool.metrics();
        assert_eq!((metrics.tokens.get(), metrics.max_searches.get()), (1, 4));
        let jobs = [1, 2, 3].map(|owner| harness.start(owner, ENDLESS, Class::Analysis, None));
        let counts = |gauges: &Gauges<Class>, class| gauges.of(class).get();
        assert_eq!(counts(&metrics.running, Class::Analysis), 1);
        assert_eq!(counts(&metrics.waiting, Class::Analysis), 2);
        harness.pool.hold(jobs[0]);
        until("one is held and another has its token", || counts(&metrics.held, Class::Analysis) == 1);
        assert_eq!(counts(&metrics.running, Class::Analysis), 1);
        until("nodes are counted while they are searched", || metrics.nodes.get() > 0);
        until("a search has waited", || metrics.waits(Class::Analysis).read().count >= 2);
        assert_eq!(metrics.waits(Class::Clock).read().count, 0);
        jobs.into_iter().for_each(|job| harness.pool.stop(job));
        for gauges in [&metrics.running, &metrics.waiting, &metrics.held] {
            assert_eq!(counts(gauges, Class::Analysis), 0);
        }
    }

    #[test]
    fn who_finds_no_place_is_counted() {
        let harness = Harness::new(1, 1);
        let jobs = [1, 2].map(|owner| harness.start(owner, ENDLESS, Class::Clock, None));
        assert_eq!(harness.pool.metrics().refused.of(RefusalCause::Searches).get(), 1);
        jobs.into_iter().for_each(|job| harness.pool.stop(job));
    }

    #[test]
    fn who_has_all_places_of_its_source_is_counted_apart() {
        let harness = Harness::new(1, 4);
        let club = Source { id: 7, weight: 1 };
        let jobs =
            [1, 2, 3].map(|owner| harness.start_of(club, owner, ENDLESS, budget(Class::Analysis, None)));
        let metrics = harness.pool.metrics();
        let refused = |cause| metrics.refused.of(cause).get();
        assert_eq!((refused(RefusalCause::Source), refused(RefusalCause::Searches)), (1, 0));
        jobs.into_iter().for_each(|job| harness.pool.stop(job));
    }
}
