//! Simulated time: events ordered by time, then by creation.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

struct Entry<E> {
    at: Instant,
    number: u64,
    event: E,
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

/// The clock and its pending events.
pub struct Events<E> {
    start: Instant,
    now: Instant,
    number: u64,
    heap: BinaryHeap<Reverse<Entry<E>>>,
}

impl<E> Events<E> {
    /// No events. The clock starts long enough after the machine's start for all ages to be
    /// possible.
    pub fn new() -> Events<E> {
        let start = Instant::now() + Duration::from_secs(10_000_000);
        Events { start, now: start, number: 0, heap: BinaryHeap::new() }
    }

    /// The present instant.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Simulated time since the beginning.
    pub fn elapsed(&self) -> Duration {
        self.now - self.start
    }

    /// Schedules an event, at once if its time has passed.
    pub fn at(&mut self, at: Instant, event: E) {
        self.number += 1;
        self.heap.push(Reverse(Entry { at: at.max(self.now), number: self.number, event }));
    }

    /// Schedules an event after a delay.
    pub fn after(&mut self, delay: Duration, event: E) {
        self.at(self.now + delay, event);
    }

    /// Advances the clock to the next event, and returns it.
    pub fn next(&mut self) -> Option<E> {
        let Reverse(entry) = self.heap.pop()?;
        self.now = entry.at;
        Some(entry.event)
    }
}
