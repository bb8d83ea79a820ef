//! Limits the lines of each kind in a period. Suppressed lines are counted, and the count is logged
//! when the period ends.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rate {
    /// Maximum number of items of a kind …
    pub(super) most: u32,
    /// … in this time, which begins with the first.
    pub(super) period: Duration,
}

/// The suppressed items of a kind in a period.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Suppressed<T> {
    /// The first suppressed item.
    pub(super) first: T,
    /// The number of suppressed items after the first.
    pub(super) more: u64,
}

struct Tally<T> {
    passed: u32,
    held: Option<Suppressed<T>>,
}

/// Counts by kind.
pub(super) struct Limiter<K, T> {
    rate: Rate,
    /// Maximum number of kinds counted at one time; items of further kinds pass.
    kinds: usize,
    tallies: HashMap<K, Tally<T>>,
    /// Ends of the periods. All periods are equally long, so the earliest end is in front.
    ends: VecDeque<(Instant, K)>,
}

impl<K: Hash + Eq + Copy, T> Limiter<K, T> {
    pub(super) fn new(rate: Rate, kinds: usize) -> Limiter<K, T> {
        Limiter { rate, kinds, tallies: HashMap::new(), ends: VecDeque::new() }
    }

    /// Returns `item` if it passes. A period that has ended is only closed by
    /// [`Limiter::take_due`].
    pub(super) fn pass(&mut self, kind: K, item: T, now: Instant) -> Option<T> {
        let is_known = self.tallies.contains_key(&kind);
        if !is_known && self.tallies.len() >= self.kinds {
            return Some(item);
        }
        if !is_known {
            self.ends.push_back((now + self.rate.period, kind));
        }
        let tally = self.tallies.entry(kind).or_insert(Tally { passed: 0, held: None });
        if tally.passed < self.rate.most {
            tally.passed += 1;
            return Some(item);
        }
        match &mut tally.held {
            Some(held) => held.more += 1,
            None => tally.held = Some(Suppressed { first: item, more: 0 }),
        }
        None
    }

    /// Takes the suppressed lines of a period that has ended by `now`, if any.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<Suppressed<T>> {
        while let Some((_, kind)) = self.ends.pop_front_if(|(end, _)| *end <= now) {
            if let Some(Tally { held: Some(held), .. }) = self.tallies.remove(&kind) {
                return Some(held);
            }
        }
        None
    }

    /// Takes the suppressed lines of the oldest period, whether or not it has ended.
    pub(super) fn take(&mut self) -> Option<Suppressed<T>> {
        self.ends.back().map(|&(end, _)| end).and_then(|last| self.take_due(last))
    }

    /// When the next period ends.
    pub(super) fn next(&self) -> Option<Instant> {
        self.ends.front().map(|&(end, _)| end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate { most: 2, period: Duration::from_secs(10) };

    fn after(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[test]
    fn what_is_too_much_is_counted_and_told_once() {
        let start = Instant::now();
        let mut limiter = Limiter::new(RATE, 9);
        let passed: Vec<_> = (0..7).filter_map(|item| limiter.pass('a', item, after(start, item))).collect();
        assert_eq!(passed, [0, 1]);
        assert_eq!(limiter.next(), Some(after(start, 10)), "the period begins with the first");
        assert_eq!(limiter.take_due(after(start, 9)), None);
        assert_eq!(limiter.take_due(after(start, 10)), Some(Suppressed { first: 2, more: 4 }));
        assert_eq!(limiter.take_due(after(start, 99)), None);
        assert_eq!(limiter.pass('a', 7, after(start, 10)), Some(7), "a new period");
    }

    #[test]
    fn kinds_do_not_meet() {
        let start = Instant::now();
        let mut limiter = Limiter::new(RATE, 9);
        for item in 0..3 {
            limiter.pass('a', item, start);
        }
        assert_eq!(limiter.pass('b', 3, after(start, 1)), Some(3));
        assert_eq!(limiter.take_due(after(start, 20)), Some(Suppressed { first: 2, more: 0 }));
        assert_eq!((limiter.take_due(after(start, 20)), limiter.next()), (None, None));
    }

    #[test]
    fn memory_is_bounded_by_the_number_of_kinds() {
        let start = Instant::now();
        let mut limiter = Limiter::new(RATE, 3);
        let passed = (0..1000).filter_map(|kind| limiter.pass(kind, (), start)).count();
        assert_eq!((passed, limiter.tallies.len(), limiter.ends.len()), (1000, 3, 3));
        assert_eq!(limiter.take_due(after(start, 10)), None);
        assert_eq!((limiter.tallies.len(), limiter.ends.len()), (0, 0));
    }

    #[test]
    fn at_the_end_all_is_told() {
        let start = Instant::now();
        let mut limiter = Limiter::new(RATE, 9);
        for item in 0..8 {
            limiter.pass(item % 2, item, after(start, item));
        }
        let told: Vec<_> = std::iter::from_fn(|| limiter.take()).collect();
        assert_eq!(told, [Suppressed { first: 4, more: 1 }, Suppressed { first: 5, more: 1 }]);
    }
}
