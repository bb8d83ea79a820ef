//! The line of those that wait for a token.

use super::Job;
use crate::pool::{Class, JobId};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// When a search must be done. The order of the variants is the order of urgency.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Deadline {
    At(Instant),
    Never,
}

impl Deadline {
    /// Analyses have no deadline that matters: they share by virtual run time alone.
    pub(super) fn of(class: Class, deadline: Option<Instant>) -> Deadline {
        match (class, deadline) {
            (Class::Clock, Some(instant)) => Deadline::At(instant),
            _ => Deadline::Never,
        }
    }
}

/// A place in the line: the least goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Rank {
    deadline: Deadline,
    pub(super) virtual_time: Duration,
    ticket: u64,
    pub(super) job: JobId,
}

impl Rank {
    pub(super) fn of(job: JobId, entry: &Job) -> Rank {
        Rank { deadline: entry.deadline, virtual_time: entry.virtual_time, ticket: entry.ticket, job }
    }

    /// The place it would have at that virtual run time.
    pub(super) fn at(self, virtual_time: Duration) -> Rank {
        Rank { virtual_time, ..self }
    }

    /// Not behind any place without a deadline, behind all with one.
    pub(super) fn first_without_deadline() -> Rank {
        Rank { deadline: Deadline::Never, virtual_time: Duration::ZERO, ticket: 0, job: JobId::LEAST }
    }
}

/// Those of one class that wait.
#[derive(Default)]
pub(super) struct Line {
    /// Have not run yet and have no thread.
    pub(super) fresh: BTreeSet<Rank>,
    /// Are in the middle of their tree.
    pub(super) suspended: BTreeSet<Rank>,
}

impl Line {
    pub(super) fn get(&self, started: bool) -> &BTreeSet<Rank> {
        if started { &self.suspended } else { &self.fresh }
    }

    pub(super) fn set(&mut self, started: bool) -> &mut BTreeSet<Rank> {
        if started { &mut self.suspended } else { &mut self.fresh }
    }

    pub(super) fn len(&self) -> usize {
        self.fresh.len() + self.suspended.len()
    }
}
