//! Those of one track that wait for a token: sources in the order of what they have had, and so the searches of each.

use super::Job;
use super::account::Account;
use super::claim::Pace;
use crate::pool::JobId;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A place in the line: the least has had least, and the first come goes first among equals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub(super) virtual_time: Duration,
    ticket: u64,
}

/// Who waits there, with all that decides when it goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Waiter {
    pub(super) job: JobId,
    pace: Option<Pace>,
    ran: Duration,
}

/// Which sources may be preferred, as they are more urgent than the one that has had least.
#[derive(Clone, Copy, Debug)]
pub(super) struct Credit {
    /// What the source that has had least has had.
    pub(super) least: Duration,
    /// How much more others may have had. Also how much more a search may have had than another of its source.
    pub(super) ahead: Duration,
    /// The same for a source that wants to run more searches than it has shares. All of them together are always
    /// more urgent than any search alone.
    pub(super) crowd_ahead: Duration,
}

impl Place {
    pub(super) fn of(entry: &Job) -> Place {
        Place { virtual_time: entry.virtual_time, ticket: entry.ticket }
    }
}

impl Waiter {
    pub(super) fn of(job: JobId, entry: &Job) -> Waiter {
        Waiter { job, pace: entry.pace, ran: entry.ran }
    }

    /// How much longer than it should its move takes already. Without a clock nothing is ever late.
    fn delay(&self, now: Instant) -> f64 {
        self.pace.map_or(-1.0, |pace| pace.delay(self.ran, now))
    }
}

/// A source of which somebody waits.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Head {
    source: u64,
    /// The first of those.
    first: Waiter,
    /// Others of the source wait, here or in the other queue.
    more: bool,
    crowded: bool,
}

/// The searches of a line that have run, or those that have not.
#[derive(Default)]
struct Queue {
    /// By source, in the order of what their owners have had.
    waiters: BTreeMap<(u64, Place), Waiter>,
    /// Their sources, in the order of what a share of each has had.
    heads: BTreeMap<Place, Head>,
}

impl Queue {
    fn of_source(&self, source: u64) -> impl Iterator<Item = (&Place, &Waiter)> {
        let place = |virtual_time, ticket| (source, Place { virtual_time, ticket });
        let all = place(Duration::ZERO, 0)..=place(Duration::MAX, u64::MAX);
        self.waiters.range(all).map(|((_, place), waiter)| (place, waiter))
    }

    /// The head of a source that has had so much.
    fn head_of(&self, source: u64, account: &Account) -> Option<(Place, Head)> {
        let (place, &first) = self.of_source(source).next()?;
        let more = account.waiting() > 1;
        let place = Place { virtual_time: account.key(), ticket: place.ticket };
        Some((place, Head { source, first, more, crowded: account.is_crowded() }))
    }
}

/// Those of one track that wait.
#[derive(Default)]
pub(super) struct Line {
    /// Have not run yet; are in the middle of their tree.
    queues: [Queue; 2],
}

impl Line {
    pub(super) fn join(&mut self, job: JobId, entry: &Job) {
        let at = (entry.source.id, Place::of(entry));
        let replaced = self.queues[usize::from(entry.started)].waiters.insert(at, Waiter::of(job, entry));
        debug_assert!(replaced.is_none(), "tickets are never used twice");
    }

    pub(super) fn leave(&mut self, entry: &Job) {
        self.queues[usize::from(entry.started)].waiters.remove(&(entry.source.id, Place::of(entry)));
    }

    /// Puts a source where it belongs, after it or one of its searches has changed.
    pub(super) fn place(&mut self, source: u64, account: &mut Account) {
        for (queue, head) in self.queues.iter_mut().zip(&mut account.heads) {
            if let Some(before) = head.take() {
                queue.heads.remove(&before);
            }
        }
        if account.waiting() == 0 {
            return;
        }
        for (index, queue) in self.queues.iter_mut().enumerate() {
            if let Some((place, head)) = queue.head_of(source, account) {
                queue.heads.insert(place, head);
                account.heads[index] = Some(place);
            }
        }
    }

    pub(super) fn contains(&self, job: JobId, entry: &Job) -> bool {
        let places = &self.queues[usize::from(entry.started)].waiters;
        places.get(&(entry.source.id, Place::of(entry))).is_some_and(|waiter| waiter.job == job)
    }

    /// Whether a source stands where it should.
    pub(super) fn is_placed(&self, source: u64, account: &Account) -> bool {
        self.queues.iter().zip(account.heads).all(|(queue, place)| {
            let head = place.and_then(|place| queue.heads.get(&place).map(|&head| (place, head)));
            head == queue.head_of(source, account)
        })
    }

    pub(super) fn len(&self) -> usize {
        self.queues.iter().map(|queue| queue.waiters.len()).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The least virtual run time of sources of which somebody waits.
    pub(super) fn least(&self) -> Option<Duration> {
        self.queues.iter().filter_map(|queue| queue.heads.keys().next()).map(|place| place.virtual_time).min()
    }

    /// The least virtual run time of owners of a source of which a search waits.
    pub(super) fn least_of(&self, source: u64) -> Option<Duration> {
        let first = |queue: &Queue| queue.of_source(source).next().map(|(place, _)| place.virtual_time);
        self.queues.iter().filter_map(first).min()
    }

    /// Who has had least of the source that has had least.
    pub(super) fn first(&self) -> Option<JobId> {
        let [fresh, suspended] = self.queues.each_ref().map(|queue| queue.heads.iter().next());
        let (_, head) = fresh.into_iter().chain(suspended).min_by_key(|&(place, _)| *place)?;
        let source = head.source;
        let firsts = self.queues.iter().filter_map(|queue| queue.of_source(source).next());
        firsts.min_by_key(|&(place, _)| *place).map(|(_, waiter)| waiter.job)
    }

    /// Who has had least of those that have not run yet and whose credit lasts.
    pub(super) fn first_fresh(&self, credit: Credit) -> Option<JobId> {
        let most = credit.least + credit.ahead;
        let mut heads = self.queues[0].heads.iter().take_while(|(place, _)| place.virtual_time <= most);
        heads.find_map(|(_, head)| {
            if head.more { self.first_fresh_of(head.source, credit) } else { Some(head.first.job) }
        })
    }

    fn first_fresh_of(&self, source: u64, credit: Credit) -> Option<JobId> {
        let (place, waiter) = self.queues[0].of_source(source).next()?;
        (place.virtual_time <= self.least_of(source)? + credit.ahead).then_some(waiter.job)
    }

    /// Who has been kept waiting most, in units of what it needs, of those whose credit lasts. Among equals who has had
    /// least.
    pub(super) fn most_delayed(&self, credit: Credit, now: Instant) -> Option<JobId> {
        self.most_delayed_in(&self.queues, credit, now)
    }

    /// The same of those that have not run yet.
    pub(super) fn most_delayed_fresh(&self, credit: Credit, now: Instant) -> Option<JobId> {
        self.most_delayed_in(&self.queues[..1], credit, now)
    }

    fn most_delayed_in(&self, queues: &[Queue], credit: Credit, now: Instant) -> Option<JobId> {
        let (most, crowd_most) = (credit.least + credit.ahead, credit.least + credit.crowd_ahead);
        let mut best: Option<Urgency> = None;
        let mut consider = |place: Place, waiter: &Waiter| {
            let urgency = Urgency { delay: waiter.delay(now), place, job: waiter.job };
            if best.as_ref().is_none_or(|best| urgency.is_above(best)) {
                best = Some(urgency);
            }
        };
        for queue in queues {
            for (&place, head) in queue.heads.iter().take_while(|(place, _)| place.virtual_time <= most) {
                if head.crowded && place.virtual_time > crowd_most {
                    continue;
                }
                if !head.more {
                    consider(place, &head.first);
                    continue;
                }
                let most = self.least_of(head.source).unwrap_or_default() + credit.ahead;
                for (at, waiter) in queue.of_source(head.source).take_while(|(at, _)| at.virtual_time <= most)
                {
                    consider(Place { ticket: at.ticket, ..place }, waiter);
                }
            }
        }
        best.map(|best| best.job)
    }
}

/// Why one goes before others.
struct Urgency {
    delay: f64,
    place: Place,
    job: JobId,
}

impl Urgency {
    fn is_above(&self, other: &Urgency) -> bool {
        match self.delay.total_cmp(&other.delay) {
            Ordering::Equal => (self.place, self.job) < (other.place, other.job),
            order => order == Ordering::Greater,
        }
    }
}
