//! Held searches: suspended by their session for as long as it likes.
//!
//! A search that is resumed must neither have gained by having been held nor starve others. At its
//! old virtual run time it would run alone until it had caught up, so it comes back like a search
//! that starts again.

use super::{Decision, EntryState, JobId, Scheduler, SearchParams};
use std::time::Instant;

impl Scheduler {
    /// Holds a search: it gets no token until it is resumed, and its token is revoked. Ignored for
    /// unknown searches and for those held already.
    pub fn hold(&mut self, job: JobId, now: Instant, decisions: &mut Vec<Decision>) {
        let Some(&before) = self.jobs.get(&job).filter(|entry| !entry.held) else { return };
        if before.is_waiting() {
            self.dequeue(job);
        }
        if let Some(entry) = self.jobs.get_mut(&job) {
            entry.held = true;
            if let EntryState::Running { revoked: revoked @ false, .. } = &mut entry.state {
                *revoked = true;
                decisions.push(Decision::Revoke { job });
            }
        }
        self.dispatch(now, decisions);
    }

    /// Resumes a search with new parameters. A search that is not held only gets the parameters.
    /// Unknown searches are ignored.
    pub fn resume(&mut self, job: JobId, params: SearchParams, now: Instant, decisions: &mut Vec<Decision>) {
        self.release(job, now);
        self.set_params(job, params, now, decisions);
    }

    fn release(&mut self, job: JobId, now: Instant) {
        let Some(&before) = self.jobs.get(&job).filter(|entry| entry.held) else { return };
        // A search that still holds its token was never away.
        let was_away = before.state == EntryState::Waiting;
        if was_away {
            let least = self.least(before.kind(), now);
            self.queues[before.kind() as usize].wake(before.source, least);
        }
        let Some(entry) = self.jobs.get_mut(&job) else { return };
        entry.held = false;
        if was_away {
            entry.virtual_time = self.queues[before.kind() as usize].clamp(entry);
            // The time before is not waiting.
            entry.since = now;
            self.enqueue(job);
        }
    }
}
