//! The threads that search: as many as there are started searches, and a few more.
//!
//! A search that was stopped keeps its thread up to its next poll, and another one may have been started
//! in its place by then. For a few of those there are threads to spare; beyond that a search waits in
//! `starting` for the first thread that becomes free. It does not wait in vain: there are never fewer
//! threads than started searches, so whenever one waits, a thread is idle or at a search that was stopped.
//! Where the system gives no thread and that would not be so, the search is refused.

use super::Shortage;
use super::job::Job;
use super::scheduler::Order;
use super::sync::{Arc, Builder, Condvar, JoinHandle, PoisonError, Seat, ThreadId, current, now};
use super::workers::{NOTHING_FOUND, Next, Outcome, Shared, State};
use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};

/// Bytes of a thread's stack. A search needs some kilobytes for each ply, of which there are at most
/// [`crate::search::MAX_PLY`]; what is not touched costs no memory.
const STACK: usize = 2 << 20;

/// Threads to spare besides one for each token: clients stop and start in a row, with little between.
pub(super) const SPARE: usize = 4;

/// How long a thread that is to spare waits for work. Many are needed at once only in bursts, and each
/// keeps the memory that its searches have touched.
const IDLENESS: Duration = Duration::from_secs(5);

/// How a thread that waits for work is woken.
struct Sleeper {
    wake: Condvar,
    seat: Arc<Seat>,
}

/// The threads of a pool.
pub(super) struct Threads {
    handles: HashMap<ThreadId, JoinHandle<()>>,
    /// The thread that left last, not yet joined. The next to leave joins it, so that there is one at most.
    leaver: Option<JoinHandle<()>>,
    /// Threads that wait for work or are about to.
    idle: usize,
    /// Those that wait and were not woken yet; the last one came last.
    sleepers: Vec<Arc<Sleeper>>,
    /// How many there may be besides those for started searches; so many stay when there is no work.
    pub(super) spare: usize,
    pub(super) idleness: Duration,
    pub(super) stack: usize,
    /// How many there have been, for their names.
    count: u64,
    /// When it was last logged that the system gives none.
    complained: Option<Instant>,
}

/// So long nothing more is logged of a shortage of threads: searches are asked for again and again.
const SILENCE: Duration = Duration::from_secs(60);

impl Threads {
    /// None yet, for a pool of so many tokens.
    pub(super) fn new(tokens: usize) -> Threads {
        Threads {
            handles: HashMap::new(),
            leaver: None,
            idle: 0,
            sleepers: Vec::new(),
            // As many as can run may be on their way to the poll that ends them.
            spare: tokens + SPARE,
            idleness: IDLENESS,
            stack: STACK,
            count: 0,
            complained: None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.handles.len()
    }

    /// All that must be joined, when the pool closes.
    pub(super) fn take_all(&mut self) -> Vec<JoinHandle<()>> {
        self.handles.drain().map(|(_, handle)| handle).chain(self.leaver.take()).collect()
    }

    /// Wakes the thread that has slept for the shortest time: others may find that they are to spare.
    fn wake_one(&mut self, next: Next) {
        let Some(sleeper) = self.sleepers.pop() else { return };
        if next == Next::Sleeps {
            sleeper.seat.offer_here();
        }
        sleeper.wake.notify_one();
    }

    /// Wakes all, when the pool closes.
    pub(super) fn wake_all(&mut self) {
        self.sleepers.drain(..).for_each(|sleeper| sleeper.wake.notify_one());
    }

    fn spawn(&mut self, shared: Arc<Shared>) -> io::Result<()> {
        let name = format!("search-{}", self.count);
        let handle = Builder::new().name(name).stack_size(self.stack).spawn(move || shared.work())?;
        self.handles.insert(handle.thread().id(), handle);
        self.count += 1;
        self.idle += 1;
        Ok(())
    }

    /// Logs that there are too few, unless that was said a moment ago.
    fn complain(&mut self, error: &io::Error) {
        let now = now();
        if self.complained.is_some_and(|before| now.saturating_duration_since(before) < SILENCE) {
            return;
        }
        self.complained = Some(now);
        log::warn!(
            "the system gives no further thread for searches, of which there are {}: {error}. Further searches are \
             refused and asked for again; allow more threads (TasksMax= of the service, ulimit -u) or lower max_searches",
            self.len()
        );
    }

    /// The calling thread, which is idle, leaves. Returns whom it has to join.
    fn leave(&mut self) -> Option<JoinHandle<()>> {
        self.idle -= 1;
        let own = self.handles.remove(&current().id());
        std::mem::replace(&mut self.leaver, own)
    }
}

impl State {
    /// Whether one more thread is wanted and allowed.
    fn wants_thread(&self) -> bool {
        let most = self.scheduler.started() + self.threads.spare;
        self.threads.idle < self.starting.len() && self.threads.len() < most
    }

    /// Panics if a search could wait for a thread for ever. Called after every change in debug builds.
    #[cfg(debug_assertions)]
    pub(super) fn check_invariants(&self) {
        let threads = &self.threads;
        assert!(self.closing || self.scheduler.started() <= threads.len(), "a search waits in vain");
        assert!(self.closing || threads.idle <= threads.len(), "more threads are idle than there are");
    }
}

impl Shared {
    /// Gives a search that has not run yet to a thread; `next` is what the calling one does.
    pub(super) fn hand_over(self: &Arc<Shared>, state: &mut State, job: Arc<Job>, next: Next) {
        state.starting.push_back(Arc::clone(&job));
        if state.wants_thread()
            && let Err(error) = state.threads.spawn(Arc::clone(self))
        {
            state.threads.complain(&error);
            // Threads at searches that were not stopped may never be free: some of these wait for a token,
            // and the search that waits for a thread holds one.
            if state.scheduler.started() > state.threads.len() {
                state.starting.pop_back();
                return self.ended(state, &job, Outcome::Refused(Shortage::Threads));
            }
        }
        if next != Next::Begins {
            state.threads.wake_one(next);
        }
    }

    /// What a thread does all its life.
    fn work(self: Arc<Shared>) {
        step_back(self.niceness);
        let sleeper = Arc::new(Sleeper { wake: Condvar::new(), seat: Arc::new(Seat::here()) });
        while let Some(job) = self.next_job(&sleeper) {
            job.sit(&sleeper.seat);
            let done = if job.is_stopped() { NOTHING_FOUND } else { self.run(&job) };
            let mut state = self.lock();
            // It may have been granted a token at its very end; and a thread that it starts inherits the cores it may use.
            sleeper.seat.leave();
            // Before anything is handed over: this thread may be the one to take it.
            state.threads.idle += 1;
            self.ended(&mut state, &job, done);
            let begins = state.orders.iter().any(|order| matches!(order, Order::Grant { first: true, .. }));
            self.carry_out_all(&mut state, if begins { Next::Begins } else { Next::Sleeps });
        }
    }

    /// The next search to run; `None` if the thread is to end.
    fn next_job(&self, sleeper: &Arc<Sleeper>) -> Option<Arc<Job>> {
        let mut state = self.lock();
        let mut in_vain = false;
        loop {
            if state.closing {
                return None;
            }
            sleeper.seat.leave();
            if let Some(job) = state.starting.pop_front() {
                state.threads.idle -= 1;
                return Some(job);
            }
            if in_vain && state.threads.idle > state.threads.spare {
                let other = state.threads.leave();
                drop(state);
                join(other);
                return None;
            }
            let idleness = state.threads.idleness;
            state.threads.sleepers.push(Arc::clone(sleeper));
            let (next, waited) =
                sleeper.wake.wait_timeout(state, idleness).unwrap_or_else(PoisonError::into_inner);
            state = next;
            // Unless whoever has woken it has done so.
            state.threads.sleepers.retain(|other| !Arc::ptr_eq(other, sleeper));
            in_vain = waited.timed_out();
        }
    }
}

/// Waits for threads that are about to end.
pub(super) fn join(threads: impl IntoIterator<Item = JoinHandle<()>>) {
    for thread in threads {
        if thread.join().is_err() {
            log::error!("a search thread ended by a panic outside of a search");
        }
    }
}

/// Lets other threads of the process go before this one when cores are short.
#[cfg(unix)]
fn step_back(niceness: i32) {
    if niceness <= 0 {
        return;
    }
    let thread = Some(rustix::thread::gettid());
    if let Err(error) = rustix::process::setpriority_process(thread, niceness) {
        log::debug!("a search thread keeps its priority: {error}");
    }
}

/// Elsewhere all threads are equal.
#[cfg(not(unix))]
fn step_back(_niceness: i32) {}
