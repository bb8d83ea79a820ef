//! A bounded queue in which keys take turns, so that many items of one key delay no other.
//!
//! Unlike the loop's fair queue, which charges costs and is unbounded as its items are connections,
//! it refuses floods: the key that has most items loses one.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Items, by key.
pub(super) struct RoundRobinQueue<K, T> {
    waiting: HashMap<K, VecDeque<T>>,
    /// Keys with items, the next one first.
    ring: VecDeque<K>,
    len: usize,
    most: usize,
}

impl<K: Hash + Eq + Copy, T> RoundRobinQueue<K, T> {
    pub(super) fn new(most: usize) -> RoundRobinQueue<K, T> {
        RoundRobinQueue { waiting: HashMap::new(), ring: VecDeque::new(), len: 0, most }
    }

    /// Appends an item. Without room, returns the last item of the key with most, or this one.
    pub(super) fn push(&mut self, of: K, item: T) -> Result<(), T> {
        let mut refused = None;
        if self.len >= self.most {
            let most = self
                .waiting
                .iter()
                .max_by_key(|(_, queue)| queue.len())
                .map(|(&other, queue)| (other, queue.len()));
            match most {
                Some((other, count)) if count > self.waiting.get(&of).map_or(0, VecDeque::len) + 1 => {
                    refused = self.waiting.get_mut(&other).and_then(VecDeque::pop_back);
                    self.len -= 1;
                }
                _ => return Err(item),
            }
        }
        let queue = self.waiting.entry(of).or_default();
        if queue.is_empty() {
            self.ring.push_back(of);
        }
        queue.push_back(item);
        self.len += 1;
        refused.map_or(Ok(()), Err)
    }

    /// Drops items that are no longer wanted, if there is no room for another.
    pub(super) fn make_room(&mut self, mut is_wanted: impl FnMut(&T) -> bool) {
        if self.len < self.most {
            return;
        }
        self.waiting.values_mut().for_each(|queue| queue.retain(&mut is_wanted));
        self.waiting.retain(|_, queue| !queue.is_empty());
        self.ring.retain(|of| self.waiting.contains_key(of));
        self.len = self.waiting.values().map(VecDeque::len).sum();
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        let of = self.ring.pop_front()?;
        let queue = self.waiting.get_mut(&of)?;
        let item = queue.pop_front();
        if queue.is_empty() {
            self.waiting.remove(&of);
        } else {
            self.ring.push_back(of);
        }
        self.len -= 1;
        item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_take_turns() {
        let mut queue = RoundRobinQueue::new(99);
        for number in 0..4 {
            queue.push('a', ('a', number)).expect("room");
        }
        queue.push('b', ('b', 0)).expect("room");
        queue.push('c', ('c', 0)).expect("room");
        assert_eq!(queue.pop(), Some(('a', 0)));
        queue.push('b', ('b', 1)).expect("room");
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [('b', 0), ('c', 0), ('a', 1), ('b', 1), ('a', 2), ('a', 3)]);
        assert!(queue.waiting.is_empty() && queue.ring.is_empty() && queue.len == 0);
    }

    #[test]
    fn the_key_with_most_items_makes_room_for_others() {
        let mut queue = RoundRobinQueue::new(3);
        (0..3).for_each(|number| queue.push('a', ('a', number)).expect("room"));
        assert_eq!(queue.push('a', ('a', 3)), Err(('a', 3)));
        assert_eq!(queue.push('b', ('b', 0)), Err(('a', 2)));
        assert_eq!(queue.push('b', ('b', 1)), Err(('b', 1)), "both would have as many");
        queue.make_room(|&(_, number)| number > 0);
        assert_eq!(queue.push('b', ('b', 1)), Ok(()));
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [('a', 1), ('b', 1)]);
        assert!(queue.waiting.is_empty() && queue.ring.is_empty() && queue.len == 0);
    }

    #[test]
    fn the_queue_is_bounded() {
        let mut queue = RoundRobinQueue::new(2);
        assert_eq!((queue.push(1, 'a'), queue.push(2, 'b'), queue.push(3, 'c')), (Ok(()), Ok(()), Err('c')));
        assert_eq!(queue.pop(), Some('a'));
        assert_eq!(queue.push(3, 'd'), Ok(()));
        assert_eq!((queue.pop(), queue.pop(), queue.pop()), (Some('b'), Some('d'), None));
    }
}
