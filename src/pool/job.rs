//! One search from the pool's side, and the gate through which the searching thread meets the pool.

use super::workers::Shared;
use super::{SearchId, Terms};
use crate::search::{Gate, Request, Verdict};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Names one search of the process: whose it is, and which of its owner's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct JobId {
    /// The caller's name for the session; never used for two sessions.
    pub owner: u64,
    /// The session's name for the search.
    pub search: SearchId,
}

impl JobId {
    /// The first in the order of names.
    pub(super) const LEAST: JobId = JobId { owner: 0, search: SearchId(0) };
}

/// A search that was started and has not ended.
pub(super) struct Job {
    pub(super) id: JobId,
    pub(super) request: Box<Request>,
    /// When it was asked for; its terms may count from a later instant (a ponder hit).
    began: Instant,
    control: Mutex<Control>,
    changed: Condvar,
}

struct Control {
    stopped: bool,
    /// The token is wanted back at the next poll.
    revoked: bool,
    /// The end of the slice, if it holds a token.
    granted: Option<Instant>,
    terms: Terms,
}

/// What a search finds at a poll.
enum Turn {
    Run,
    /// The token was given up; the scheduler must hear of it.
    GiveBack,
    Stop,
}

impl Job {
    pub(super) fn new(id: JobId, request: Box<Request>, terms: Terms) -> Job {
        let control = Control { stopped: false, revoked: false, granted: None, terms };
        Job { id, request, began: terms.since, control: Mutex::new(control), changed: Condvar::new() }
    }

    fn control(&self) -> MutexGuard<'_, Control> {
        self.control.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn grant(&self, until: Instant) {
        let mut control = self.control();
        control.granted = Some(until);
        control.revoked = false;
        self.changed.notify_one();
    }

    pub(super) fn revoke(&self) {
        self.control().revoked = true;
    }

    pub(super) fn stop(&self) {
        self.control().stopped = true;
        self.changed.notify_one();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.control().stopped
    }

    pub(super) fn retime(&self, terms: Terms) {
        self.control().terms = terms;
        // A new maximum is a new end of the wait.
        self.changed.notify_one();
    }

    fn terms(&self) -> Terms {
        self.control().terms
    }

    /// Waits until the search may run or must stop, or has to say that it gives its token back.
    fn turn(&self) -> Turn {
        let mut control = self.control();
        loop {
            let now = Instant::now();
            let maximum = control.terms.deadline();
            if control.stopped || maximum.is_some_and(|maximum| now >= maximum) {
                return Turn::Stop;
            }
            match control.granted {
                Some(until) if !control.revoked && now < until => return Turn::Run,
                Some(_) => {
                    control.granted = None;
                    return Turn::GiveBack;
                }
                None => control = self.wait(control, maximum.map(|maximum| maximum - now)),
            }
        }
    }

    fn wait<'a>(
        &self,
        control: MutexGuard<'a, Control>,
        at_most: Option<Duration>,
    ) -> MutexGuard<'a, Control> {
        match at_most {
            Some(limit) => {
                self.changed.wait_timeout(control, limit).unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait(control).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

/// The gate of a search that runs on a worker.
pub(super) struct WorkerGate<'a> {
    pub(super) shared: &'a Arc<Shared>,
    pub(super) job: &'a Job,
}

impl Gate for WorkerGate<'_> {
    fn poll(&mut self) -> Verdict {
        loop {
            match self.job.turn() {
                Turn::Run => return Verdict::Continue,
                Turn::Stop => return Verdict::Stop,
                Turn::GiveBack => self.shared.give_back(self.job.id),
            }
        }
    }

    fn elapsed(&self) -> Duration {
        self.job.began.elapsed()
    }

    fn past_optimum(&self, scale: f32) -> bool {
        let terms = self.job.terms();
        let elapsed = terms.since.elapsed().as_secs_f32();
        terms.allotment.is_some_and(|allotment| elapsed >= allotment.optimum.as_secs_f32() * scale)
    }
}
