//! The searches of all sessions: those that wait to be started, those in the pool, and the events that come back.

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

/// The slot of the session that a search belongs to.
pub(super) fn slot_of(job: JobId) -> usize {
    job.owner as u32 as usize
}

impl Searches {
    pub(super) fn new(pool: Pool, mailbox: Arc<Mailbox>) -> Searches {
        Searches { pool, queue: SearchQueue::new(), mailbox, events: VecDeque::new() }
    }

    /// Whether there is something to do without an event of the system.
    pub(super) fn has_work(&self) -> bool {
        // A message for a mailbox that is not empty wakes nobody: the message before it has done that.
        !self.queue.is_empty() || !self.events.is_empty() || !self.mailbox.is_empty()
    }

    /// Carries out an order of a session. A search that waits in the queue is changed there, any other in the pool.
    pub(super) fn order(&mut self, job: JobId, order: SearchOrder, source: Source) {
        self.queue.order(job, order, source, &self.pool);
    }

    /// Tells a session that a search is not started, as its user has as many as there may be.
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

    /// Takes the search that is to be started next. Its cost is to be [charged](Self::charge).
    pub(super) fn next_start(&mut self) -> Option<(JobId, QueuedSearch)> {
        self.queue.next()
    }

    /// Charges a source for the start of a search.
    pub(super) fn charge(&mut self, source: Source, cost: Duration) {
        self.queue.charge(source, cost);
    }

    /// Takes over the events of the mailbox, unless some wait already.
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

    /// Takes the events of the sessions in these slots out of all that have come.
    pub(super) fn take_events_of(&mut self, slots: &HashSet<usize>) -> Vec<(JobId, SearchEvent)> {
        self.fetch();
        let events = std::mem::take(&mut self.events);
        let (wanted, others): (Vec<_>, Vec<_>) =
            events.into_iter().partition(|(job, _)| slots.contains(&slot_of(*job)));
        self.events = others.into();
        wanted
    }

    /// The next event, and whether another search comes after it.
    pub(super) fn next_event(&mut self) -> Option<(JobId, SearchEvent, bool)> {
        let (job, event) = self.events.pop_front()?;
        let is_last = self.events.front().is_none_or(|&(next, _)| next != job);
        Some((job, event, is_last))
    }
}
