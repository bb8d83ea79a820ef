//! What owners have had whose searches have ended.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// How long that is kept. By then the others have had as much, or so many wait that a slice in this time is no gain.
const KEPT: Duration = Duration::from_secs(30);

/// Virtual run times by owner, of sessions or of sources.
pub(super) struct Ledger {
    /// That are kept at most; the oldest are forgotten. A flood of connections must not take memory.
    most: usize,
    of: HashMap<u64, Account>,
    /// Every account once, roughly in the order in which they may be forgotten.
    queue: VecDeque<(Instant, u64)>,
}

struct Account {
    virtual_time: Duration,
    until: Instant,
}

impl Ledger {
    /// Keeps at most so many.
    pub(super) fn new(most: usize) -> Ledger {
        Ledger { most, of: HashMap::new(), queue: VecDeque::new() }
    }

    /// What an owner had when its last search ended, if that is still known.
    pub(super) fn of(&self, owner: u64) -> Option<Duration> {
        self.of.get(&owner).map(|account| account.virtual_time)
    }

    /// Remembers what an owner has had. Nobody comes in below `floor`, so what is not above it need not be known.
    pub(super) fn keep(&mut self, owner: u64, virtual_time: Duration, floor: Duration, now: Instant) {
        self.forget(floor, now);
        let until = now + KEPT;
        match self.of.get_mut(&owner) {
            Some(account) => {
                account.virtual_time = account.virtual_time.max(virtual_time);
                account.until = until;
            }
            None if virtual_time > floor => {
                self.of.insert(owner, Account { virtual_time, until });
                self.queue.push_back((until, owner));
            }
            None => {}
        }
    }

    fn forget(&mut self, floor: Duration, now: Instant) {
        // Two for each that comes, so that those that were put back do not accumulate.
        for _ in 0..2 {
            let Some(&(at, owner)) = self.queue.front() else { return };
            let Some(account) = self.of.get(&owner) else { return };
            let is_full = self.queue.len() >= self.most;
            if at > now && account.virtual_time > floor && !is_full {
                return;
            }
            self.queue.pop_front();
            if account.until > now && account.virtual_time > floor && !is_full {
                self.queue.push_back((account.until, owner));
            } else {
                self.of.remove(&owner);
            }
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        assert_eq!(self.of.len(), self.queue.len());
        self.of.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 1 << 10;
    const MOMENT: Duration = Duration::from_millis(1);

    #[test]
    fn what_was_had_is_known_for_a_while() {
        let start = Instant::now();
        let mut ledger = Ledger::new(MOST);
        ledger.keep(1, 5 * MOMENT, MOMENT, start);
        ledger.keep(1, 3 * MOMENT, MOMENT, start + KEPT / 2);
        assert_eq!(ledger.of(1), Some(5 * MOMENT), "the most it had");
        ledger.keep(2, MOMENT, MOMENT, start);
        assert_eq!(ledger.of(2), None, "others have had that");
        ledger.keep(3, 5 * MOMENT, MOMENT, start + KEPT);
        assert_eq!(ledger.of(1), Some(5 * MOMENT), "it was here in between");
        ledger.keep(4, 6 * MOMENT, 5 * MOMENT, start + KEPT);
        assert_eq!((ledger.of(1), ledger.len()), (None, 1), "others have had as much");
        ledger.keep(5, 6 * MOMENT, MOMENT, start + 3 * KEPT);
        assert_eq!((ledger.of(4), ledger.len()), (None, 1), "that is long ago");
    }

    #[test]
    fn a_flood_of_owners_takes_no_memory() {
        let start = Instant::now();
        let mut ledger = Ledger::new(MOST);
        for owner in 0..3 * MOST as u64 {
            ledger.keep(owner, MOMENT, Duration::ZERO, start);
        }
        assert!(ledger.len() <= MOST);
        assert_eq!(ledger.of(3 * MOST as u64 - 1), Some(MOMENT));
    }
}
