//! Searches to be started at the end of a turn of the loop.
//!
//! Starting a search costs a hundred times as much as most commands: a thread wakes, and others
//! yield their tokens. A client that sends `go` and `force` endlessly, or changes the analysed
//! position with each line, needs none of the searches in between. So a search is queued until all
//! input of the turn is handled, and one that is stopped before costs nothing. The time for starts
//! per turn is bounded, and the source that has started least goes first, so a crowd that keeps
//! starting searches delays no other source.

use crate::pool::{JobId, Pool, SearchBudget, SearchOrder, Source, Task};
use crate::server::event_loop::fair_queue::FairQueue;
use std::collections::HashMap;
use std::time::Duration;

/// Time for starting searches in one turn of the loop.
pub(in crate::server) const MAX_START_TIME: Duration = Duration::from_micros(500);

/// A search waiting to be started.
pub(in crate::server) struct QueuedSearch {
    pub(in crate::server) source: Source,
    pub(in crate::server) task: Box<Task>,
    pub(in crate::server) budget: SearchBudget,
    pub(in crate::server) held: bool,
}

/// Searches on their way to the pool. Orders for started searches are passed on.
pub(in crate::server) struct SearchQueue {
    queue: FairQueue<JobId>,
    waiting: HashMap<JobId, QueuedSearch>,
}

impl SearchQueue {
    pub(in crate::server) fn new() -> SearchQueue {
        SearchQueue { queue: FairQueue::new(), waiting: HashMap::new() }
    }

    /// Forgets past costs if the queue is empty.
    pub(in crate::server) fn rest(&mut self) {
        self.queue.rest();
    }

    /// Returns true if no search waits.
    pub(in crate::server) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Carries out an order: a queued search is changed here, any other in the pool.
    pub(in crate::server) fn order(&mut self, job: JobId, order: SearchOrder, source: Source, pool: &Pool) {
        match order {
            SearchOrder::Start(task, budget) => {
                self.waiting.insert(job, QueuedSearch { source, task, budget, held: false });
                self.queue.join(job, source.id);
            }
            SearchOrder::Stop => self.stop(job, pool),
            order => match (self.waiting.get_mut(&job), order) {
                (None, order) => pool.order(job, order, source),
                (Some(waiting), SearchOrder::Retime(budget)) => waiting.budget = budget,
                (Some(waiting), SearchOrder::Resume(budget)) => {
                    (waiting.held, waiting.budget) = (false, budget)
                }
                (Some(waiting), _) => waiting.held = true,
            },
        }
    }

    /// Removes a queued search, or stops it in the pool.
    pub(in crate::server) fn stop(&mut self, job: JobId, pool: &Pool) {
        match self.waiting.remove(&job) {
            Some(_) => self.queue.remove(job),
            None => pool.stop(job),
        }
    }

    /// Takes the next search to start. Its cost is to be [charged](Self::charge).
    pub(in crate::server) fn next(&mut self) -> Option<(JobId, QueuedSearch)> {
        loop {
            let (job, _) = self.queue.next()?;
            if let Some(waiting) = self.waiting.remove(&job) {
                return Some((job, waiting));
            }
        }
    }

    /// Charges a source for the start of a search.
    pub(in crate::server) fn charge(&mut self, source: Source, cost: Duration) {
        self.queue.charge(source.id, cost);
    }
}
