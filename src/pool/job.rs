//! One search as the pool sees it.

use super::stopwatch::{Reading, Stopwatch};
use super::sync::{Arc, Condvar, CoreAffinity, Mutex, MutexGuard, PoisonError, now, reading};
use super::votes::Votes;
use super::{JobId, SearchBudget, Task};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A search that was started and has not ended.
pub(super) struct Job {
    pub(super) id: JobId,
    pub(super) task: Box<Task>,
    /// Nodes searched by helpers; shared between the helpers and their main search.
    helper_nodes: Arc<AtomicU64>,
    /// Votes of helpers; shared like their nodes.
    pub(super) votes: Arc<Votes>,
    /// Affinity of the thread that runs the search, once there is one.
    affinity: OnceLock<Arc<CoreAffinity>>,
    control: Mutex<Control>,
    changed: Condvar,
}

pub(super) struct Control {
    stopped: bool,
    /// The search must yield its token at the next poll.
    revoked: bool,
    /// The token, if the search holds one.
    granted: Option<Grant>,
    /// The slice ends with the first variation.
    until_variation: bool,
    pub(super) watch: Stopwatch,
}

/// The shortest slice, for a token that was handed out late.
pub(super) const MIN_SLICE: Duration = Duration::from_millis(1);

/// A token for a limited time.
struct Grant {
    slice: Duration,
    /// The end of the slice. It is set when the thread first notices the token: on a machine so
    /// busy that the thread starts later than a slice lasts, every token would otherwise be
    /// returned unused.
    until: Option<Instant>,
}

impl Control {
    /// Returns the instruction at this time; `None` if the search has no token.
    fn token_state(&mut self, now: Reading) -> Option<TokenState> {
        if self.stopped || self.watch.is_over(now) {
            return Some(TokenState::Stop);
        }
        let grant = self.granted.as_mut()?;
        let until = *grant.until.get_or_insert(now.wall + grant.slice);
        Some(if !self.revoked && now.wall < until { TokenState::Run } else { TokenState::Yield })
    }
}

/// Instruction for a search at a poll.
pub(super) enum TokenState {
    Run,
    /// The token is given up; the scheduler must be notified.
    Yield,
    Stop,
}

impl Job {
    pub(super) fn new(id: JobId, task: Box<Task>, budget: SearchBudget) -> Job {
        let watch = Stopwatch::new(task.counted(budget));
        let control =
            Control { stopped: false, revoked: false, granted: None, until_variation: false, watch };
        Job {
            id,
            task,
            helper_nodes: Arc::default(),
            votes: Arc::default(),
            affinity: OnceLock::new(),
            control: Mutex::new(control),
            changed: Condvar::new(),
        }
    }

    /// A helper of `main`.
    pub(super) fn helper_of(main: &Job, id: JobId, task: Box<Task>, budget: SearchBudget) -> Job {
        Job {
            helper_nodes: Arc::clone(&main.helper_nodes),
            votes: Arc::clone(&main.votes),
            ..Job::new(id, task, budget)
        }
    }

    /// Records the affinity of the thread that runs this search.
    pub(super) fn set_affinity(&self, affinity: &Arc<CoreAffinity>) {
        let _ = self.affinity.set(Arc::clone(affinity));
    }

    /// Pins the thread of this search to the core of the calling thread, which is about to grant a
    /// token and to sleep.
    pub(super) fn pin_here(&self) {
        if let Some(affinity) = self.affinity.get() {
            affinity.pin_to_this_core();
        }
    }

    /// Lets the calling thread, which runs this search, use all its cores again.
    fn unpin(&self) {
        if let Some(affinity) = self.affinity.get() {
            affinity.unpin();
        }
    }

    /// Nodes that the helpers of this search have searched so far.
    pub(super) fn helper_nodes(&self) -> u64 {
        self.helper_nodes.load(Ordering::Relaxed)
    }

    pub(super) fn control(&self) -> MutexGuard<'_, Control> {
        self.control.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the search run until `until`; if `until_variation`, only until its first variation.
    pub(super) fn grant(&self, until: Instant, until_variation: bool) {
        let mut control = self.control();
        control.until_variation = until_variation;
        let slice = until.saturating_duration_since(now()).max(MIN_SLICE);
        control.granted = Some(Grant { slice, until: None });
        control.revoked = false;
        self.changed.notify_one();
    }

    /// Notes that the search has reported a variation.
    pub(super) fn note_variation(&self) {
        let mut control = self.control();
        if control.until_variation {
            control.revoked = true;
        }
    }

    /// Whether the token has been revoked.
    pub(super) fn is_revoked(&self) -> bool {
        self.control().revoked
    }

    /// Whether the slice is over.
    pub(super) fn slice_is_over(&self) -> bool {
        let control = self.control();
        let until = control.granted.as_ref().and_then(|grant| grant.until);
        until.is_some_and(|until| until <= now())
    }

    /// The slice begins now, if there is one.
    pub(super) fn begin_slice(&self) {
        if let Some(grant) = &mut self.control().granted {
            grant.until = Some(now() + grant.slice);
        }
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

    pub(super) fn retime(&self, budget: SearchBudget) {
        self.control().watch.retime(self.task.counted(budget));
        // A new maximum changes how long to wait.
        self.changed.notify_one();
    }

    /// Stops the clock of the search. The scheduler sees to it that it gets no token.
    pub(super) fn hold(&self) {
        self.control().watch.hold(now());
    }

    pub(super) fn resume(&self, budget: SearchBudget) {
        self.control().watch.resume(self.task.counted(budget), now());
        self.changed.notify_one();
    }

    /// Blocks until the search may run, must stop, or must yield its token. With a scale, it must
    /// stop when so much of the optimum is used up and it has no token.
    pub(super) fn await_token(&self, scale: Option<f32>) -> TokenState {
        let mut control = self.control();
        loop {
            if control.granted.as_ref().is_some_and(|grant| grant.until.is_none()) {
                self.unpin();
            }
            let now = reading();
            if let Some(state) = control.token_state(now) {
                if matches!(state, TokenState::Yield) {
                    control.granted = None;
                }
                return state;
            }
            let watch = &control.watch;
            // A search that is held does not end.
            if scale.is_some_and(|scale| !watch.is_held() && watch.is_past_optimum(scale, now)) {
                return TokenState::Stop;
            }
            let of_optimum = scale.and_then(|scale| watch.left_of_optimum(scale, now.wall));
            let left = of_optimum.or_else(|| watch.left(now.wall));
            control = self.wait(control, left);
        }
    }

    /// Returns the current instruction without waiting; `None` if the search has no token.
    pub(super) fn token_now(&self) -> Option<TokenState> {
        self.control().token_state(reading())
    }

    /// Adds nodes that a helper has searched.
    pub(super) fn add_helper_nodes(&self, more: u64) {
        self.helper_nodes.fetch_add(more, Ordering::Relaxed);
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
