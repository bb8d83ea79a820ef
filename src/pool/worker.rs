//! The main loop of a searching thread.

use super::SearchEvent;
use super::gate::WorkerGate;
use super::job::Job;
use super::scheduler::Decision;
use super::shared::{CallerNext, Shared};
use super::sync::{Arc, PoisonError};
use super::threads::{Sleeper, join};
use crate::search::{Done, Report};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// The end of a search that was stopped before it began.
const NOTHING_DONE: SearchEvent = SearchEvent::Done(Done::without_move(0, 0, Duration::ZERO));

impl Shared {
    /// The main loop of a thread.
    pub(super) fn thread_main(self: Arc<Shared>) {
        // Elsewhere all threads have equal priority.
        #[cfg(unix)]
        crate::niceness::lower_thread(self.niceness);
        #[cfg(not(unix))]
        let _ = self.niceness;
        let sleeper = Arc::new(Sleeper::of_this_thread());
        while let Some(job) = self.next_job(&sleeper) {
            job.set_affinity(&sleeper.affinity);
            let end = if job.is_stopped() { NOTHING_DONE } else { self.run_search(&job) };
            let mut state = self.lock();
            // A token may have been granted at the very end; and a spawned thread inherits the
            // affinity of this one.
            sleeper.affinity.unpin();
            // Before any assignment: this thread may be the one to take the next search.
            state.threads.idle += 1;
            self.finish(&mut state, &job, end);
            let starts = state.decisions.iter().any(Decision::is_first_grant);
            self.carry_out_all(&mut state, if starts { CallerNext::TakesJob } else { CallerNext::Sleeps });
        }
    }

    /// The next search to run; `None` if the thread must end.
    fn next_job(&self, sleeper: &Arc<Sleeper>) -> Option<Arc<Job>> {
        let mut state = self.lock();
        let mut timed_out = false;
        loop {
            if state.closing {
                return None;
            }
            sleeper.affinity.unpin();
            if let Some(job) = state.starting.pop_front() {
                state.threads.idle -= 1;
                return Some(job);
            }
            if timed_out && state.threads.idle > state.threads.spare {
                let other = state.threads.leave();
                drop(state);
                join(other);
                return None;
            }
            let idle_timeout = state.threads.idle_timeout;
            state.threads.sleepers.push(Arc::clone(sleeper));
            let (next, waited) =
                sleeper.wake.wait_timeout(state, idle_timeout).unwrap_or_else(PoisonError::into_inner);
            state = next;
            // The thread that woke this one has removed it already, unless the wait timed out.
            state.threads.sleepers.retain(|other| !Arc::ptr_eq(other, sleeper));
            timed_out = waited.timed_out();
        }
    }

    /// Runs a search on the calling thread.
    fn run_search(self: &Arc<Shared>, job: &Job) -> SearchEvent {
        let mut gate = WorkerGate::open(self, job);
        let mut reports = |event: SearchEvent| self.report(job, event);
        // A defect of the engine costs one search, not everybody's games.
        let search = AssertUnwindSafe(|| (self.search)(&job.task, &mut gate, &mut reports));
        match catch_unwind(search) {
            Ok(done) if job.id.is_helper() => SearchEvent::Done(done),
            Ok(done) => {
                gate.count(done.nodes);
                SearchEvent::Done(self.vote(job, done))
            }
            Err(_) => {
                log::error!("{:?} ended by a panic; its session plays on without a result", job.id);
                SearchEvent::Failed
            }
        }
    }

    /// Passes on an event of a running search. Of a helper's, only variations count, as votes.
    pub(super) fn report(&self, job: &Job, event: SearchEvent) {
        if let SearchEvent::Report(Report::Info(info)) = &event
            && job.id.is_helper()
        {
            job.votes.note(job.id, info);
        }
        if matches!(event, SearchEvent::Report(Report::Info(_)) | SearchEvent::Attempts(_)) {
            job.note_variation();
        }
        if !job.is_stopped() && !job.id.is_helper() {
            self.mailbox.put(job.id, event.with_more(job.helper_nodes()));
        }
    }
}
