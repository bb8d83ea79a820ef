//! Parallel search (Lazy SMP, option `cores`): helper threads search the same position with the
//! same table, each a little differently. Their table entries make the main search faster, and they
//! vote on the move to play.
//!
//! To the scheduler, helpers are searches of the class *help*, which get tokens that no other
//! search wants. Helpers report nothing to the client and end with their main search, which counts
//! their nodes as its own.

use super::job::Job;
use super::scheduler::SearchParams;
use super::shared::{Shared, State};
use super::sync::{Arc, now};
use super::{Class, SearchBudget, Source, Task, Timebase};
use crate::search::{Done, Info, Limits, Report, Request, ThreadRole};

impl Shared {
    /// Starts the helpers that a search asks for, as far as tokens allow. Helpers belong to the
    /// source of their search.
    pub(super) fn start_helpers(self: &Arc<Shared>, state: &mut State, main: &Job, source: Source) {
        let Task::Search(main_request) = &*main.task else { return };
        let spare = u8::try_from(state.scheduler.tokens() - 1).unwrap_or(u8::MAX);
        for helper in 1..=main_request.thread.helpers().min(spare) {
            let id = main.id.helper(helper);
            let mut request = Request {
                thread: ThreadRole::Helper(helper),
                limits: Limits::default(),
                ..main_request.clone()
            };
            // Only the main search reports table entries.
            request.resumption.warm_limit = 0;
            state
                .jobs
                .insert(id, Arc::new(Job::helper_of(main, id, Box::new(Task::Search(request)), budget())));
            let mut admitted = Ok(());
            self.apply(state, |scheduler, now, decisions| {
                admitted = scheduler.admit(id, source, SearchParams::of(Class::Help), now, decisions);
            });
            if admitted.is_err() {
                state.jobs.remove(&id);
            }
        }
    }

    /// Returns the result of a search that has ended by itself: of a search for a move, with the
    /// variation that its threads have voted for, which is then reported. A search to a depth keeps
    /// its own, and so does one that looks for saving pieces, which are for its own line.
    pub(super) fn vote(&self, main: &Job, done: Done) -> Done {
        let Task::Search(request) = &*main.task else { return done };
        let Limits { depth, mate, .. } = request.limits;
        let own = request.first_moves.lines > 1 || request.style.partner.is_some();
        if !request.game || own || depth.is_some() || mate.is_some() {
            return done;
        }
        let Some(elected) = main.votes.elect(&done) else { return done };
        let Info { depth, score, .. } = elected;
        let (best, ponder) = (elected.pv.first().copied(), elected.pv.get(1).copied());
        let info = Info { elapsed: done.elapsed, nodes: done.nodes, ..elected };
        self.report(main, Report::Info(info).into());
        Done { best, ponder, score, depth, ..done }
    }

    /// Suspends the helpers of a search that is held.
    pub(super) fn hold_helpers(self: &Arc<Shared>, state: &mut State, main: &Job) {
        for job in state.helpers(main) {
            job.hold();
            self.apply(state, |scheduler, now, decisions| scheduler.hold(job.id, now, decisions));
        }
    }

    /// Resumes the helpers of a search.
    pub(super) fn resume_helpers(self: &Arc<Shared>, state: &mut State, main: &Job) {
        for job in state.helpers(main) {
            job.resume(budget());
            let params = SearchParams::of(Class::Help);
            self.apply(state, |scheduler, now, decisions| scheduler.resume(job.id, params, now, decisions));
        }
    }
}

/// The budget of a helper: unlimited, since it ends with its main search.
fn budget() -> SearchBudget {
    SearchBudget { class: Class::Help, since: now(), allotment: None, timebase: Timebase::Wall, limits: None }
}
