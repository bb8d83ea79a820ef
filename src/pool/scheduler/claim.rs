//! What a search wants: the part of its terms by which the scheduler decides.

use crate::pool::{Class, Terms, Timebase};
use std::time::{Duration, Instant};

/// No move is so urgent that a hundredth of a second more or less decides it. It also keeps a session that asks
/// for ever shorter moves from being ever more urgent.
const LEAST_OPTIMUM: Duration = Duration::from_millis(20);

/// What a search wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// What it is worth to others.
    pub class: Class,
    /// When our clock started and how long it would think if it were alone; for the class *clock* only.
    pub pace: Option<Pace>,
}

/// How urgent a search with a clock is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// When our clock started.
    pub since: Instant,
    /// How long it would think if it were alone.
    pub optimum: Duration,
}

impl Claim {
    /// The claim of a search that no clock presses.
    pub fn of(class: Class) -> Claim {
        Claim { class, pace: None }
    }
}

impl From<&Terms> for Claim {
    fn from(terms: &Terms) -> Claim {
        let timed = terms.class == Class::Clock && terms.timebase == Timebase::Wall;
        let pace = terms.allotment.filter(|_| timed);
        let pace = pace.map(|allotment| Pace { since: terms.since, optimum: allotment.optimum });
        Claim { class: terms.class, pace }
    }
}

impl Pace {
    /// How long it has waited by `now`, having run for `ran`, in units of what it needs: at 1 the move takes
    /// twice what it should. So a game of minutes and a game of seconds are slowed down alike.
    pub(super) fn delay(&self, ran: Duration, now: Instant) -> f64 {
        let waited = now.saturating_duration_since(self.since).saturating_sub(ran);
        waited.as_secs_f64() / self.optimum.max(LEAST_OPTIMUM).as_secs_f64()
    }
}
