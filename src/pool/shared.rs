//! State shared by the threads of a pool, and execution of the scheduler's decisions.

use super::job::Job;
use super::scheduler::{Decision, Scheduler};
use super::sync::{Arc, Mutex, MutexGuard, PoisonError, now};
use super::threads::Threads;
use super::{JobId, Mailbox, Metrics, RefusalCause, SearchEvent, Shortage, Task};
use crate::search::{Done, Gate};
use std::collections::{HashMap, VecDeque};
use std::time::Instant;

/// Runs a search: the engine, or a stand-in in tests. Called on many threads at once.
pub type SearchFn = dyn Fn(&Task, &mut dyn Gate, &mut dyn FnMut(SearchEvent)) -> Done + Send + Sync;

/// State shared by the threads of a pool.
pub(super) struct Shared {
    pub(super) state: Mutex<State>,
    pub(super) search: Box<SearchFn>,
    pub(super) mailbox: Arc<Mailbox>,
    /// Of the system, also in the model: readers are no threads of the pool.
    pub(super) metrics: std::sync::Arc<Metrics>,
    pub(super) niceness: i32,
    /// The main loop of a thread.
    pub(super) thread_main: fn(Arc<Shared>),
}

pub(super) struct State {
    pub(super) scheduler: Scheduler,
    pub(super) jobs: HashMap<JobId, Arc<Job>>,
    /// Searches granted a token for the first time and not yet taken by a thread.
    pub(super) starting: VecDeque<Arc<Job>>,
    pub(super) threads: Threads,
    pub(super) closing: bool,
    /// Kept between calls to save allocations.
    pub(super) decisions: Vec<Decision>,
}

/// Next action of the thread that executes decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CallerNext {
    /// It continues: a woken thread runs wherever the system puts it.
    Continues,
    /// It sleeps, and leaves its core to the next search.
    Sleeps,
    /// It takes the first search that is to start.
    TakesJob,
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search yields its token; if no other search goes first, it is granted another slice at
    /// once.
    pub(super) fn yield_token(self: &Arc<Shared>, id: JobId) {
        let mut state = self.lock();
        let State { scheduler, decisions, .. } = &mut *state;
        scheduler.yield_token(id, now(), decisions);
        let again = decisions.iter().any(|decision| decision.grants(id));
        self.carry_out_all(&mut state, if again { CallerNext::Continues } else { CallerNext::Sleeps });
    }

    /// Passes an event to the scheduler and executes its decisions.
    pub(super) fn apply(
        self: &Arc<Shared>,
        state: &mut State,
        tell: impl FnOnce(&mut Scheduler, Instant, &mut Vec<Decision>),
    ) {
        tell(&mut state.scheduler, now(), &mut state.decisions);
        self.carry_out_all(state, CallerNext::Continues);
    }

    /// Carries out all decisions.
    pub(super) fn carry_out_all(self: &Arc<Shared>, state: &mut State, mut next: CallerNext) {
        while !state.decisions.is_empty() {
            for decision in std::mem::take(&mut state.decisions) {
                self.carry_out(state, decision, &mut next);
            }
        }
        self.metrics.note(&state.scheduler, state.threads.len());
        #[cfg(debug_assertions)]
        state.check_invariants();
    }

    fn carry_out(self: &Arc<Shared>, state: &mut State, decision: Decision, next: &mut CallerNext) {
        match decision {
            Decision::Grant { job, until, first, until_variation, class, waited } => {
                // A search that continues at once has not waited.
                if first || !waited.is_zero() {
                    self.metrics.waited(class, waited);
                }
                let Some(job) = state.jobs.get(&job).cloned() else { return };
                if *next == CallerNext::Sleeps && !first {
                    *next = CallerNext::Continues;
                    job.pin_here();
                }
                job.grant(until, until_variation);
                if first {
                    self.assign_thread(state, job, std::mem::replace(next, CallerNext::Continues));
                }
            }
            Decision::Revoke { job } => {
                if let Some(job) = state.jobs.get(&job) {
                    job.revoke();
                }
            }
        }
    }

    /// Frees the token of a search that has ended or was refused, and notifies its owner.
    pub(super) fn finish(&self, state: &mut State, job: &Job, end: SearchEvent) {
        if job.is_stopped() {
            return;
        }
        state.jobs.remove(&job.id);
        state.scheduler.remove(job.id, now(), &mut state.decisions);
        self.stop_helpers(state, job);
        if !job.id.is_helper() {
            self.mailbox.put(job.id, end.with_more(job.helper_nodes()));
        }
    }

    /// Counts a refused search and notifies its owner.
    pub(super) fn refuse(&self, cause: RefusalCause, job: JobId, shortage: Shortage) {
        self.metrics.refused.of(cause).add(1);
        self.mailbox.put(job, SearchEvent::Refused(shortage));
    }

    /// Assigns a thread to a search that has not run yet; `next` is the calling thread's next
    /// action.
    fn assign_thread(self: &Arc<Shared>, state: &mut State, job: Arc<Job>, next: CallerNext) {
        state.starting.push_back(Arc::clone(&job));
        if state.wants_thread()
            && let Err(error) = self.spawn_thread(state)
        {
            state.threads.log_shortage(&error);
            // Threads of running searches may never become free: some of these wait for a token,
            // and the search that waits for a thread holds one.
            if state.scheduler.started() > state.threads.len() {
                state.starting.pop_back();
                if !job.id.is_helper() {
                    self.metrics.refused.of(RefusalCause::Threads).add(1);
                }
                return self.finish(state, &job, SearchEvent::Refused(Shortage::Threads));
            }
        }
        if next != CallerNext::TakesJob {
            state.threads.wake_one(next == CallerNext::Sleeps);
        }
    }

    fn spawn_thread(self: &Arc<Shared>, state: &mut State) -> std::io::Result<()> {
        let (shared, main) = (Arc::clone(self), self.thread_main);
        state.threads.spawn(move || main(shared))
    }

    /// Stops the helpers of a search that has ended. The decisions that follow are left for the
    /// caller to carry out.
    pub(super) fn stop_helpers(&self, state: &mut State, main: &Job) {
        for job in state.helpers(main) {
            state.jobs.remove(&job.id);
            job.stop();
            state.starting.retain(|other| other.id != job.id);
            state.scheduler.remove(job.id, now(), &mut state.decisions);
        }
    }
}

impl State {
    /// Whether one more thread is wanted and allowed.
    fn wants_thread(&self) -> bool {
        let most = self.scheduler.started() + self.threads.spare;
        self.threads.idle < self.starting.len() && self.threads.len() < most
    }

    /// Panics if a search could wait for a thread indefinitely. Called after every change in debug
    /// builds.
    #[cfg(debug_assertions)]
    pub(super) fn check_invariants(&self) {
        let threads = &self.threads;
        assert!(self.closing || self.scheduler.started() <= threads.len(), "a search waits in vain");
        assert!(self.closing || threads.idle <= threads.len(), "more threads are idle than there are");
    }

    /// The helpers of a search that still run.
    pub(super) fn helpers(&self, main: &Job) -> Vec<Arc<Job>> {
        let names = (1..=main.task.helpers()).map(|helper| main.id.helper(helper));
        names.filter_map(|id| self.jobs.get(&id).cloned()).collect()
    }
}
