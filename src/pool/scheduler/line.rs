//! Those of one track that wait for a token.

use super::Job;
use super::claim::Pace;
use crate::pool::JobId;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A place in the line: the least has had least, and the first come goes first among equals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub(super) virtual_time: Duration,
    ticket: u64,
}

/// Who waits there, with all that decides when it goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiter {
    pub(super) job: JobId,
    pace: Option<Pace>,
    ran: Duration,
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

type Places = BTreeMap<Place, Waiter>;

/// Those of one track that wait.
#[derive(Default)]
pub(super) struct Line {
    /// Have not run yet.
    fresh: Places,
    /// Are in the middle of their tree.
    suspended: Places,
}

impl Line {
    pub(super) fn join(&mut self, job: JobId, entry: &Job) {
        let replaced = self.places(entry.started).insert(Place::of(entry), Waiter::of(job, entry));
        debug_assert!(replaced.is_none(), "tickets are never used twice");
    }

    pub(super) fn leave(&mut self, entry: &Job) {
        self.places(entry.started).remove(&Place::of(entry));
    }

    fn places(&mut self, started: bool) -> &mut Places {
        if started { &mut self.suspended } else { &mut self.fresh }
    }

    pub(super) fn contains(&self, job: JobId, entry: &Job) -> bool {
        let places = if entry.started { &self.suspended } else { &self.fresh };
        places.get(&Place::of(entry)).is_some_and(|waiter| waiter.job == job)
    }

    pub(super) fn len(&self) -> usize {
        self.fresh.len() + self.suspended.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The least virtual run time of those that wait.
    pub(super) fn least(&self) -> Option<Duration> {
        let first = |places: &Places| places.keys().next().map(|place| place.virtual_time);
        first(&self.fresh).into_iter().chain(first(&self.suspended)).min()
    }

    /// Who has had least.
    pub(super) fn first(&self) -> Option<JobId> {
        let first = |places: &Places| places.iter().next().map(|(&place, waiter)| (place, waiter.job));
        let first = first(&self.fresh).into_iter().chain(first(&self.suspended)).min();
        first.map(|(_, job)| job)
    }

    /// Who has had least of those that have not run yet, if that is not more than so much.
    pub(super) fn first_fresh(&self, at_most: Duration) -> Option<JobId> {
        let (place, waiter) = self.fresh.iter().next()?;
        (place.virtual_time <= at_most).then_some(waiter.job)
    }

    /// Who has been kept waiting most, in units of what it needs; of those that have had no more than so much, if
    /// there are any. Among equals who has had least.
    pub(super) fn most_delayed(&self, at_most: Duration, now: Instant) -> Option<JobId> {
        let all = || self.fresh.iter().chain(&self.suspended);
        let within = || all().filter(|(place, _)| place.virtual_time <= at_most);
        most_delayed(within(), now).or_else(|| most_delayed(all(), now))
    }

    /// The same of those that have not run yet, and not at all if they have had more.
    pub(super) fn most_delayed_fresh(&self, at_most: Duration, now: Instant) -> Option<JobId> {
        most_delayed(self.fresh.iter().filter(|(place, _)| place.virtual_time <= at_most), now)
    }
}

fn most_delayed<'a>(waiters: impl Iterator<Item = (&'a Place, &'a Waiter)>, now: Instant) -> Option<JobId> {
    let urgency = |(place, waiter): (&Place, &Waiter)| (waiter.delay(now), *place, waiter.job);
    let more = |a: &(f64, Place, JobId), b: &(f64, Place, JobId)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
    waiters.map(urgency).max_by(more).map(|(_, _, job)| job)
}
