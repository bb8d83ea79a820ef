//! Backpressure: a bound on what has been read and not yet passed on.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Maximum number of bytes that a reader may be ahead.
const MAX_AHEAD: usize = 1 << 20;

/// Blocks readers while too much is in transit.
#[derive(Debug, Default)]
pub struct Gate {
    load: Mutex<Load>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Load {
    /// Bytes that have been read and not yet handled.
    queued: usize,
    /// Bytes that have been handled and cannot be passed on yet.
    held: usize,
}

impl Gate {
    /// Waits until more may be read.
    pub fn wait(&self) {
        let full = |load: &mut Load| load.queued + load.held >= MAX_AHEAD;
        // A thread that panicked left no inconsistent state here.
        drop(self.changed.wait_while(self.load(), full).unwrap_or_else(PoisonError::into_inner));
    }

    /// Adds bytes that have been read.
    pub fn enter(&self, count: usize) {
        self.load().queued += count;
    }

    /// Removes bytes that have been handled; `held` is the total that cannot be passed on yet.
    pub fn leave(&self, count: usize, held: usize) {
        let mut load = self.load();
        load.queued = load.queued.saturating_sub(count);
        load.held = held;
        self.changed.notify_all();
    }

    fn load(&self) -> MutexGuard<'_, Load> {
        self.load.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
