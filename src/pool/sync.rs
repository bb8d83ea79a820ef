//! Threads, locks and clocks as the pool uses them. The model of the pool has others of the same names.

pub(super) use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
pub(super) use std::thread::{Builder, JoinHandle, ThreadId, current};

pub(super) use super::seat::Seat;

use super::stopwatch::Reading;
use std::time::Instant;

/// The wall's clock.
pub(super) fn now() -> Instant {
    Instant::now()
}

/// All clocks, as the calling thread sees them.
pub(super) fn reading() -> Reading {
    Reading::here()
}
