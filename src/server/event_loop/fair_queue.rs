//! Start-time fair queueing: the source that has had least of the loop's time goes first.
//!
//! The cost of an item is not known before it is served, so a guess is charged when it joins, and corrected
//! afterwards. A source that was away joins where the others are: before those that have just been served,
//! but without credit for its absence.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

/// The cost of an item as guessed before it is served.
const GUESS: Duration = Duration::from_micros(50);

/// The number of accounts at which idle ones are first removed.
const FIRST_PRUNE: usize = 1024;
/// The limit of accounts.
const MAX_ACCOUNTS: usize = 1 << 14;

/// The place of an item: by the start time of its source, then by arrival.
type Place = (Duration, u64);

/// Items of sources, each item at most once.
#[derive(Debug)]
pub(in crate::server) struct FairQueue<T> {
    places: BTreeSet<(Place, T)>,
    of: BTreeMap<T, (Place, u64)>,
    /// The time charged to each source, on a scale that all share; at least `floor` for a source that joins.
    had: HashMap<u64, Duration>,
    /// The start time of the item served last.
    floor: Duration,
    joined: u64,
    /// The number of accounts at which idle ones are removed next.
    prune_at: usize,
}

impl<T: Ord + Copy> FairQueue<T> {
    pub(in crate::server) fn new() -> FairQueue<T> {
        FairQueue {
            places: BTreeSet::new(),
            of: BTreeMap::new(),
            had: HashMap::new(),
            floor: Duration::ZERO,
            joined: 0,
            prune_at: FIRST_PRUNE,
        }
    }

    /// Adds an item of a source, unless it is there already.
    pub(in crate::server) fn join(&mut self, item: T, source: u64) {
        if self.of.contains_key(&item) {
            return;
        }
        let had = self.had.entry(source).or_default();
        let start = (*had).max(self.floor);
        *had = start + GUESS;
        self.joined += 1;
        let place = (start, self.joined);
        self.places.insert((place, item));
        self.of.insert(item, (place, source));
    }

    /// Takes the next item with its source. Its cost is to be [charged](Self::charge).
    pub(in crate::server) fn next(&mut self) -> Option<(T, u64)> {
        let ((start, _), item) = self.places.pop_first()?;
        let (_, source) = self.of.remove(&item)?;
        self.floor = self.floor.max(start);
        Some((item, source))
    }

    /// Charges a source for an item that was served.
    pub(in crate::server) fn charge(&mut self, source: u64, cost: Duration) {
        let had = self.had.entry(source).or_insert(self.floor + GUESS);
        *had = (*had + cost).saturating_sub(GUESS);
        if self.had.len() >= self.prune_at {
            let floor = self.floor;
            self.had.retain(|_, had| *had > floor);
            if self.had.len() >= MAX_ACCOUNTS {
                // This is not a crowd but a stream of new sources. All are equal from now on.
                self.floor = self.had.values().copied().max().unwrap_or(floor);
                self.had.clear();
            }
            self.prune_at = (2 * self.had.len()).clamp(FIRST_PRUNE, MAX_ACCOUNTS);
        }
    }

    /// Forgets all charges if the queue is empty.
    pub(in crate::server) fn rest(&mut self) {
        if self.places.is_empty() {
            self.had.clear();
        }
    }

    /// Removes an item that is not to be served.
    pub(in crate::server) fn remove(&mut self, item: T) {
        if let Some((place, source)) = self.of.remove(&item) {
            self.places.remove(&(place, item));
            self.charge(source, Duration::ZERO);
        }
    }

    pub(in crate::server) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(in crate::server) fn len(&self) -> usize {
        self.places.len()
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
    fn a_source_that_comes_seldom_does_not_wait_for_a_crowd() {
        let mut queue = FairQueue::new();
        (0..200).for_each(|item| queue.join(item, item));
        for _ in 0..1000 {
            let (item, source) = queue.next().expect("a crowd");
            queue.charge(source, MILLISECOND);
            queue.join(item, source);
        }
        queue.join(999, 999);
        // Those of the crowd that have had no more than the others come in between, and no one twice.
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
        // Source 0 has a hundred items, sources 1 and 2 one each.
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
    fn an_item_is_there_once_and_can_go() {
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
    fn sources_without_end_take_no_memory() {
        let mut queue = FairQueue::new();
        for source in 0..100_000_u64 {
            queue.join(0, source);
            let (_, source) = queue.next().expect("just joined");
            queue.charge(source, Duration::from_micros(1));
        }
        assert!(queue.had.len() <= MAX_ACCOUNTS);
    }
}
