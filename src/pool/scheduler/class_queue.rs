//! Searches that compete as equals, and the usage of their sources.
//!
//! The measure is virtual run time: run time, times the cost factor of the class, divided by the
//! shares of the source. It belongs to the source: a client that stops a search and starts another
//! continues where it was, so restarting gains nothing. Within a source, the same holds for owners.

use super::SearchEntry;
use super::source_usage::SourceUsage;
use super::usage_history::UsageHistory;
use super::wait_queue::{LeadLimit, WaitQueue};
use crate::pool::{Class, JobId, Source};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The queue in which a class competes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum QueueKind {
    Clock,
    Reply,
    /// Analyses and pondering.
    Background,
    Help,
}

impl QueueKind {
    pub(super) const ALL: [QueueKind; 4] =
        [QueueKind::Clock, QueueKind::Reply, QueueKind::Background, QueueKind::Help];

    pub(super) fn of(class: Class) -> QueueKind {
        match class {
            Class::Clock => QueueKind::Clock,
            Class::Reply => QueueKind::Reply,
            Class::Analysis | Class::Ponder => QueueKind::Background,
            Class::Help => QueueKind::Help,
        }
    }

    /// Lead over the least usage with which a source with a clock may still go first because it
    /// is more urgent. Doubled for first slices, which are short, in all queues.
    pub(super) fn lead_limit(self) -> Duration {
        match self {
            QueueKind::Clock => Duration::from_secs(1),
            QueueKind::Reply | QueueKind::Background | QueueKind::Help => Duration::from_millis(20),
        }
    }

    /// Maximum lead of a source over the least virtual run time, so that idle capacity is not
    /// charged for long.
    pub(super) fn max_lead(self) -> Duration {
        match self {
            QueueKind::Clock => 3 * self.lead_limit(),
            // More than the longest slice at the cost of pondering.
            QueueKind::Reply | QueueKind::Background | QueueKind::Help => Duration::from_millis(100),
        }
    }
}

/// Minimum of both limits while any search has long slices. The second exceeds the cost of the
/// longest slice, a second of pondering.
const COARSE_LEAD_LIMIT: Duration = Duration::from_secs(1);
const COARSE_MAX_LEAD: Duration = Duration::from_secs(5);

/// The lead limit of a source with more searches than shares. One of its many searches is nearly
/// always urgent: with the usual limit it would keep overtaking a source with one search.
const MAX_CROWD_LEAD: Duration = Duration::from_millis(20);

/// Cost factor of a class in virtual run time. An analysis gets four times the run time of a ponder
/// search: a person watches the analysis, while every other ponder search is thrown away.
pub(super) fn cost_factor(class: Class) -> u32 {
    if class == Class::Ponder { 4 } else { 1 }
}

/// Run time for first slices in a row. After that, started searches get [`STARTED_WEIGHT`] parts of
/// the time for each part of first slices, so that an endless stream of new searches does not
/// starve them.
const MAX_FIRST_SLICE_TIME: Duration = Duration::from_millis(500);
const STARTED_WEIGHT: u32 = 3;

/// Sources without a search in the queue that are remembered.
const MAX_REMEMBERED_SOURCES: usize = 1 << 14;

/// The searches of one queue.
pub(super) struct ClassQueue {
    kind: QueueKind,
    pub(super) waiting: WaitQueue,
    /// Sources with a search in the queue.
    sources: HashMap<u64, SourceUsage>,
    /// Sources that had a search in the queue.
    history: UsageHistory,
    /// The least virtual run time so far; never falls.
    floor: Duration,
    /// Run time of first slices, minus the time that started searches have run since.
    first_slice_time: Duration,
    /// There are searches with long slices.
    coarse: bool,
}

impl ClassQueue {
    pub(super) fn new(kind: QueueKind) -> ClassQueue {
        ClassQueue {
            kind,
            waiting: WaitQueue::default(),
            sources: HashMap::new(),
            history: UsageHistory::new(MAX_REMEMBERED_SOURCES),
            floor: Duration::ZERO,
            first_slice_time: Duration::ZERO,
            coarse: false,
        }
    }

    /// Notes whether there are searches with long slices.
    pub(super) fn set_coarse(&mut self, coarse: bool) {
        self.coarse = coarse;
    }

    /// Maximum lead of a source over the least virtual run time.
    pub(super) fn max_lead(&self) -> Duration {
        let usual = self.kind.max_lead();
        if self.coarse { usual.max(COARSE_MAX_LEAD) } else { usual }
    }

    /// Returns the least virtual run time, where `running` are the values of running searches.
    pub(super) fn least(&self, running: impl Iterator<Item = Duration>) -> Duration {
        self.waiting.least().into_iter().chain(running).min().unwrap_or_default().max(self.floor)
    }

    pub(super) fn raise_floor(&mut self, least: Duration) {
        self.floor = self.floor.max(least);
    }

    /// Changes the usage of a source and updates its position in the wait queue.
    fn with<T>(&mut self, source: Source, change: impl FnOnce(&mut SourceUsage) -> T) -> T {
        let usage = self.sources.get_mut(&source.id).expect("a search in the queue has a usage");
        let changed = change(usage);
        self.waiting.update(source.id, usage);
        changed
    }

    /// Adds a search. Returns the virtual run time of its owner within the source.
    pub(super) fn add_search(&mut self, source: Source, owner: u64) -> Duration {
        let max_lead = self.max_lead();
        let had = || self.history.get(source.id).unwrap_or_default();
        self.sources.entry(source.id).or_insert_with(|| SourceUsage::new(source, had()));
        self.with(source, |usage| usage.add_search(source, owner, max_lead))
    }

    /// Removes a search that neither runs nor waits.
    pub(super) fn remove_search(&mut self, job: JobId, entry: &SearchEntry, now: Instant) {
        let Some(usage) = self.sources.get_mut(&entry.source.id) else { return };
        if !usage.remove_search(job.owner, entry.virtual_time, now) {
            self.history.remember(entry.source.id, usage.time(Duration::ZERO), self.floor, now);
            self.sources.remove(&entry.source.id);
        }
    }

    /// A search that was away wants to run; `least` is the least virtual run time of the others.
    pub(super) fn wake(&mut self, source: Source, least: Duration) {
        let max_lead = self.max_lead();
        self.with(source, |usage| usage.wake(least, max_lead));
    }

    /// The virtual run time at which a held search continues.
    pub(super) fn clamp(&self, entry: &SearchEntry) -> Duration {
        let usage = self.sources.get(&entry.source.id);
        usage.map_or(entry.virtual_time, |usage| usage.clamp(entry.virtual_time, self.max_lead()))
    }

    /// A search starts to wait for a token.
    pub(super) fn enqueue(&mut self, job: JobId, entry: &SearchEntry) {
        self.waiting.insert(job, entry);
        self.with(entry.source, |usage| usage.waiting += 1);
    }

    /// A search stops waiting.
    pub(super) fn dequeue(&mut self, entry: &SearchEntry) {
        self.waiting.remove(entry);
        self.with(entry.source, |usage| usage.waiting -= 1);
    }

    /// A waiting search gets a token for `slice`. Returns the charge expected of its source.
    pub(super) fn start_slice(&mut self, entry: &SearchEntry, slice: Duration) -> Duration {
        let least =
            self.waiting.least_of(entry.source.id).unwrap_or(entry.virtual_time).min(entry.virtual_time);
        let slice = slice * cost_factor(entry.class);
        self.with(entry.source, |usage| usage.start_slice(slice, least))
    }

    /// Adds a search that moves into the queue with its token.
    pub(super) fn add_running(&mut self, source: Source) {
        self.with(source, |usage| usage.running += 1);
    }

    /// A search has lost its token.
    pub(super) fn end_slice(&mut self, source: Source) {
        self.with(source, |usage| usage.running -= 1);
    }

    /// A search has run for `ran` since it was last charged.
    pub(super) fn charge(&mut self, entry: &mut SearchEntry, ran: Duration) {
        let max_lead = self.max_lead();
        let (ran, expected) = (ran * cost_factor(entry.class), std::mem::take(&mut entry.expected));
        entry.virtual_time = self.with(entry.source, |usage| {
            usage.charge(ran, expected);
            usage.cap_owner(entry.virtual_time + ran, max_lead)
        });
    }

    /// Caps the virtual run time of a source.
    pub(super) fn cap(&mut self, source: Source, most: Duration) {
        self.with(source, |usage| usage.cap(most));
    }

    /// The virtual run time of the source of a search that has not yet been charged `ran`.
    pub(super) fn time_of(&self, entry: &SearchEntry, ran: Duration) -> Duration {
        let usage = self.sources.get(&entry.source.id);
        usage.map(|usage| usage.time(ran * cost_factor(entry.class))).unwrap_or_default()
    }

    /// Which sources may go first as more urgent, given the least virtual run time.
    pub(super) fn lead_limit(&self, least: Duration, is_first_slice: bool) -> LeadLimit {
        let usual = self.kind.lead_limit();
        let limit = if self.coarse { usual.max(COARSE_LEAD_LIMIT) } else { usual };
        let ahead = if is_first_slice { 2 * limit } else { limit };
        LeadLimit { least, ahead, crowd_lead: MAX_CROWD_LEAD }
    }

    /// Whether searches that have not run yet may go first.
    pub(super) fn may_start_new(&self) -> bool {
        self.first_slice_time < MAX_FIRST_SLICE_TIME
    }

    /// Notes run time of a first slice or of a started search.
    pub(super) fn note_run(&mut self, ran: Duration, first: bool) {
        // If all are new, they delay no other search.
        self.first_slice_time = if first {
            (self.first_slice_time + ran).min(MAX_FIRST_SLICE_TIME)
        } else {
            self.first_slice_time.saturating_sub(ran * STARTED_WEIGHT)
        };
    }

    /// Panics if the usage of the sources disagrees with the wait queue or with these counts
    /// (waiting, running, all).
    pub(super) fn check_usage(&self, counts: [usize; 3]) {
        let mut sums = [0; 3];
        for (&source, usage) in &self.sources {
            assert!(self.waiting.is_up_to_date(source, usage), "source {source} stands in a wrong key");
            let counts = usage.counts();
            assert!(counts[2] > 0 && counts[2] >= counts[0] + counts[1], "source {source} has no search");
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        assert_eq!(sums, counts, "sources know their searches");
    }
}
