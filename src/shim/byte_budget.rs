//! Backpressure: a bound on what has been read and not yet passed on.

use super::relay::MAX_AHEAD;
use std::sync::{Condvar, Mutex, PoisonError};

/// A bound on bytes in transit, which blocks their reader while it is reached.
#[derive(Debug, Default)]
pub(super) struct ByteBudget {
    used: Mutex<Used>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Used {
    /// Bytes that have been read and not yet handled.
    queued: usize,
    /// Bytes that have been handled and cannot be passed on yet.
    held: usize,
}

impl ByteBudget {
    /// Waits until more may be read.
    pub(super) fn wait(&self) {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(used, |used| used.queued + used.held >= MAX_AHEAD));
    }

    /// Adds bytes that have been read.
    pub(super) fn add(&self, count: usize) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).queued += count;
    }

    /// Removes bytes that have been handled; `held` is the total that cannot be passed on yet.
    pub(super) fn remove(&self, count: usize, held: usize) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.queued = used.queued.saturating_sub(count);
        used.held = held;
        self.changed.notify_all();
    }
}
