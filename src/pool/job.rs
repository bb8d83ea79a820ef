//! One search from the pool's side, and the gate through which the searching thread meets the pool.

use super::stopwatch::Stopwatch;
use super::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Seat, now, reading};
use super::workers::Shared;
use super::{JobId, Terms};
use crate::search::{Gate, Limits, Request, Verdict};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A search that was started and has not ended.
pub(super) struct Job {
    pub(super) id: JobId,
    pub(super) request: Box<Request>,
    /// Nodes that helpers have searched; they and their main search have this in common.
    helped: Arc<AtomicU64>,
    /// Where its thread wakes, once it has one.
    seat: OnceLock<Arc<Seat>>,
    control: Mutex<Control>,
    changed: Condvar,
}

struct Control {
    stopped: bool,
    /// The token is wanted back at the next poll.
    revoked: bool,
    /// The token, if it holds one.
    granted: Option<Grant>,
    /// The slice ends with the first variation.
    brief: bool,
    watch: Stopwatch,
}

/// What is left of a slice that could be handed out only late.
pub(super) const LEAST_SLICE: Duration = Duration::from_millis(1);

/// A token for a time.
struct Grant {
    slice: Duration,
    /// The end of the slice, which begins when the thread notices it: where other programs keep it from running for
    /// longer than a slice, it would else give back every token without having run at all.
    until: Option<Instant>,
}

/// What a search finds at a poll.
pub(super) enum Turn {
    Run,
    /// The token was given up; the scheduler must hear of it.
    GiveBack,
    Stop,
}

impl Job {
    pub(super) fn new(id: JobId, request: Box<Request>, terms: Terms) -> Job {
        let watch = Stopwatch::new(terms);
        let control = Control { stopped: false, revoked: false, granted: None, brief: false, watch };
        Job {
            id,
            request,
            helped: Arc::default(),
            seat: OnceLock::new(),
            control: Mutex::new(control),
            changed: Condvar::new(),
        }
    }

    /// A helper of `main`.
    pub(super) fn helper_of(main: &Job, id: JobId, request: Box<Request>, terms: Terms) -> Job {
        Job { helped: Arc::clone(&main.helped), ..Job::new(id, request, terms) }
    }

    /// It has got a thread, which wakes there.
    pub(super) fn sit(&self, seat: &Arc<Seat>) {
        let _ = self.seat.set(Arc::clone(seat));
    }

    /// The calling thread is about to grant it a token and to sleep.
    pub(super) fn offer_seat(&self) {
        if let Some(seat) = self.seat.get() {
            seat.offer_here();
        }
    }

    /// The calling thread, which is its own, has found the token.
    fn leave_seat(&self) {
        if let Some(seat) = self.seat.get() {
            seat.leave();
        }
    }

    /// Nodes that its helpers have searched so far.
    pub(super) fn helped(&self) -> u64 {
        self.helped.load(Ordering::Relaxed)
    }

    fn control(&self) -> MutexGuard<'_, Control> {
        self.control.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It may run until then; if `brief`, only until it has something to show.
    pub(super) fn grant(&self, until: Instant, brief: bool) {
        let mut control = self.control();
        control.brief = brief;
        let slice = until.saturating_duration_since(now()).max(LEAST_SLICE);
        control.granted = Some(Grant { slice, until: None });
        control.revoked = false;
        self.changed.notify_one();
    }

    /// It has something to show.
    pub(super) fn shows(&self) {
        let mut control = self.control();
        if control.brief {
            control.revoked = true;
        }
    }

    /// Whether it was asked for its token.
    fn is_revoked(&self) -> bool {
        self.control().revoked
    }

    /// Whether its slice is over.
    fn is_at_the_end(&self) -> bool {
        let control = self.control();
        let until = control.granted.as_ref().and_then(|grant| grant.until);
        until.is_some_and(|until| until <= now())
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
        self.control().watch.retime(terms);
        // A new maximum is a new end of the wait.
        self.changed.notify_one();
    }

    /// From now on it does not end by its maximum. That it runs no more is the scheduler's affair.
    pub(super) fn hold(&self) {
        self.control().watch.hold(now());
    }

    pub(super) fn resume(&self, terms: Terms) {
        self.control().watch.resume(terms, now());
        self.changed.notify_one();
    }

    /// Waits until the search may run or must stop, or has to say that it gives its token back.
    pub(super) fn turn(&self) -> Turn {
        let mut control = self.control();
        loop {
            let now = reading();
            if control.stopped || control.watch.is_over(now) {
                return Turn::Stop;
            }
            let revoked = control.revoked;
            match &mut control.granted {
                Some(grant) => {
                    if grant.until.is_none() {
                        self.leave_seat();
                    }
                    let until = *grant.until.get_or_insert(now.wall + grant.slice);
                    if !revoked && now.wall < until {
                        return Turn::Run;
                    }
                    control.granted = None;
                    return Turn::GiveBack;
                }
                None => {
                    let left = control.watch.left(now.wall);
                    control = self.wait(control, left);
                }
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
    shared: &'a Arc<Shared>,
    job: &'a Job,
    /// Nodes of a helper that its main search knows of.
    told: u64,
}

impl<'a> WorkerGate<'a> {
    /// The gate of a search that begins on the calling thread, or would if it were not held: waits for that.
    pub(super) fn open(shared: &'a Arc<Shared>, job: &'a Job) -> WorkerGate<'a> {
        let mut gate = WorkerGate { shared, job, told: 0 };
        let held = {
            let mut control = job.control();
            control.watch.begin(reading());
            control.watch.is_held()
        };
        if held {
            // A search that must stop finds out for itself, and has a move then.
            let _ = gate.poll(0);
        }
        gate
    }
}

impl Gate for WorkerGate<'_> {
    fn pauses(&mut self) -> bool {
        // Where nobody waits it gets another slice at once.
        self.job.is_revoked() || self.job.is_at_the_end() && self.shared.lock().scheduler.has_waiting()
    }

    fn poll(&mut self, nodes: u64) -> Verdict {
        if self.job.id.is_helper() {
            let more = nodes.saturating_sub(std::mem::replace(&mut self.told, nodes));
            self.job.helped.fetch_add(more, Ordering::Relaxed);
        }
        loop {
            match self.job.turn() {
                Turn::Run => return Verdict::Continue,
                Turn::Stop => return Verdict::Stop,
                Turn::GiveBack => self.shared.give_back(self.job.id),
            }
        }
    }

    fn elapsed(&self) -> Duration {
        self.job.control().watch.elapsed(reading())
    }

    fn limits(&self, asked: Limits) -> Limits {
        self.job.control().watch.limits(asked)
    }

    fn past_optimum(&self, scale: f32) -> bool {
        self.job.control().watch.is_past_optimum(scale, reading())
    }
}
