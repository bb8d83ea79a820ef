//! Threads, locks and clocks as the pool uses them. The model of the pool substitutes its own under
//! the same names.

pub(super) use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
pub(super) use std::thread::{Builder, JoinHandle, ThreadId, current};

pub(super) use super::affinity::CoreAffinity;

use super::stopwatch::Reading;
use std::time::Instant;

/// The wall clock.
pub(super) fn now() -> Instant {
    Instant::now()
}

/// All clocks, read on the calling thread.
pub(super) fn reading() -> Reading {
    Reading::here()
}
