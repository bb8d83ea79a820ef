//! The searches of all sessions: queued, in the pool, and the events that come back.

mod queue;

pub(super) use queue::{MAX_START_TIME, QueuedSearch};

use crate::pool::{JobId, Mailbox, Pool, SearchEvent, SearchOrder, Shortage, Source};
use queue::SearchQueue;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// The pool, the queue in front of it and the mailbox behind it.
pub(super) struct Searches {
    pub(super) pool: Pool,
    queue: SearchQueue,
    mailbox: Arc<Mailbox>,
    /// Events taken from the mailbox and not yet delivered.
    events: VecDeque<(JobId, SearchEvent)>,
}

/// Returns the slot of the session that a search belongs to.
pub(super) fn slot_of(job: JobId) -> usize {
    job.owner as u32 as usize
}

impl Searches {
    pub(super) fn new(pool: Pool, mailbox: Arc<Mailbox>) -> Searches {
        Searches { pool, queue: SearchQueue::new(), mailbox, events: VecDeque::new() }
    }

    /// Returns true if there is something to do without a system event.
    pub(super) fn has_work(&self) -> bool {
        // A message in a mailbox that is not empty wakes nothing: the one before it did.
        !self.queue.is_empty() || !self.events.is_empty() || !self.mailbox.is_empty()
    }

    /// Carries out a session's order. A queued search is changed in the queue, any other in the
    /// pool.
    pub(super) fn order(&mut self, job: JobId, order: SearchOrder, source: Source) {
        self.queue.order(job, order, source, &self.pool);
    }

    /// Refuses a search, as its user already has the maximum.
    pub(super) fn refuse(&self, job: JobId, most: usize) {
        self.pool.refuse(job, Shortage::OfUser(most));
    }

    /// Stops a search, started or not.
    pub(super) fn stop(&mut self, job: JobId) {
        self.queue.stop(job, &self.pool);
    }

    /// Begins the starts of a turn.
    pub(super) fn begin_starts(&mut self) {
        self.queue.rest();
    }

    /// Takes the next search to start. Its cost is to be [charged](Self::charge).
    pub(super) fn next_start(&mut self) -> Option<(JobId, QueuedSearch)> {
        self.queue.next()
    }

    /// Charges a source for the start of a search.
    pub(super) fn charge(&mut self, source: Source, cost: Duration) {
        self.queue.charge(source, cost);
    }

    /// Takes the events of the mailbox, unless some are left.
    pub(super) fn fetch_if_empty(&mut self) {
        if self.events.is_empty() {
            self.fetch();
        }
    }

    fn fetch(&mut self) {
        let mut events = std::mem::take(&mut self.events).into();
        self.mailbox.take(&mut events);
        self.events = events.into();
    }

    /// Takes all events for the sessions in these slots.
    pub(super) fn take_events_of(&mut self, slots: &HashSet<usize>) -> Vec<(JobId, SearchEvent)> {
        self.fetch();
        let events = std::mem::take(&mut self.events);
        let (wanted, others): (Vec<_>, Vec<_>) =
            events.into_iter().partition(|(job, _)| slots.contains(&slot_of(*job)));
        self.events = others.into();
        wanted
    }

    /// Takes the next event. The flag is true for the last of consecutive events of a search.
    pub(super) fn next_event(&mut self) -> Option<(JobId, SearchEvent, bool)> {
        let (job, event) = self.events.pop_front()?;
        let is_last = self.events.front().is_none_or(|&(next, _)| next != job);
        Some((job, event, is_last))
    }
}
