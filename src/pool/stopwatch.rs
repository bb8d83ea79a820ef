//! Time used by a search, on the clock that its budget names.
//!
//! Wall-clock time counts from [`SearchBudget::since`], which the session moves by the time that a
//! search was held. CPU time counts from the moment at which the search learns of a new budget: its
//! start, or the first poll after a ponder hit. A resumed search keeps counting, since it used
//! nothing while it was held.

use super::{SearchBudget, Timebase};
use crate::search::Limits;
use std::time::{Duration, Instant};

/// All clocks at one moment, read on the thread of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) wall: Instant,
    /// CPU time that the thread has used.
    pub(super) processor: Duration,
}

impl Reading {
    /// Reads the clocks on the calling thread.
    pub(super) fn here() -> Reading {
        Reading { wall: Instant::now(), processor: processor_time() }
    }
}

/// CPU time that the calling thread has used.
#[cfg(unix)]
pub fn processor_time() -> Duration {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = Duration::from_secs(used.tv_sec.try_into().unwrap_or(0));
    seconds + Duration::from_nanos(used.tv_nsec.try_into().unwrap_or(0))
}

/// Without a thread clock: wall-clock time, which is never behind CPU time.
#[cfg(not(unix))]
pub fn processor_time() -> Duration {
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

/// The time of one search. Readings must be taken on its thread.
#[derive(Clone, Debug)]
pub(super) struct Stopwatch {
    budget: SearchBudget,
    /// When the search was requested; its budget may count from later (a ponder hit).
    asked: Instant,
    /// Since when the search is held.
    held: Option<Instant>,
    /// Total time of earlier holds.
    rested: Duration,
    /// CPU time of the thread when the search began.
    begun: Option<Duration>,
    /// CPU time of the thread from which the budget counts; `None` until the search learns of the
    /// budget.
    counted: Option<Duration>,
}

impl Stopwatch {
    pub(super) fn new(budget: SearchBudget) -> Stopwatch {
        Stopwatch {
            budget,
            asked: budget.since,
            held: None,
            rested: Duration::ZERO,
            begun: None,
            counted: None,
        }
    }

    /// The search begins, on the calling thread.
    pub(super) fn begin(&mut self, now: Reading) {
        self.begun = Some(now.processor);
        self.counted = self.begun;
    }

    pub(super) fn retime(&mut self, budget: SearchBudget) {
        let counts = self.budget.timebase == Timebase::Processor && self.budget.allotment.is_some();
        self.counted = self.counted.filter(|_| counts);
        self.budget = budget;
    }

    pub(super) fn hold(&mut self, now: Instant) {
        self.held.get_or_insert(now);
    }

    pub(super) fn resume(&mut self, budget: SearchBudget, now: Instant) {
        if let Some(since) = self.held.take() {
            self.rested += now.saturating_duration_since(since);
        }
        self.retime(budget);
    }

    pub(super) fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// Whether the maximum is used up. Never while the search is held.
    pub(super) fn is_over(&mut self, now: Reading) -> bool {
        self.counted.get_or_insert(now.processor);
        let used = self.used(now);
        !self.is_held() && self.budget.allotment.is_some_and(|allotment| used >= allotment.maximum)
    }

    /// Returns the time until the maximum is used up even if the search is idle; `None` if never.
    pub(super) fn left(&self, now: Instant) -> Option<Duration> {
        let deadline = self.budget.deadline().filter(|_| !self.is_held())?;
        Some(deadline.saturating_duration_since(now))
    }

    /// Returns the time until [`is_past_optimum`](Stopwatch::is_past_optimum) or the maximum, even
    /// if the search does nothing; `None` if never.
    pub(super) fn left_of_optimum(&self, scale: f32, now: Instant) -> Option<Duration> {
        let left = self.left(now)?;
        let allotment = self.budget.allotment.filter(|allotment| !allotment.exact || scale <= 0.0)?;
        let saved = allotment.maximum.saturating_sub(allotment.optimum.mul_f32(scale.max(0.0)));
        // A moment later it is past without doubt.
        Some((left + Duration::from_micros(10)).saturating_sub(saved).min(left))
    }

    /// Whether `scale` times the optimum is used up. An exact allotment is used up at its end,
    /// whatever the scale.
    pub(super) fn is_past_optimum(&self, scale: f32, now: Reading) -> bool {
        let used = self.used(now);
        self.budget.allotment.is_some_and(|allotment| {
            if allotment.exact && scale > 0.0 {
                used >= allotment.maximum
            } else {
                used.as_secs_f32() >= allotment.optimum.as_secs_f32() * scale
            }
        })
    }

    /// Whether a search with a stable best move has used up its time.
    pub(super) fn is_past_calm(&self, now: Reading) -> bool {
        let used = self.used(now);
        self.budget.allotment.is_some_and(|allotment| used >= allotment.calm)
    }

    /// Returns the current limits: the budget's, or the request's.
    pub(super) fn limits(&self, asked: Limits) -> Limits {
        self.budget.limits.unwrap_or(asked)
    }

    /// Time since the search was requested, without the time for which it was held.
    pub(super) fn elapsed(&self, now: Reading) -> Duration {
        match self.budget.timebase {
            Timebase::Wall => {
                self.wall(now).saturating_duration_since(self.asked).saturating_sub(self.rested)
            }
            Timebase::Processor => now.processor.saturating_sub(self.begun.unwrap_or(now.processor)),
        }
    }

    /// Time that counts against the allotment.
    fn used(&self, now: Reading) -> Duration {
        match self.budget.timebase {
            Timebase::Wall => self.wall(now).saturating_duration_since(self.budget.since),
            Timebase::Processor => now.processor.saturating_sub(self.counted.unwrap_or(now.processor)),
        }
    }

    /// Wall-clock time, which stands still while the search is held.
    fn wall(&self, now: Reading) -> Instant {
        self.held.map_or(now.wall, |held| held.min(now.wall))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Class;
    use crate::search::Allotment;

    /// Readings in milliseconds.
    struct Clocks(Instant);

    impl Clocks {
        fn wall(&self, wall: u64) -> Instant {
            self.0 + Duration::from_millis(wall)
        }

        fn at(&self, wall: u64, processor: u64) -> Reading {
            Reading { wall: self.wall(wall), processor: Duration::from_millis(processor) }
        }

        /// A budget that counts from `since` milliseconds, with a maximum and half of it as
        /// optimum.
        fn budget(&self, timebase: Timebase, since: u64, maximum: Option<u64>) -> SearchBudget {
            let allotment = maximum.map(Duration::from_millis);
            let allotment = allotment.map(|maximum| Allotment {
                optimum: maximum / 2,
                calm: maximum,
                maximum,
                exact: false,
            });
            SearchBudget { class: Class::Clock, since: self.wall(since), allotment, timebase, limits: None }
        }
    }

    fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn the_wall_counts_from_the_terms_and_not_while_held() {
        let clocks = Clocks(Instant::now());
        let mut watch = Stopwatch::new(clocks.budget(Timebase::Wall, 0, None));
        watch.begin(clocks.at(5, 1000));
        assert_eq!(watch.elapsed(clocks.at(50, 1000)), milliseconds(50));
        assert!(!watch.is_over(clocks.at(50, 2000)) && !watch.is_past_optimum(0.0, clocks.at(50, 2000)));
        watch.retime(clocks.budget(Timebase::Wall, 50, Some(100)));
        assert!(watch.is_past_optimum(0.0, clocks.at(60, 1000)));
        assert_eq!(watch.left(clocks.wall(60)), Some(milliseconds(90)));

        watch.hold(clocks.wall(90));
        watch.hold(clocks.wall(95));
        assert!(!watch.is_over(clocks.at(500, 1000)) && !watch.is_past_optimum(1.0, clocks.at(500, 1000)));
        assert_eq!(watch.left(clocks.wall(500)), None);
        assert_eq!(watch.elapsed(clocks.at(500, 1000)), milliseconds(90));
        watch.resume(clocks.budget(Timebase::Wall, 50 + 410, Some(100)), clocks.wall(500));
        assert_eq!(watch.elapsed(clocks.at(510, 1000)), milliseconds(100));
        assert!(!watch.is_past_optimum(1.0, clocks.at(509, 1000)));
        assert!(watch.is_past_optimum(1.0, clocks.at(510, 1000)));
        assert!(!watch.is_over(clocks.at(559, 9000)) && watch.is_over(clocks.at(560, 1000)));
    }

    #[test]
    fn the_processor_counts_what_this_search_has_used() {
        let clocks = Clocks(Instant::now());
        let mut watch = Stopwatch::new(clocks.budget(Timebase::Processor, 0, Some(100)));
        watch.begin(clocks.at(5, 1000));
        assert_eq!(watch.elapsed(clocks.at(9000, 1049)), milliseconds(49));
        assert!(!watch.is_past_optimum(1.0, clocks.at(9000, 1049)));
        assert!(watch.is_past_optimum(1.0, clocks.at(9000, 1050)));
        assert_eq!(watch.left(clocks.wall(9000)), None);
        assert!(!watch.is_over(clocks.at(9000, 1099)) && watch.is_over(clocks.at(9000, 1100)));
    }

    #[test]
    fn the_processor_counts_from_the_first_poll_after_a_ponder_hit() {
        let clocks = Clocks(Instant::now());
        let mut watch = Stopwatch::new(clocks.budget(Timebase::Processor, 0, None));
        watch.begin(clocks.at(5, 1000));
        assert!(!watch.is_over(clocks.at(9000, 9000)));
        watch.retime(clocks.budget(Timebase::Processor, 9000, Some(100)));
        assert!(!watch.is_past_optimum(0.1, clocks.at(9000, 9001)), "the search has not polled yet");
        assert!(!watch.is_over(clocks.at(9002, 9002)));
        assert!(!watch.is_over(clocks.at(9200, 9101)) && watch.is_over(clocks.at(9200, 9102)));
        assert_eq!(watch.elapsed(clocks.at(9200, 9102)), milliseconds(8102));
    }

    #[test]
    fn an_exact_time_is_used_up() {
        let clocks = Clocks(Instant::now());
        for timebase in [Timebase::Wall, Timebase::Processor] {
            let budget = clocks.budget(timebase, 0, Some(100));
            let exact = budget.allotment.map(|allotment| Allotment { exact: true, ..allotment });
            let mut watch = Stopwatch::new(SearchBudget { allotment: exact, ..budget });
            watch.begin(clocks.at(0, 0));
            assert!(watch.is_past_optimum(0.0, clocks.at(0, 0)), "there is nothing to think about");
            assert!(!watch.is_past_optimum(0.1, clocks.at(99, 99)));
            assert!(watch.is_past_optimum(0.1, clocks.at(100, 100)));
        }
    }

    #[test]
    fn what_is_left_of_an_optimum_depends_on_how_much_of_it_is_wanted() {
        let clocks = Clocks(Instant::now());
        let left = |budget, scale| {
            let left = Stopwatch::new(budget).left_of_optimum(scale, clocks.wall(10));
            left.map(|left| left.as_millis())
        };
        let budget = clocks.budget(Timebase::Wall, 0, Some(100));
        assert_eq!([0.0, 0.5, 1.0, 1.5, 9.0].map(|scale| left(budget, scale)), [0, 15, 40, 65, 90].map(Some));
        assert_eq!(left(clocks.budget(Timebase::Wall, 0, None), 1.0), None);
        assert_eq!(left(clocks.budget(Timebase::Processor, 0, Some(100)), 1.0), None);
        let exact = budget.allotment.map(|allotment| Allotment { exact: true, ..allotment });
        assert_eq!(left(SearchBudget { allotment: exact, ..budget }, 1.0), None);
    }

    #[test]
    fn a_move_that_gets_other_limits_has_used_what_it_had_used() {
        let clocks = Clocks(Instant::now());
        for timebase in [Timebase::Wall, Timebase::Processor] {
            let mut watch = Stopwatch::new(clocks.budget(timebase, 0, Some(100)));
            watch.begin(clocks.at(0, 0));
            assert!(!watch.is_over(clocks.at(60, 60)));
            watch.retime(clocks.budget(timebase, 0, Some(80)));
            assert!(!watch.is_over(clocks.at(79, 79)) && watch.is_over(clocks.at(80, 80)), "{timebase:?}");
        }
    }

    #[test]
    fn a_resumed_search_has_used_what_it_had_used() {
        let clocks = Clocks(Instant::now());
        let budget = clocks.budget(Timebase::Processor, 0, Some(100));
        let mut watch = Stopwatch::new(budget);
        watch.begin(clocks.at(5, 1000));
        watch.hold(clocks.wall(60));
        assert!(!watch.is_over(clocks.at(60, 1060)));
        watch.resume(budget, clocks.wall(5000));
        assert!(!watch.is_over(clocks.at(5000, 1099)) && watch.is_over(clocks.at(5000, 1100)));

        // A ponder search has used nothing of the budget that it gets when it is resumed.
        let mut watch = Stopwatch::new(clocks.budget(Timebase::Processor, 0, None));
        watch.begin(clocks.at(5, 1000));
        watch.hold(clocks.wall(60));
        assert!(!watch.is_over(clocks.at(60, 1060)));
        watch.resume(budget, clocks.wall(5000));
        assert!(!watch.is_over(clocks.at(5000, 1060)));
        assert!(!watch.is_over(clocks.at(5100, 1159)) && watch.is_over(clocks.at(5100, 1160)));
    }
}
