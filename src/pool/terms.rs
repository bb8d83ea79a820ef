//! On what terms a search runs.

use crate::search::{Allotment, Done, Report};
use std::time::Instant;

/// Names one search of a session. A session never uses a number twice, so an event of an older
/// search is recognised and dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SearchId(pub u64);

/// Who goes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A game in which our clock runs. Never waits for the other class longer than one poll.
    Clock,
    /// Everything else: analysis, pondering, a hint.
    Analysis,
}

/// On what terms a search runs. They may change while it does (a ponder hit).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Who goes first.
    pub class: Class,
    /// When our clock started: the instant at which the bytes were read that made the move due.
    pub since: Instant,
    /// How long the move may take from `since`; `None` for no limit.
    pub allotment: Option<Allotment>,
}

impl Terms {
    /// When the search must have ended; `None` if never.
    pub fn deadline(&self) -> Option<Instant> {
        self.allotment.and_then(|allotment| self.since.checked_add(allotment.maximum))
    }
}

/// What the pool tells a session of one of its searches.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    /// A report of the running search.
    Report(Report),
    /// The search has ended by itself (a limit, or nothing more to find) or was stopped.
    Done(Done),
}
