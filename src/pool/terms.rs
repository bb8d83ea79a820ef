//! On what terms a search runs.

use crate::search::{Allotment, Done, Limits, Report, Request};
use std::time::Instant;

/// Names one search of a session. A session never uses a number twice, so an event of an older
/// search is recognised and dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SearchId(pub u64);

/// Names one search of the process: whose it is, and which of its owner's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct JobId {
    /// The caller's name for the session; never used for two sessions.
    pub owner: u64,
    /// The session's name for the search.
    pub search: SearchId,
}

/// Numbers of a session's own searches are below this.
const NUMBERS: u64 = 1 << 56;

impl JobId {
    /// The name of one of its helpers, from 1.
    pub(super) fn helper(self, number: u8) -> JobId {
        let search = SearchId(self.search.0 % NUMBERS + NUMBERS * u64::from(number));
        JobId { search, ..self }
    }

    /// Whether it is that of a helper.
    pub(super) fn is_helper(self) -> bool {
        self.search.0 >= NUMBERS
    }
}

/// What a search is worth to others, and so who goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A game in which our clock runs. Never waits for another class longer than one poll.
    Clock,
    /// Somebody waits for the answer, but no clock runs: a hint, a move of a fixed depth.
    Reply,
    /// An analysis that somebody watches.
    Analysis,
    /// Thinking on the opponent's time, which may be for nothing.
    Ponder,
    /// Another thread at a search that runs already (`cores`): on what nobody else wants.
    Help,
}

impl Class {
    /// All there are, those that go first first.
    pub const ALL: [Class; 5] = [Class::Clock, Class::Reply, Class::Analysis, Class::Ponder, Class::Help];

    /// In a word.
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

/// On what terms a search runs. They may change while it does (a ponder hit).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Who goes first.
    pub class: Class,
    /// When our clock started: the instant at which the bytes were read that made the move due, later by the
    /// time that the search was held. Means nothing on a processor's time.
    pub since: Instant,
    /// How long the move may take; `None` for no limit. On the wall this counts from `since`. On a processor's
    /// time it counts from where the search stands when it hears of these terms: its begin or the first
    /// poll after they were changed; one that had such an allotment before counts on.
    pub allotment: Option<Allotment>,
    /// Other limits than those that were asked for; `None` if they still hold.
    pub limits: Option<Limits>,
    /// By which clock.
    pub timebase: Timebase,
}

/// What time is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Timebase {
    /// What passes on the wall.
    #[default]
    Wall,
    /// What the search's own thread has used of a processor. Then nobody but the search knows when the time is up, and
    /// what it says of elapsed time is this time, too.
    Processor,
}

impl Terms {
    /// When the search must have ended; `None` if never, or if the wall does not show it.
    pub fn deadline(&self) -> Option<Instant> {
        let allotment = self.allotment.filter(|_| self.timebase == Timebase::Wall);
        allotment.and_then(|allotment| self.since.checked_add(allotment.maximum))
    }
}

/// What a session wants of a search.
pub enum SearchOrder {
    /// It starts.
    Start(Box<Request>, Terms),
    /// Other terms hold from now on: a ponder hit.
    Retime(Terms),
    /// It is suspended where it stands: it neither runs nor ends, whatever its terms.
    Hold,
    /// It goes on after that, on these terms.
    Resume(Terms),
    /// It stops. Its further events are not wanted.
    Stop,
}

/// What the pool tells a session of one of its searches.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    /// A report of the running search.
    Report(Report),
    /// The search has ended by itself (a limit, or nothing more to find) or was stopped.
    Done(Done),
    /// It was not begun. Nothing more comes of it.
    Refused(Shortage),
    /// A defect of the engine has ended it (a panic, which is logged): it has no result, and nothing more comes of it.
    Failed,
}

/// What there is too little of to begin one more search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shortage {
    /// There may be no more searches of its class: so many are going on already.
    Searches(usize),
    /// The system gives no further thread.
    Threads,
}
