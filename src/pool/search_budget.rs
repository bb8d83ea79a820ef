//! The budget of a search, its priority class and its time, and the orders that carry budgets to
//! the pool.

use super::Task;
use crate::search::{Allotment, Limits};
use std::time::Instant;

/// Priority class of a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A game in which the engine's clock runs. Never waits for another class longer than one poll.
    Clock,
    /// A client waits for the answer, but no clock runs: a hint, a move of fixed depth.
    Reply,
    /// An analysis that a person watches.
    Analysis,
    /// Thinking on the opponent's time, which may be in vain.
    Ponder,
    /// A further thread of a running search (`cores`), on tokens that no other search wants.
    Help,
}

impl Class {
    /// All classes, highest priority first.
    pub const ALL: [Class; 5] = [Class::Clock, Class::Reply, Class::Analysis, Class::Ponder, Class::Help];

    /// The name of the class, one word.
    pub fn word(self) -> &'static str {
        match self {
            Class::Clock => "clock",
            Class::Reply => "reply",
            Class::Analysis => "analysis",
            Class::Ponder => "ponder",
            Class::Help => "help",
        }
    }
}

/// Time and priority of a search. They may change while it runs (a ponder hit).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchBudget {
    /// Priority class.
    pub class: Class,
    /// When the engine's clock started: the instant at which the bytes were read that made the move
    /// due, plus the time for which the search was held. Unused with CPU time.
    pub since: Instant,
    /// Time for the move; `None` for no limit. Wall-clock time counts from `since`. CPU time counts
    /// from the moment at which the search learns of this budget: its start, or the first poll
    /// after a change; a search that had such an allotment before keeps counting.
    pub allotment: Option<Allotment>,
    /// Limits that replace the request's; `None` if the request's still apply.
    pub limits: Option<Limits>,
    /// Which clock counts.
    pub timebase: Timebase,
}

/// Which clock counts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Timebase {
    /// Wall-clock time.
    #[default]
    Wall,
    /// CPU time of the search's own thread. Only the search knows when it is up, and it reports
    /// elapsed time by this clock, too.
    Processor,
}

impl SearchBudget {
    /// When the search must have ended; `None` if never, or if the wall clock does not decide.
    pub fn deadline(&self) -> Option<Instant> {
        let allotment = self.allotment.filter(|_| self.timebase == Timebase::Wall);
        allotment.and_then(|allotment| self.since.checked_add(allotment.maximum))
    }
}

/// Command of a session about a search.
pub enum SearchOrder {
    /// Start it.
    Start(Box<Task>, SearchBudget),
    /// Change its budget from now on (a ponder hit).
    Retime(SearchBudget),
    /// Suspend it where it is: it neither runs nor ends, whatever its budget.
    Hold,
    /// Resume it after a hold, with this budget.
    Resume(SearchBudget),
    /// Stop it and drop its further events.
    Stop,
}
