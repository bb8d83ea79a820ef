//! Start-time fair queueing: the source that has had least of the loop's time goes first.
//!
//! The cost of an item is unknown before it is served, so a guess is charged when it joins and
//! corrected afterwards. A source that was away joins where the others are: before those just
//! served, but without credit for its absence.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

const GUESS: Duration = Duration::from_micros(50);

/// Number of accounts at which idle ones are first removed.
const FIRST_PRUNE: usize = 1024;
const MAX_ACCOUNTS: usize = 1 << 14;

/// Position of an item: by the start time of its source, then by arrival.
type Position = (Duration, u64);

/// A queue of items by source, each item at most once.
#[derive(Debug)]
pub(in crate::server) struct FairQueue<T> {
    positions: BTreeSet<(Position, T)>,
    of: BTreeMap<T, (Position, u64)>,
    /// Time charged to each source, on a common scale; at least `floor` for a source that joins.
    had: HashMap<u64, Duration>,
    /// Start time of the item served last.
    floor: Duration,
    joined: u64,
    /// Number of accounts at which idle ones are removed next.
    prune_at: usize,
}

impl<T: Ord + Copy> FairQueue<T> {
    pub(in crate::server) fn new() -> FairQueue<T> {
        FairQueue {
            positions: BTreeSet::new(),
            of: BTreeMap::new(),
            had: HashMap::new(),
            floor: Duration::ZERO,
            joined: 0,
            prune_at: FIRST_PRUNE,
        }
    }

    /// Adds an item of a source, unless queued already.
    pub(in crate::server) fn join(&mut self, item: T, source: u64) {
        if self.of.contains_key(&item) {
            return;
        }
        let had = self.had.entry(source).or_default();
        let start = (*had).max(self.floor);
        *had = start + GUESS;
        self.joined += 1;
        let position = (start, self.joined);
        self.positions.insert((position, item));
        self.of.insert(item, (position, source));
    }

    /// Takes the next item with its source. Its cost is to be [charged](Self::charge).
    pub(in crate::server) fn next(&mut self) -> Option<(T, u64)> {
        let ((start, _), item) = self.positions.pop_first()?;
        let (_, source) = self.of.remove(&item)?;
        self.floor = self.floor.max(start);
        Some((item, source))
    }

    /// Charges a source for a served item.
    pub(in crate::server) fn charge(&mut self, source: u64, cost: Duration) {
        let had = self.had.entry(source).or_insert(self.floor + GUESS);
        *had = (*had + cost).saturating_sub(GUESS);
        if self.had.len() >= self.prune_at {
            let floor = self.floor;
            self.had.retain(|_, had| *had > floor);
            if self.had.len() >= MAX_ACCOUNTS {
                // A stream of new sources rather than a crowd: all are equal from now on.
                self.floor = self.had.values().copied().max().unwrap_or(floor);
                self.had.clear();
            }
            self.prune_at = (2 * self.had.len()).clamp(FIRST_PRUNE, MAX_ACCOUNTS);
        }
    }

    /// Forgets all charges if the queue is empty.
    pub(in crate::server) fn rest(&mut self) {
        if self.positions.is_empty() {
            self.had.clear();
        }
    }

    /// Removes an item that is not to be served.
    pub(in crate::server) fn remove(&mut self, item: T) {
        if let Some((position, source)) = self.of.remove(&item) {
            self.positions.remove(&(position, item));
            self.charge(source, Duration::ZERO);
        }
    }

    pub(in crate::server) fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    pub(in crate::server) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(in crate::server) fn contains(&self, item: T) -> bool {
        self.of.contains_key(&item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn a_rare_source_does_not_wait_for_a_crowd() {
        let mut queue = FairQueue::new();
        (0..200).for_each(|item| queue.join(item, item));
        for _ in 0..1000 {
            let (item, source) = queue.next().expect("a crowd");
            queue.charge(source, MILLISECOND);
            queue.join(item, source);
        }
        queue.join(999, 999);
        let before = std::iter::from_fn(|| queue.next()).take_while(|&(item, _)| item != 999).count();
        assert!(before < 200, "{before}");
        let mut queue = FairQueue::new();
        (0..10).for_each(|item| queue.join(item, item));
        for _ in 0..10 {
            let (item, source) = queue.next().expect("a crowd");
            queue.charge(source, MILLISECOND);
            queue.join(item, source);
        }
        queue.join(999, 999);
        assert_eq!(queue.next(), Some((999, 999)), "all others have just been served");
    }

    #[test]
    fn time_is_shared_by_source_and_not_by_item() {
        let mut queue = FairQueue::new();
        (0..100).for_each(|item| queue.join(item, 0));
        queue.join(100, 1);
        queue.join(101, 2);
        let mut served = [0; 3];
        for _ in 0..3000 {
            let (item, source) = queue.next().expect("all come again");
            served[source as usize] += 1;
            queue.charge(source, MILLISECOND);
            queue.join(item, source);
        }
        assert!(served.iter().all(|&count| (900..=1100).contains(&count)), "{served:?}");
    }

    #[test]
    fn an_item_is_queued_once_and_can_be_removed() {
        let mut queue = FairQueue::new();
        queue.join(1, 7);
        queue.join(1, 7);
        queue.join(2, 7);
        assert_eq!(queue.len(), 2);
        queue.remove(1);
        queue.remove(1);
        assert_eq!(queue.next(), Some((2, 7)));
        assert_eq!((queue.next(), queue.is_empty()), (None, true));
    }

    #[test]
    fn an_endless_stream_of_sources_takes_bounded_memory() {
        let mut queue = FairQueue::new();
        for source in 0..100_000_u64 {
            queue.join(0, source);
            let (_, source) = queue.next().expect("just joined");
            queue.charge(source, Duration::from_micros(1));
        }
        assert!(queue.had.len() <= MAX_ACCOUNTS);
    }
}
