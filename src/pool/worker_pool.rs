//! The pool as sessions use it: start, retime, hold, resume and stop searches.

use super::job::Job;
use super::scheduler::{Refusal, Scheduler, SearchParams};
use super::shared::{SearchFn, Shared, State};
use super::sync::{Arc, Mutex};
use super::threads::{Threads, join};
use super::{JobId, Mailbox, Metrics, RefusalCause, SearchBudget, SearchOrder, Shortage, Source, Task};
use crate::search::{SizedTable, Table};
use std::collections::{HashMap, VecDeque};

/// Returns the function that runs tasks, with one table for all searches. The first search by the
/// built-in engine touches the table's pages, if nothing has before.
pub fn engine(table: impl Into<Arc<Table>>) -> Box<SearchFn> {
    let table = table.into();
    Box::new(move |task, gate, reports| task.run(&table, gate, reports))
}

/// Returns the function that runs tasks of a single session, with a table of the size that the
/// session asks for.
pub fn engine_of_one_session(table: SizedTable) -> Box<SearchFn> {
    Box::new(move |task, gate, reports| {
        let memory = task.search().and_then(|request| request.table.memory);
        task.run(&table.get(memory), gate, reports)
    })
}

/// Size of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Run tokens: how many searches run at a time. At least 1; the number of cores is right.
    pub workers: usize,
    /// Maximum number of searches of each class; further ones are refused. There are at most as
    /// many threads as searches, besides one for each token and a few spare ones.
    pub searches: usize,
    /// Steps above the niceness of the process at its start for the searching threads, so that the
    /// threads that feed them go first; 0 to leave them as they are.
    pub niceness: i32,
}

/// Searches, and the threads that run them.
///
/// Every method returns at once. Dropping the pool stops all searches and waits for their threads.
pub struct Pool {
    pub(super) shared: Arc<Shared>,
}

impl Pool {
    /// A pool that runs `search` and puts reports into `mailbox`. Threads are spawned with the
    /// first searches.
    pub fn new(size: Size, search: Box<SearchFn>, mailbox: Arc<Mailbox>) -> Pool {
        let state = State {
            scheduler: Scheduler::new(size.workers, size.searches),
            jobs: HashMap::new(),
            starting: VecDeque::new(),
            threads: Threads::new(size.workers),
            closing: false,
            decisions: Vec::new(),
        };
        let metrics =
            std::sync::Arc::new(Metrics::new(state.scheduler.tokens(), size.searches.max(size.workers)));
        let (state, niceness, thread_main) = (Mutex::new(state), size.niceness, Shared::thread_main);
        Pool { shared: Arc::new(Shared { state, search, mailbox, metrics, niceness, thread_main }) }
    }

    /// Starts a search that uses the shares of `source`. Its events go into the mailbox under this
    /// id; the last one is its end or its refusal. An id that is in use is a mistake of the caller:
    /// it is logged, and nothing is started.
    pub fn start(&self, id: JobId, task: Box<Task>, budget: SearchBudget, source: Source) {
        let mut state = self.shared.lock();
        if state.jobs.contains_key(&id) {
            log::error!("{id:?} was started twice");
            return;
        }
        let job = Arc::new(Job::new(id, task, budget));
        state.jobs.insert(id, Arc::clone(&job));
        let mut admitted = Ok(());
        self.shared.apply(&mut state, |scheduler, now, decisions| {
            let params = SearchParams { coarse: job.task.is_coarse(), ..SearchParams::from(&budget) };
            admitted = scheduler.admit(id, source, params, now, decisions);
        });
        if let Err(Refusal::Full(count) | Refusal::Share(count)) = admitted {
            state.jobs.remove(&id);
            let is_full = matches!(admitted, Err(Refusal::Full(_)));
            let cause = if is_full { RefusalCause::Searches } else { RefusalCause::Source };
            // To its owner both are the same.
            self.shared.refuse(cause, id, Shortage::Searches(count));
        } else if state.jobs.contains_key(&id) {
            // The search was not refused at once for lack of a thread.
            self.shared.start_helpers(&mut state, &job, source);
        }
    }

    /// Changes the budget of a search (a ponder hit). Ignored if the search has ended.
    pub fn retime(&self, id: JobId, budget: SearchBudget) {
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.get(&id) else { return };
        job.retime(budget);
        self.shared.apply(&mut state, |scheduler, now, decisions| {
            scheduler.set_params(id, SearchParams::from(&budget), now, decisions);
        });
    }

    /// Suspends a search where it is: it yields its token at its next poll, and until
    /// [`Pool::resume`] it gets none and does not end by its maximum. It can be retimed and stopped
    /// like any other search. Earlier reports may still be in the mailbox, even its end. Ignored if
    /// the search has ended.
    ///
    /// The search keeps its thread and its slot in its class.
    pub fn hold(&self, id: JobId) {
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.get(&id).cloned() else { return };
        job.hold();
        self.shared.apply(&mut state, |scheduler, now, decisions| scheduler.hold(id, now, decisions));
        self.shared.hold_helpers(&mut state, &job);
    }

    /// Resumes a held search where it was, with a new budget whose `since` includes the time for
    /// which the search was held. Elapsed time excludes that. A search that is not held only gets
    /// the budget; ignored if the search has ended.
    pub fn resume(&self, id: JobId, budget: SearchBudget) {
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.get(&id).cloned() else { return };
        job.resume(budget);
        self.shared.apply(&mut state, |scheduler, now, decisions| {
            scheduler.resume(id, SearchParams::from(&budget), now, decisions);
        });
        self.shared.resume_helpers(&mut state, &job);
    }

    /// Stops a search. Its token is free at once. It reports no more, though earlier reports may
    /// still be in the mailbox. Ignored if the search has ended.
    pub fn stop(&self, id: JobId) {
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.remove(&id) else { return };
        job.stop();
        // Frees the slot now: a thread would only find that there is nothing to do.
        state.starting.retain(|other| other.id != id);
        self.shared.stop_helpers(&mut state, &job);
        self.shared.apply(&mut state, |scheduler, now, decisions| scheduler.remove(id, now, decisions));
    }

    /// Carries out the order of a session. Searches that it starts use the shares of `source`.
    pub fn order(&self, id: JobId, order: SearchOrder, source: Source) {
        match order {
            SearchOrder::Start(task, budget) => self.start(id, task, budget, source),
            SearchOrder::Retime(budget) => self.retime(id, budget),
            SearchOrder::Hold => self.hold(id),
            SearchOrder::Resume(budget) => self.resume(id, budget),
            SearchOrder::Stop => self.stop(id),
        }
    }

    /// Counts a search that is not started, and notifies its owner.
    pub fn refuse(&self, id: JobId, shortage: Shortage) {
        self.shared.refuse(shortage.into(), id, shortage);
    }

    /// Returns the pool's metrics.
    pub fn metrics(&self) -> std::sync::Arc<Metrics> {
        std::sync::Arc::clone(&self.shared.metrics)
    }

    /// Searches that were started and have not ended.
    pub fn searches(&self) -> usize {
        self.shared.lock().jobs.len()
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.shared.lock().threads.len()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let threads = {
            let mut state = self.shared.lock();
            state.closing = true;
            state.starting.clear();
            state.jobs.values().for_each(|job| job.stop());
            state.jobs.clear();
            state.threads.wake_all();
            state.threads.take_all()
        };
        join(threads);
    }
}
