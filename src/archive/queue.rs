//! Games waiting for the disk, in slots that sources share.
//!
//! When all slots are taken, the source with the most slots loses its latest game, so a source with
//! few games loses none, however many others end at the same time.

use std::collections::{HashMap, VecDeque};

/// Slots of the queue.
pub(super) const MAX_SLOTS: usize = 1024;
/// Bytes of memory that one slot stands for.
const SLOT_BYTES: usize = 32 << 10;

struct Waiting<T> {
    source: u64,
    slots: usize,
    game: T,
}

/// Games in the order in which they ended.
pub(super) struct Queue<T> {
    games: VecDeque<Waiting<T>>,
    /// Slots taken by each source; never 0.
    by_source: HashMap<u64, usize>,
    taken: usize,
}

impl<T> Queue<T> {
    pub(super) fn new() -> Queue<T> {
        Queue { games: VecDeque::new(), by_source: HashMap::new(), taken: 0 }
    }

    /// Adds a game of `bytes` in memory. Returns the evicted games, which may include this one.
    pub(super) fn push(&mut self, source: u64, bytes: usize, game: T) -> Vec<T> {
        let slots = bytes.div_ceil(SLOT_BYTES).max(1);
        self.taken += slots;
        *self.by_source.entry(source).or_default() += slots;
        self.games.push_back(Waiting { source, slots, game });
        let mut lost = Vec::new();
        while self.taken > MAX_SLOTS
            && let Some(game) = self.evict(source)
        {
            lost.push(game);
        }
        lost
    }

    /// Removes the latest game of the source with the most slots; in a tie, of `latest`.
    fn evict(&mut self, latest: u64) -> Option<T> {
        let (&most, _) = self.by_source.iter().max_by_key(|&(&source, &slots)| (slots, source == latest))?;
        let index = self.games.iter().rposition(|waiting| waiting.source == most)?;
        self.games.remove(index).map(|waiting| self.free(waiting))
    }

    /// Takes the oldest games, of at most `slots` slots unless the first one alone has more.
    pub(super) fn take(&mut self, slots: usize) -> Vec<T> {
        let (mut games, mut taken) = (Vec::new(), 0);
        while let Some(next) = self.games.front()
            && (games.is_empty() || taken + next.slots <= slots)
        {
            taken += next.slots;
            games.extend(self.games.pop_front().map(|waiting| self.free(waiting)));
        }
        games
    }

    fn free(&mut self, waiting: Waiting<T>) -> T {
        self.taken -= waiting.slots;
        if let Some(slots) = self.by_source.get_mut(&waiting.source) {
            *slots -= waiting.slots;
            if *slots == 0 {
                self.by_source.remove(&waiting.source);
            }
        }
        waiting.game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_with_most_slots_loses_its_latest_games() {
        let mut queue = Queue::new();
        let mut lost = Vec::new();
        for round in 0..2000 {
            for source in 0..4 {
                lost.extend(queue.push(source, 1, (source, round)));
            }
            if round % 100 == 0 {
                lost.extend(queue.push(9, 1, (9, round)));
            }
        }
        assert!(lost.iter().all(|&(source, _)| source < 4), "{lost:?}");
        let kept: Vec<(u64, u64)> = std::iter::from_fn(|| Some(queue.take(64)))
            .take_while(|games| !games.is_empty())
            .inspect(|games| assert!(games.len() <= 64))
            .flatten()
            .collect();
        assert_eq!(kept.len(), MAX_SLOTS);
        assert_eq!(kept.iter().filter(|&&(source, _)| source == 9).count(), 20);
        let first_of_each = (0..4).flat_map(|source| (0..200).map(move |round| (source, round)));
        assert!(first_of_each.into_iter().all(|game| kept.contains(&game)), "the latest are lost");
        assert!(queue.by_source.is_empty() && queue.taken == 0);
    }

    #[test]
    fn a_long_game_takes_several_slots() {
        let mut queue = Queue::new();
        let lost: usize = (0..100).map(|game| queue.push(1, 32 * SLOT_BYTES, game).len()).sum();
        assert_eq!(lost, 100 - 32);
        assert_eq!(queue.push(2, 1, 100), [31], "source 1 has most");
        assert_eq!(queue.take(1), [0], "a game that is larger than a batch");
        assert_eq!(queue.take(70), [1, 2]);
        assert_eq!(queue.push(3, (MAX_SLOTS + 1) * SLOT_BYTES, 101), [101]);
    }

    #[test]
    fn in_a_tie_the_latest_game_is_lost() {
        let mut queue = Queue::new();
        for source in 0..MAX_SLOTS as u64 {
            assert!(queue.push(source, 1, source).is_empty());
        }
        assert_eq!(queue.push(7777, 1, 7777), [7777]);
    }
}
