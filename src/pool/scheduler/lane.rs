//! Searches that compete with each other as equals, and what their owners have had.
//!
//! The measure is virtual run time: what a search has run, times what a moment of its class costs. It belongs to
//! the owner: who stops a search and starts another goes on where it stood, so starting again gains nothing.

use super::ledger::Ledger;
use super::line::Line;
use crate::pool::Class;
use std::time::{Duration, Instant};

/// Which lane a class runs in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Track {
    Clock,
    Reply,
    /// Analyses and pondering.
    Background,
    Help,
}

impl Track {
    pub(super) const ALL: [Track; 4] = [Track::Clock, Track::Reply, Track::Background, Track::Help];

    pub(super) fn of(class: Class) -> Track {
        match class {
            Class::Clock => Track::Clock,
            Class::Reply => Track::Reply,
            Class::Analysis | Class::Ponder => Track::Background,
            Class::Help => Track::Help,
        }
    }

    /// How far ahead of the one who has had least somebody with a clock may be and still be preferred to it, as more
    /// urgent. For a first look, which is short, twice as far; without a clock, too.
    pub(super) fn credit(self) -> Duration {
        match self {
            Track::Clock => Duration::from_secs(1),
            Track::Reply | Track::Background | Track::Help => Duration::from_millis(20),
        }
    }

    /// No virtual run time is further ahead than that of the least, so that nobody pays long for what was free.
    pub(super) fn most_ahead(self) -> Duration {
        match self {
            Track::Clock => 3 * self.credit(),
            // More than the longest slice at the price of pondering.
            Track::Reply | Track::Background | Track::Help => Duration::from_millis(100),
        }
    }
}

/// What a moment of a search costs in virtual run time. An analysis gets four times the run time of a search that
/// ponders: somebody watches it, while what is pondered is thrown away at every other move.
pub(super) fn price(class: Class) -> u32 {
    if class == Class::Ponder { 4 } else { 1 }
}

/// Run time that first looks may take at once. After so much of it they take turns with those that have begun, and get
/// so many parts of the time while these get one: an endless stream of newcomers does not stop them.
const LOOKS: Duration = Duration::from_millis(500);
const PARTS: u32 = 3;

/// The searches of one track.
#[derive(Default)]
pub(super) struct Lane {
    pub(super) line: Line,
    ledger: Ledger,
    /// The least virtual run time there has been; never falls.
    floor: Duration,
    /// Run time of first looks, less what others ran since.
    looked: Duration,
}

impl Lane {
    /// The least virtual run time in the lane, if the running ones have these.
    pub(super) fn least(&self, running: impl Iterator<Item = Duration>) -> Duration {
        self.line.least().into_iter().chain(running).min().unwrap_or_default().max(self.floor)
    }

    pub(super) fn raise_floor(&mut self, least: Duration) {
        self.floor = self.floor.max(least);
    }

    /// The virtual run time at which an owner comes in: where it stood, but not so low that it could catch up
    /// with what others had without it, and no further ahead than running can bring about.
    pub(super) fn entry(&self, track: Track, owner: u64, least: Duration) -> Duration {
        self.ledger.of(owner).unwrap_or_default().clamp(least, least + track.most_ahead())
    }

    /// An owner goes out.
    pub(super) fn exit(&mut self, owner: u64, virtual_time: Duration, now: Instant) {
        self.ledger.keep(owner, virtual_time, self.floor, now);
    }

    /// Whether those that have not run yet may go first.
    pub(super) fn may_look(&self) -> bool {
        self.looked < LOOKS
    }

    /// So much was run, in a first look or otherwise.
    pub(super) fn note_run(&mut self, ran: Duration, first: bool) {
        // While there are only newcomers nobody is kept waiting by them.
        self.looked =
            if first { (self.looked + ran).min(LOOKS) } else { self.looked.saturating_sub(ran * PARTS) };
    }
}
