//! A bound on what has been read and not been passed on.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes that a reader may be ahead.
const MOST: usize = 1 << 20;

/// Readers wait at it while too much is on its way.
#[derive(Debug, Default)]
pub struct Gate {
    load: Mutex<Load>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Load {
    /// Bytes that were read and not looked at.
    queued: usize,
    /// Bytes that were looked at and cannot be passed on yet.
    held: usize,
}

impl Gate {
    /// Waits until more may be read.
    pub fn wait(&self) {
        let full = |load: &mut Load| load.queued + load.held >= MOST;
        // A thread that panicked has left nothing half done here.
        drop(self.changed.wait_while(self.load(), full).unwrap_or_else(PoisonError::into_inner));
    }

    /// So many bytes were read.
    pub fn enter(&self, count: usize) {
        self.load().queued += count;
    }

    /// So many bytes were looked at, and so many in all cannot be passed on yet.
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
