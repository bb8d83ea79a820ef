//! Those of one source in one lane: how much they have had together, and each of them.
//!
//! Together they have a share for each of them that wants to run, up to the weight of the source. Among themselves they
//! have equal parts of it.

use super::ledger::Ledger;
use super::line::Place;
use crate::pool::Source;
use std::time::{Duration, Instant};

/// Owners in one source that are remembered, of those that have no search in the lane.
const OWNERS: usize = 1 << 10;

/// What a source has had in a lane while it has searches there.
pub(super) struct Account {
    source: Source,
    /// Searches, held ones too.
    jobs: usize,
    waiting: usize,
    running: usize,
    /// What a share of it has had, in virtual run time.
    time: Duration,
    /// What those that run are expected to add to that, so that not all tokens go to the same source at one instant.
    expected: Duration,
    /// The least virtual run time of one of its owners; never falls.
    floor: Duration,
    /// What owners have had whose searches have left the lane.
    owners: Ledger,
    /// Where the source stands in the line, with those that have not run yet and with the others.
    pub(super) heads: [Option<Place>; 2],
}

impl Account {
    /// Of a source that has had so much.
    pub(super) fn new(source: Source, time: Duration) -> Account {
        Account {
            source,
            jobs: 0,
            waiting: 0,
            running: 0,
            time,
            expected: Duration::ZERO,
            floor: Duration::ZERO,
            owners: Ledger::new(OWNERS),
            heads: [None; 2],
        }
    }

    /// One more search, of this owner. Returns the owner's virtual run time.
    pub(super) fn enter(&mut self, source: Source, owner: u64, most_ahead: Duration) -> Duration {
        // The weight may have been changed.
        self.source = source;
        self.jobs += 1;
        self.clamp(self.owners.of(owner).unwrap_or_default(), most_ahead)
    }

    /// A search leaves, whose owner has had so much. False if that was the last.
    pub(super) fn exit(&mut self, owner: u64, had: Duration, now: Instant) -> bool {
        self.jobs -= 1;
        if self.jobs > 0 {
            self.owners.keep(owner, had, self.floor, now);
        }
        self.jobs > 0
    }

    /// Those that want to run.
    fn active(&self) -> usize {
        self.waiting + self.running
    }

    /// How many want a token and have none.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// How many searches it has: those that wait, that run, and all.
    pub(super) fn counts(&self) -> [usize; 3] {
        [self.waiting, self.running, self.jobs]
    }

    /// How many shares it has.
    fn shares(&self) -> u32 {
        u32::try_from(self.active()).unwrap_or(u32::MAX).clamp(1, self.source.weight.max(1))
    }

    /// More want to run than it has shares.
    pub(super) fn is_crowded(&self) -> bool {
        self.active() > self.source.weight.max(1) as usize
    }

    /// One more wants to run. If there was none, the source comes in where it stood, but not so low that it could catch
    /// up with what others had without it, and no further ahead than running can bring about.
    pub(super) fn wake(&mut self, least: Duration, most_ahead: Duration) {
        if self.active() == 0 {
            self.time = self.time.clamp(least, least + most_ahead);
        }
    }

    /// The virtual run time of an owner of that time that was away: it has nothing to catch up, and little to pay.
    pub(super) fn clamp(&self, had: Duration, most_ahead: Duration) -> Duration {
        had.clamp(self.floor, self.floor + most_ahead)
    }

    pub(super) fn join(&mut self) {
        self.waiting += 1;
    }

    pub(super) fn leave(&mut self) {
        self.waiting -= 1;
    }

    /// One begins to run, and will run for so long, in its own virtual run time. `least` is the least of those that wait.
    /// Returns what is to be given back at its end.
    pub(super) fn begin(&mut self, slice: Duration, least: Duration) -> Duration {
        self.floor = self.floor.max(least);
        self.running += 1;
        let expected = slice / self.shares();
        self.expected += expected;
        expected
    }

    /// One that runs has come from another lane.
    pub(super) fn begin_unforeseen(&mut self) {
        self.running += 1;
    }

    pub(super) fn end(&mut self) {
        self.running -= 1;
    }

    /// One has run for so long, in its own virtual run time, of what was expected.
    pub(super) fn charge(&mut self, ran: Duration, expected: Duration) {
        self.time += ran / self.shares();
        self.expected = self.expected.saturating_sub(expected);
    }

    /// The virtual run time of an owner whose search has run: nobody pays long for what was free.
    pub(super) fn cap_owner(&self, had: Duration, most_ahead: Duration) -> Duration {
        had.min(self.floor + most_ahead)
    }

    /// The same for all together.
    pub(super) fn cap(&mut self, most: Duration) {
        self.time = self.time.min(most);
    }

    /// The virtual run time of a share, if one that runs has run for so long since it was charged.
    pub(super) fn time(&self, ran: Duration) -> Duration {
        self.time + ran / self.shares()
    }

    /// The same, with all that is expected of those that run.
    pub(super) fn key(&self) -> Duration {
        self.time + self.expected
    }
}
