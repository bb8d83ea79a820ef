//! The searches of all sessions: queued, in the pool, and the events that come back.
//!
//! Starting a search costs a hundred times as much as most commands: a thread wakes, and others
//! yield their tokens. A client that sends `go` and `force` endlessly, or changes the analysed
//! position with each line, needs none of the searches in between. So a search is queued until all
//! input of the turn is handled, and one that is stopped before costs nothing. The time for starts
//! per turn is bounded, and the source that has started least goes first, so a crowd that keeps
//! starting searches delays no other source.

use crate::pool::{JobId, Mailbox, Pool, SearchBudget, SearchEvent, SearchOrder, Source, Task};
use crate::server::event_loop::fair_queue::FairQueue;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// Time for starting searches in one turn of the loop.
pub(super) const MAX_START_TIME: Duration = Duration::from_micros(500);

/// A search waiting to be started.
pub(super) struct QueuedSearch {
    pub(super) source: Source,
    pub(super) task: Box<Task>,
    pub(super) budget: SearchBudget,
    pub(super) held: bool,
}

/// The pool, the queue in front of it and the mailbox behind it.
pub(super) struct Searches {
    pub(super) pool: Pool,
    queue: FairQueue<JobId>,
    waiting: HashMap<JobId, QueuedSearch>,
    mailbox: Arc<Mailbox>,
    /// Events taken from the mailbox and not yet delivered.
    events: VecDeque<(JobId, SearchEvent)>,
}

/// Returns the slot of the connection with this owner number.
pub(super) fn slot_of(owner: u64) -> usize {
    owner as u32 as usize
}

/// Returns the number of an owner's session, which no other session of this server has.
pub(super) fn session_number(owner: u64) -> u64 {
    owner >> 32
}

impl Searches {
    pub(super) fn new(pool: Pool, mailbox: Arc<Mailbox>) -> Searches {
        let queue = FairQueue::new();
        Searches { pool, queue, waiting: HashMap::new(), mailbox, events: VecDeque::new() }
    }

    /// Returns true if there is something to do without a system event.
    pub(super) fn has_work(&self) -> bool {
        // A message in a mailbox that is not empty wakes nothing: the one before it did.
        !self.waiting.is_empty() || !self.events.is_empty() || !self.mailbox.is_empty()
    }

    /// Carries out a session's order, in the queue or in the pool.
    pub(super) fn order(&mut self, job: JobId, order: SearchOrder, source: Source) {
        match order {
            SearchOrder::Start(task, budget) => {
                self.waiting.insert(job, QueuedSearch { source, task, budget, held: false });
                self.queue.join(job, source.id);
            }
            SearchOrder::Stop => self.stop(job),
            order => match (self.waiting.get_mut(&job), order) {
                (None, order) => self.pool.order(job, order, source),
                (Some(waiting), SearchOrder::Retime(budget)) => waiting.budget = budget,
                (Some(waiting), SearchOrder::Resume(budget)) => {
                    (waiting.held, waiting.budget) = (false, budget)
                }
                (Some(waiting), _) => waiting.held = true,
            },
        }
    }

    pub(super) fn stop(&mut self, job: JobId) {
        match self.waiting.remove(&job) {
            Some(_) => self.queue.remove(job),
            None => self.pool.stop(job),
        }
    }

    /// Begins the starts of a turn.
    pub(super) fn begin_starts(&mut self) {
        self.queue.rest();
    }

    /// Takes the next search to start. Its cost is to be [charged](Self::charge).
    pub(super) fn next_start(&mut self) -> Option<(JobId, QueuedSearch)> {
        loop {
            let (job, _) = self.queue.next()?;
            if let Some(waiting) = self.waiting.remove(&job) {
                return Some((job, waiting));
            }
        }
    }

    /// Charges a source for the start of a search.
    pub(super) fn charge(&mut self, source: Source, cost: Duration) {
        self.queue.charge(source.id, cost);
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
            events.into_iter().partition(|(job, _)| slots.contains(&slot_of(job.owner)));
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
