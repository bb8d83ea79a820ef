//! The threads that search: one for each started search, and a few more.
//!
//! A stopped search keeps its thread up to its next poll, when another search may already hold its
//! slot. Spare threads cover a few of those; beyond that a search waits in `starting` for the first
//! free thread. It does not wait in vain: there are never fewer threads than started searches, so
//! while a search waits, a thread is idle or at a stopped search. If the system gives no thread and
//! that would not hold, the search is refused.

use super::sync::{Arc, Builder, Condvar, CoreAffinity, JoinHandle, ThreadId, current, now};
use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};

/// Stack size of a thread in bytes. A search needs some kilobytes for each ply, of which there are
/// at most [`crate::search::MAX_PLY`]; pages that are never touched cost no memory.
const STACK_SIZE: usize = 2 << 20;

/// Spare threads in addition to one for each token: clients stop and start searches in quick
/// succession.
pub(super) const SPARE_THREADS: usize = 4;

/// Idle time after which a spare thread exits. Many are needed only in bursts, and each keeps the
/// memory that its searches have touched.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// A thread that waits for work.
pub(super) struct Sleeper {
    pub(super) wake: Condvar,
    pub(super) affinity: Arc<CoreAffinity>,
}

impl Sleeper {
    pub(super) fn of_this_thread() -> Sleeper {
        Sleeper { wake: Condvar::new(), affinity: Arc::new(CoreAffinity::of_this_thread()) }
    }
}

/// The threads of a pool.
pub(super) struct Threads {
    handles: HashMap<ThreadId, JoinHandle<()>>,
    /// The thread that left last, not yet joined. The next one to leave joins it, so that there is
    /// at most one.
    leaver: Option<JoinHandle<()>>,
    /// Threads that wait for work or are about to.
    pub(super) idle: usize,
    /// Waiting threads that have not been woken yet, in the order in which they came.
    pub(super) sleepers: Vec<Arc<Sleeper>>,
    /// Maximum number of spare threads, which stay when there is no work.
    pub(super) spare: usize,
    pub(super) idle_timeout: Duration,
    pub(super) stack_size: usize,
    /// Number of threads spawned so far, for their names.
    count: u64,
    /// When a shortage of threads was last logged.
    shortage_logged: Option<Instant>,
}

/// Minimum interval between log lines about a shortage: refused searches are started again and
/// again.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

impl Threads {
    /// No threads yet, for a pool of `tokens` tokens.
    pub(super) fn new(tokens: usize) -> Threads {
        Threads {
            handles: HashMap::new(),
            leaver: None,
            idle: 0,
            sleepers: Vec::new(),
            // As many stopped searches as there are tokens may be on their way to their last poll.
            spare: tokens + SPARE_THREADS,
            idle_timeout: IDLE_TIMEOUT,
            stack_size: STACK_SIZE,
            count: 0,
            shortage_logged: None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.handles.len()
    }

    /// All threads that must be joined when the pool closes.
    pub(super) fn take_all(&mut self) -> Vec<JoinHandle<()>> {
        self.handles.drain().map(|(_, handle)| handle).chain(self.leaver.take()).collect()
    }

    /// Wakes the thread that has slept for the shortest time, so that the others may turn out to be
    /// spare.
    ///
    /// With `on_this_core` it wakes on the core of the calling thread.
    pub(super) fn wake_one(&mut self, on_this_core: bool) {
        let Some(sleeper) = self.sleepers.pop() else { return };
        if on_this_core {
            sleeper.affinity.pin_to_this_core();
        }
        sleeper.wake.notify_one();
    }

    /// Wakes all threads, when the pool closes.
    pub(super) fn wake_all(&mut self) {
        self.sleepers.drain(..).for_each(|sleeper| sleeper.wake.notify_one());
    }

    /// Spawns a thread, which counts as idle at first.
    pub(super) fn spawn(&mut self, main: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let name = format!("search-{}", self.count);
        let handle = Builder::new().name(name).stack_size(self.stack_size).spawn(main)?;
        self.handles.insert(handle.thread().id(), handle);
        self.count += 1;
        self.idle += 1;
        Ok(())
    }

    /// Logs the shortage, at most once in [`LOG_INTERVAL`].
    pub(super) fn log_shortage(&mut self, error: &io::Error) {
        let now = now();
        if self.shortage_logged.is_some_and(|before| now.saturating_duration_since(before) < LOG_INTERVAL) {
            return;
        }
        self.shortage_logged = Some(now);
        log::warn!(
            "the system gives no further thread for searches, of which there are {}: {error}. Further searches are \
             refused and asked for again; allow more threads (TasksMax= of the service, ulimit -u) or lower max_searches",
            self.len()
        );
    }

    /// Removes the calling thread, which is idle. Returns the thread that it must join.
    pub(super) fn leave(&mut self) -> Option<JoinHandle<()>> {
        self.idle -= 1;
        let own = self.handles.remove(&current().id());
        std::mem::replace(&mut self.leaver, own)
    }
}

/// Joins threads that are about to end.
pub(super) fn join(threads: impl IntoIterator<Item = JoinHandle<()>>) {
    for thread in threads {
        if thread.join().is_err() {
            log::error!("a search thread ended by a panic outside of a search");
        }
    }
}
