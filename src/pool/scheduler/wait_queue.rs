//! Searches of one queue that wait for a token, ordered by the usage of their sources, then by
//! their own.

use super::params::Urgency;
use super::source_usage::SourceUsage;
use super::{QueueKey, SearchEntry};
use crate::pool::JobId;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A waiting search, with everything that decides when it runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Waiter {
    pub(super) job: JobId,
    urgency: Option<Urgency>,
    ran: Duration,
}

/// Limits within which a source may go before the one that has used least, because it is more
/// urgent.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeadLimit {
    /// The least virtual run time of a source.
    pub(super) least: Duration,
    /// Maximum lead over `least`; also of a search over another one of its source.
    pub(super) ahead: Duration,
    /// The same for a source that wants to run more searches than it has shares: together, these
    /// are always more urgent than any single search.
    pub(super) crowd_lead: Duration,
}

impl Waiter {
    pub(super) fn of(job: JobId, entry: &SearchEntry) -> Waiter {
        Waiter { job, urgency: entry.urgency, ran: entry.ran }
    }

    /// Lateness of the move relative to its time; 0 without a clock.
    fn delay(&self, now: Instant) -> f64 {
        self.urgency.map_or(-1.0, |urgency| urgency.delay(self.ran, now))
    }
}

/// A source with waiting searches.
#[derive(Clone, Copy, PartialEq, Debug)]
struct SourceHead {
    source: u64,
    /// Its first waiting search.
    first: Waiter,
    /// More searches of the source wait, in either half.
    more: bool,
    crowded: bool,
}

/// Half of the wait queue: the searches that have run, or those that have not.
#[derive(Default)]
struct Half {
    /// By source, then by the usage of the owner.
    waiters: BTreeMap<(u64, QueueKey), Waiter>,
    /// Sources by the usage of one of their shares.
    heads: BTreeMap<QueueKey, SourceHead>,
}

impl Half {
    fn of_source(&self, source: u64) -> impl Iterator<Item = (&QueueKey, &Waiter)> {
        let key = |virtual_time, ticket| (source, QueueKey { virtual_time, ticket });
        let all = key(Duration::ZERO, 0)..=key(Duration::MAX, u64::MAX);
        self.waiters.range(all).map(|((_, key), waiter)| (key, waiter))
    }

    /// The head of a source with this usage.
    fn head_of(&self, source: u64, usage: &SourceUsage) -> Option<(QueueKey, SourceHead)> {
        let (key, &first) = self.of_source(source).next()?;
        let more = usage.waiting > 1;
        let key = QueueKey { virtual_time: usage.expected_time(), ticket: key.ticket };
        Some((key, SourceHead { source, first, more, crowded: usage.is_crowded() }))
    }
}

/// The waiting searches of one queue.
#[derive(Default)]
pub(super) struct WaitQueue {
    /// Searches that have not run yet; suspended searches.
    halves: [Half; 2],
}

impl WaitQueue {
    pub(super) fn insert(&mut self, job: JobId, entry: &SearchEntry) {
        let at = (entry.source.id, entry.queue_key());
        let replaced = self.halves[usize::from(entry.started)].waiters.insert(at, Waiter::of(job, entry));
        debug_assert!(replaced.is_none(), "tickets are never used twice");
    }

    pub(super) fn remove(&mut self, entry: &SearchEntry) {
        self.halves[usize::from(entry.started)].waiters.remove(&(entry.source.id, entry.queue_key()));
    }

    /// Updates the position of a source after a change of it or of one of its searches.
    pub(super) fn update(&mut self, source: u64, usage: &mut SourceUsage) {
        for (half, head) in self.halves.iter_mut().zip(&mut usage.heads) {
            if let Some(before) = head.take() {
                half.heads.remove(&before);
            }
        }
        if usage.waiting == 0 {
            return;
        }
        for (index, half) in self.halves.iter_mut().enumerate() {
            if let Some((key, head)) = half.head_of(source, usage) {
                half.heads.insert(key, head);
                usage.heads[index] = Some(key);
            }
        }
    }

    pub(super) fn contains(&self, job: JobId, entry: &SearchEntry) -> bool {
        let places = &self.halves[usize::from(entry.started)].waiters;
        places.get(&(entry.source.id, entry.queue_key())).is_some_and(|waiter| waiter.job == job)
    }

    /// Whether a source is at the position where it should be.
    pub(super) fn is_up_to_date(&self, source: u64, usage: &SourceUsage) -> bool {
        self.halves.iter().zip(usage.heads).all(|(half, key)| {
            let head = key.and_then(|key| half.heads.get(&key).map(|&head| (key, head)));
            head == half.head_of(source, usage)
        })
    }

    pub(super) fn len(&self) -> usize {
        self.halves.iter().map(|half| half.waiters.len()).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The least virtual run time of a source with waiting searches.
    pub(super) fn least(&self) -> Option<Duration> {
        self.halves.iter().filter_map(|half| half.heads.keys().next()).map(|key| key.virtual_time).min()
    }

    /// The least virtual run time of an owner with waiting searches in a source.
    pub(super) fn least_of(&self, source: u64) -> Option<Duration> {
        let first = |half: &Half| half.of_source(source).next().map(|(key, _)| key.virtual_time);
        self.halves.iter().filter_map(first).min()
    }

    /// Of the source that has used least, the search whose owner has used least.
    pub(super) fn first(&self) -> Option<JobId> {
        let [fresh, suspended] = self.halves.each_ref().map(|half| half.heads.iter().next());
        let (_, head) = fresh.into_iter().chain(suspended).min_by_key(|&(key, _)| *key)?;
        let source = head.source;
        let firsts = self.halves.iter().filter_map(|half| half.of_source(source).next());
        firsts.min_by_key(|&(key, _)| *key).map(|(_, waiter)| waiter.job)
    }

    /// Of the searches that have not run yet and are within the lead limit, the one that has used
    /// least.
    pub(super) fn first_fresh(&self, lead_limit: LeadLimit) -> Option<JobId> {
        let most = lead_limit.least + lead_limit.ahead;
        let mut heads = self.halves[0].heads.iter().take_while(|(key, _)| key.virtual_time <= most);
        heads.find_map(|(_, head)| {
            if head.more { self.first_fresh_of(head.source, lead_limit) } else { Some(head.first.job) }
        })
    }

    fn first_fresh_of(&self, source: u64, lead_limit: LeadLimit) -> Option<JobId> {
        let (key, waiter) = self.halves[0].of_source(source).next()?;
        (key.virtual_time <= self.least_of(source)? + lead_limit.ahead).then_some(waiter.job)
    }

    /// Returns the search most delayed relative to its time, among searches within the lead limit
    /// or (`fresh`) searches that have not run yet; of equals the one that has used least.
    pub(super) fn most_delayed(&self, fresh: bool, lead_limit: LeadLimit, now: Instant) -> Option<JobId> {
        let halves = if fresh { &self.halves[..1] } else { &self.halves };
        let (most, crowd_most) =
            (lead_limit.least + lead_limit.ahead, lead_limit.least + lead_limit.crowd_lead);
        let mut best: Option<Rank> = None;
        let mut consider = |key: QueueKey, waiter: &Waiter| {
            let rank = Rank { delay: waiter.delay(now), key, job: waiter.job };
            if best.as_ref().is_none_or(|best| rank.goes_before(best)) {
                best = Some(rank);
            }
        };
        for half in halves {
            for (&key, head) in half.heads.iter().take_while(|(key, _)| key.virtual_time <= most) {
                if head.crowded && key.virtual_time > crowd_most {
                    continue;
                }
                if !head.more {
                    consider(key, &head.first);
                    continue;
                }
                let most = self.least_of(head.source).unwrap_or_default() + lead_limit.ahead;
                for (at, waiter) in half.of_source(head.source).take_while(|(at, _)| at.virtual_time <= most)
                {
                    consider(QueueKey { ticket: at.ticket, ..key }, waiter);
                }
            }
        }
        best.map(|best| best.job)
    }
}

/// Sort key of a waiting search.
struct Rank {
    delay: f64,
    key: QueueKey,
    job: JobId,
}

impl Rank {
    fn goes_before(&self, other: &Rank) -> bool {
        match self.delay.total_cmp(&other.delay) {
            Ordering::Equal => (self.key, self.job) < (other.key, other.job),
            order => order == Ordering::Greater,
        }
    }
}
