//! Searches that are held: suspended by their owner, for as long as it likes.
//!
//! Who is resumed must neither have gained by having been held nor starve. Others went on meanwhile, so at
//! its old virtual run time it would keep them waiting until it had caught up: it comes in as one does that starts
//! again.

use super::{Claim, JobId, Order, Scheduler, State};
use std::time::Instant;

impl Scheduler {
    /// A search is to get no token until it is resumed; one that it holds is asked back. Unknown searches
    /// and those that are held already are ignored.
    pub fn hold(&mut self, job: JobId, now: Instant, orders: &mut Vec<Order>) {
        let Some(&before) = self.jobs.get(&job).filter(|entry| !entry.held) else { return };
        if before.in_line() {
            self.leave_line(job);
        }
        if let Some(entry) = self.jobs.get_mut(&job) {
            entry.held = true;
            if let State::Running { revoked: revoked @ false, .. } = &mut entry.state {
                *revoked = true;
                orders.push(Order::Revoke { job });
            }
        }
        self.dispatch(now, orders);
    }

    /// A search may run again, and wants this. One that is not held only changes what it wants. Unknown searches are
    /// ignored.
    pub fn resume(&mut self, job: JobId, claim: Claim, now: Instant, orders: &mut Vec<Order>) {
        self.let_go(job, now);
        self.reclass(job, claim, now, orders);
    }

    fn let_go(&mut self, job: JobId, now: Instant) {
        let Some(&before) = self.jobs.get(&job).filter(|entry| entry.held) else { return };
        // Who still holds its token was not away.
        let was_away = before.state == State::Waiting;
        if was_away {
            let least = self.least(before.track(), now);
            self.lanes[before.track() as usize].wake(before.source, least);
        }
        let Some(entry) = self.jobs.get_mut(&job) else { return };
        entry.held = false;
        if was_away {
            entry.virtual_time = self.lanes[before.track() as usize].clamp(entry);
            self.join_line(job);
        }
    }
}
