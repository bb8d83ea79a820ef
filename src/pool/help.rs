//! Further threads of one search (`cores`): they search the same position with the same table, each a little
//! differently, and what they find there makes the main search faster.
//!
//! To the scheduler they are searches of the class *help*, which get tokens that nobody else wants. They say nothing,
//! and end with their main search, which tells their nodes as its own.

use super::job::Job;
use super::scheduler::Claim;
use super::sync::{Arc, now};
use super::workers::{Shared, State};
use super::{Class, Source, Terms, Timebase};
use crate::search::{Limits, Request};

impl Shared {
    /// Starts the helpers that a search wants, as far as there are tokens for them. They are of the same source.
    pub(super) fn start_helpers(self: &Arc<Shared>, state: &mut State, main: &Job, source: Source) {
        let spare = u8::try_from(state.scheduler.tokens() - 1).unwrap_or(u8::MAX);
        for helper in 1..=main.request.helpers.min(spare) {
            let id = main.id.helper(helper);
            let request =
                Request { helper, helpers: 0, limits: Limits::default(), ..(*main.request).clone() };
            state.jobs.insert(id, Arc::new(Job::helper_of(main, id, Box::new(request), terms())));
            let mut admitted = Ok(());
            self.obey(state, |scheduler, now, orders| {
                admitted = scheduler.arrive(id, source, Claim::of(Class::Help), now, orders);
            });
            if admitted.is_err() {
                state.jobs.remove(&id);
            }
        }
    }

    /// Stops the helpers of a search that has ended. What is ordered by that is still to be carried out.
    pub(super) fn stop_helpers(&self, state: &mut State, main: &Job) {
        for job in state.helpers(main) {
            state.jobs.remove(&job.id);
            job.stop();
            state.starting.retain(|other| other.id != job.id);
            state.scheduler.depart(job.id, now(), &mut state.orders);
        }
    }

    /// Suspends the helpers of a search that is held.
    pub(super) fn hold_helpers(self: &Arc<Shared>, state: &mut State, main: &Job) {
        for job in state.helpers(main) {
            job.hold();
            self.obey(state, |scheduler, now, orders| scheduler.hold(job.id, now, orders));
        }
    }

    /// Lets the helpers of a search go on.
    pub(super) fn resume_helpers(self: &Arc<Shared>, state: &mut State, main: &Job) {
        for job in state.helpers(main) {
            job.resume(terms());
            let claim = Claim::of(Class::Help);
            self.obey(state, |scheduler, now, orders| scheduler.resume(job.id, claim, now, orders));
        }
    }
}

/// On what terms a helper runs: it ends only with its main search.
fn terms() -> Terms {
    Terms { class: Class::Help, since: now(), allotment: None, timebase: Timebase::Wall, limits: None }
}

impl State {
    /// The helpers of a search that there are.
    fn helpers(&self, main: &Job) -> Vec<Arc<Job>> {
        let names = (1..=main.request.helpers).map(|helper| main.id.helper(helper));
        names.filter_map(|id| self.jobs.get(&id).cloned()).collect()
    }
}
