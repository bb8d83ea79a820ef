//! One search as the scheduler sees it.

use super::class_queue::QueueKind;
use super::params::Urgency;
use crate::pool::{Class, Source};
use std::time::{Duration, Instant};

/// Whether a search runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EntryState {
    /// Holds no token.
    Waiting,
    /// Holds a token; run time is charged up to `charged`.
    Running { charged: Instant, revoked: bool },
}

/// A search that has been admitted and not removed.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchEntry {
    pub(super) source: Source,
    pub(super) class: Class,
    /// The class it was admitted as.
    pub(super) admitted: Class,
    pub(super) urgency: Option<Urgency>,
    pub(super) state: EntryState,
    /// Gets no token, and is in no wait queue.
    pub(super) held: bool,
    /// Since when it has held a token, or none.
    pub(super) since: Instant,
    /// Suspending it is costly.
    pub(super) coarse: bool,
    /// Has been granted a token at least once, so it has a thread.
    pub(super) started: bool,
    /// Is in its first slice.
    pub(super) in_first_slice: bool,
    /// Run time in its current class.
    pub(super) ran: Duration,
    /// Virtual run time of its owner, within the source.
    pub(super) virtual_time: Duration,
    /// Expected charge of its source for the slice.
    pub(super) expected: Duration,
    /// Sequence number of its entry into the wait queue.
    pub(super) ticket: u64,
}

impl SearchEntry {
    pub(super) fn is_waiting(&self) -> bool {
        self.state == EntryState::Waiting && !self.held
    }

    pub(super) fn queue_key(&self) -> QueueKey {
        QueueKey { virtual_time: self.virtual_time, ticket: self.ticket }
    }

    pub(super) fn kind(&self) -> QueueKind {
        QueueKind::of(self.class)
    }
}

/// Position in the queue: least usage first, then first come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct QueueKey {
    pub(super) virtual_time: Duration,
    pub(super) ticket: u64,
}
