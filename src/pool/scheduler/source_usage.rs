//! Usage of a source's searches in one queue, in total and individually.
//!
//! Together they have one share for each search that wants to run, up to the weight of the source.
//! That is divided equally among the owners.

use super::QueueKey;
use super::usage_history::UsageHistory;
use crate::pool::Source;
use std::time::{Duration, Instant};

/// Owners without a search in the queue that are remembered for each source.
const MAX_REMEMBERED_OWNERS: usize = 1 << 10;

/// Usage of a source with searches in a queue.
pub(super) struct SourceUsage {
    source: Source,
    /// All searches, held ones included.
    jobs: usize,
    /// Searches that wait for a token.
    pub(super) waiting: usize,
    /// Searches that hold one.
    pub(super) running: usize,
    /// Virtual run time of one share of the source.
    time: Duration,
    /// Virtual run time that the running searches are expected to add. Without it, all tokens that
    /// become free at one instant would go to the same source.
    expected: Duration,
    /// The least virtual run time of an owner; never falls.
    floor: Duration,
    /// Usage of owners whose searches have left the queue.
    owners: UsageHistory,
    /// Keys of the source in the wait queue: among searches that have not run yet, and among
    /// suspended ones.
    pub(super) heads: [Option<QueueKey>; 2],
}

impl SourceUsage {
    /// A source whose virtual run time is `time`.
    pub(super) fn new(source: Source, time: Duration) -> SourceUsage {
        SourceUsage {
            source,
            jobs: 0,
            waiting: 0,
            running: 0,
            time,
            expected: Duration::ZERO,
            floor: Duration::ZERO,
            owners: UsageHistory::new(MAX_REMEMBERED_OWNERS),
            heads: [None; 2],
        }
    }

    /// Adds a search of this owner. Returns the owner's virtual run time.
    pub(super) fn add_search(&mut self, source: Source, owner: u64, max_lead: Duration) -> Duration {
        // A reload may have changed the weight.
        self.source = source;
        self.jobs += 1;
        self.clamp(self.owners.get(owner).unwrap_or_default(), max_lead)
    }

    /// Removes a search whose owner has used `had`. False if it was the last.
    pub(super) fn remove_search(&mut self, owner: u64, had: Duration, now: Instant) -> bool {
        self.jobs -= 1;
        if self.jobs > 0 {
            self.owners.remember(owner, had, self.floor, now);
        }
        self.jobs > 0
    }

    /// Searches that want to run.
    fn active(&self) -> usize {
        self.waiting + self.running
    }

    /// The number of searches: waiting, running, all.
    pub(super) fn counts(&self) -> [usize; 3] {
        [self.waiting, self.running, self.jobs]
    }

    /// The number of shares.
    fn shares(&self) -> u32 {
        u32::try_from(self.active()).unwrap_or(u32::MAX).clamp(1, self.source.weight.max(1))
    }

    /// Whether more searches want to run than the source has shares.
    pub(super) fn is_crowded(&self) -> bool {
        self.active() > self.source.weight.max(1) as usize
    }

    /// Notes that a search wants to run. A source that was idle returns with the time it had,
    /// limited to `least` (so that it has nothing to catch up) and to `least + max_lead`.
    pub(super) fn wake(&mut self, least: Duration, max_lead: Duration) {
        if self.active() == 0 {
            self.time = self.time.clamp(least, least + max_lead);
        }
    }

    /// The virtual run time of an owner that was away: limited in the same way.
    pub(super) fn clamp(&self, had: Duration, max_lead: Duration) -> Duration {
        had.clamp(self.floor, self.floor + max_lead)
    }

    /// A search starts a slice of this length (in its own virtual run time); `least` is the least
    /// time of those that wait. Returns the expected charge, to be taken back at the end of the
    /// slice.
    pub(super) fn start_slice(&mut self, slice: Duration, least: Duration) -> Duration {
        self.floor = self.floor.max(least);
        self.running += 1;
        let expected = slice / self.shares();
        self.expected += expected;
        expected
    }

    /// Charges `ran` (virtual run time of one search), of which `expected` was expected.
    pub(super) fn charge(&mut self, ran: Duration, expected: Duration) {
        self.time += ran / self.shares();
        self.expected = self.expected.saturating_sub(expected);
    }

    /// Returns the virtual run time of an owner after a run, capped so that idle capacity is not
    /// charged for long.
    pub(super) fn cap_owner(&self, had: Duration, max_lead: Duration) -> Duration {
        had.min(self.floor + max_lead)
    }

    /// Caps the virtual run time of the source.
    pub(super) fn cap(&mut self, most: Duration) {
        self.time = self.time.min(most);
    }

    /// The virtual run time of a share, if a running search has not yet been charged `ran`.
    pub(super) fn time(&self, ran: Duration) -> Duration {
        self.time + ran / self.shares()
    }

    /// Returns the virtual run time, including expected use of running searches.
    pub(super) fn expected_time(&self) -> Duration {
        self.time + self.expected
    }
}
