//! Parameters of a search by which the scheduler decides.

use crate::pool::{Class, SearchBudget, Timebase};
use std::time::{Duration, Instant};

/// Lower bound for the time of a move, as a hundredth of a second does not matter more for a
/// shorter one. It keeps a session that asks for shorter and shorter moves from becoming more and
/// more urgent.
const MIN_OPTIMUM: Duration = Duration::from_millis(20);

/// Scheduling parameters of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchParams {
    /// The priority class.
    pub class: Class,
    /// Urgency; for the class *clock* only.
    pub urgency: Option<Urgency>,
    /// Suspending it costs milliseconds, or work that is done again: it gets long slices. Holds
    /// from its admission on.
    pub coarse: bool,
}

/// Urgency of a search with a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Urgency {
    /// When the clock of the game was started.
    pub since: Instant,
    /// Thinking time that the search would use on an idle machine.
    pub optimum: Duration,
}

impl SearchParams {
    /// Parameters of a search without a clock.
    pub fn of(class: Class) -> SearchParams {
        SearchParams { class, urgency: None, coarse: false }
    }
}

impl From<&SearchBudget> for SearchParams {
    fn from(budget: &SearchBudget) -> SearchParams {
        let timed = budget.class == Class::Clock && budget.timebase == Timebase::Wall;
        let urgency = budget.allotment.filter(|_| timed);
        let urgency = urgency.map(|allotment| Urgency { since: budget.since, optimum: allotment.optimum });
        SearchParams { class: budget.class, urgency, coarse: false }
    }
}

impl Urgency {
    /// Returns how long the search has waited at `now`, having run for `ran`, relative to the time it
    /// needs: at 1 the move takes twice as long as it should. Thus games of minutes and games of
    /// seconds are slowed down alike.
    pub(super) fn delay(&self, ran: Duration, now: Instant) -> f64 {
        let waited = now.saturating_duration_since(self.since).saturating_sub(ran);
        waited.as_secs_f64() / self.optimum.max(MIN_OPTIMUM).as_secs_f64()
    }
}
