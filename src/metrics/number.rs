//! A number that only grows, and one that goes up and down.

use std::sync::atomic::{AtomicU64, Ordering};

/// A count of what has happened since the start.
#[derive(Default, Debug)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Nothing has happened yet.
    pub const fn new() -> Counter {
        Counter(AtomicU64::new(0))
    }

    /// Counts `more` things.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// The count.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What there is now of something.
#[derive(Default, Debug)]
pub struct Gauge(AtomicU64);

impl Gauge {
    /// Says how many there are now.
    pub fn set(&self, now: u64) {
        self.0.store(now, Ordering::Relaxed);
    }

    /// The same, for a size in memory.
    pub fn set_size(&self, now: usize) {
        self.set(now as u64);
    }

    /// One more.
    pub fn enter(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// One less. To be called once for each [`Gauge::enter`].
    pub fn leave(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// How many there are.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
