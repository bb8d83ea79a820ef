//! Searches that are to begin at the end of a turn of the loop.
//!
//! To begin a search costs a hundred times what most commands do: a thread wakes, and others are asked for their
//! tokens. A client that says `go` and `force` without end, or changes the position of its analysis with each line,
//! has nothing of the searches in between. So a search waits until all input of the turn is handled, and one that is
//! stopped before costs nothing. In one turn only for some time searches are begun, and who has begun least goes
//! first; so a crowd that begins searches all the time keeps nobody else waiting.

use super::fair_queue::FairQueue;
use crate::pool::{JobId, Pool, SearchBudget, SearchOrder, Source};
use crate::search::Request;
use std::collections::HashMap;
use std::time::Duration;

/// For how long searches are begun in one turn of the loop.
pub(super) const MAX_START_TIME: Duration = Duration::from_micros(500);

/// A search that is to begin.
pub(super) struct QueuedSearch {
    pub(super) source: Source,
    pub(super) request: Box<Request>,
    pub(super) budget: SearchBudget,
    pub(super) held: bool,
}

/// Searches on their way to the pool; what is ordered for one that is there already goes to the pool.
pub(super) struct SearchQueue {
    queue: FairQueue<JobId>,
    waiting: HashMap<JobId, QueuedSearch>,
}

impl SearchQueue {
    pub(super) fn new() -> SearchQueue {
        SearchQueue { queue: FairQueue::new(), waiting: HashMap::new() }
    }

    /// Forgets the costs of the past if nobody waits.
    pub(super) fn rest(&mut self) {
        self.queue.rest();
    }

    /// Whether there are searches that are to begin.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// A session of this source wants something of a search: one that has not begun is changed here, others in the pool.
    pub(super) fn order(&mut self, job: JobId, order: SearchOrder, source: Source, pool: &Pool) {
        match order {
            SearchOrder::Start(request, budget) => {
                self.waiting.insert(job, QueuedSearch { source, request, budget, held: false });
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

    /// A search is not wanted any more.
    pub(super) fn stop(&mut self, job: JobId, pool: &Pool) {
        match self.waiting.remove(&job) {
            Some(_) => self.queue.remove(job),
            None => pool.stop(job),
        }
    }

    /// Takes the search that is to begin next. What that has cost is to be [charged](Self::charge).
    pub(super) fn next(&mut self) -> Option<(JobId, QueuedSearch)> {
        loop {
            let (job, _) = self.queue.next()?;
            if let Some(waiting) = self.waiting.remove(&job) {
                return Some((job, waiting));
            }
        }
    }

    /// To begin a search of this source has cost so much.
    pub(super) fn charge(&mut self, source: Source, cost: Duration) {
        self.queue.charge(source.id, cost);
    }
}
