//! Remembered usage of owners without searches.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Time that usage is remembered. After that, either the others have used as much, or a slice
/// within this time is no gain.
const RETENTION: Duration = Duration::from_secs(30);

/// Virtual run time by owner; an owner is a session or a source.
pub(super) struct UsageHistory {
    /// Maximum number of owners: a flood of connections must not take memory. The oldest are
    /// forgotten.
    most: usize,
    by_owner: HashMap<u64, Usage>,
    /// Every owner once, roughly in the order in which they may be forgotten.
    queue: VecDeque<(Instant, u64)>,
}

struct Usage {
    virtual_time: Duration,
    until: Instant,
}

impl UsageHistory {
    /// Remembers at most `most` owners.
    pub(super) fn new(most: usize) -> UsageHistory {
        UsageHistory { most, by_owner: HashMap::new(), queue: VecDeque::new() }
    }

    /// The virtual run time of an owner when its last search ended, if still known.
    pub(super) fn get(&self, owner: u64) -> Option<Duration> {
        self.by_owner.get(&owner).map(|usage| usage.virtual_time)
    }

    /// Remembers the usage of an owner. Usage up to `floor` need not be remembered, since every
    /// owner starts at least there.
    pub(super) fn remember(&mut self, owner: u64, virtual_time: Duration, floor: Duration, now: Instant) {
        self.forget(floor, now);
        let until = now + RETENTION;
        match self.by_owner.get_mut(&owner) {
            Some(usage) => {
                usage.virtual_time = usage.virtual_time.max(virtual_time);
                usage.until = until;
            }
            None if virtual_time > floor => {
                self.by_owner.insert(owner, Usage { virtual_time, until });
                self.queue.push_back((until, owner));
            }
            None => {}
        }
    }

    fn forget(&mut self, floor: Duration, now: Instant) {
        // Two for each new owner, so that those put back do not accumulate.
        for _ in 0..2 {
            let Some(&(at, owner)) = self.queue.front() else { return };
            let Some(usage) = self.by_owner.get(&owner) else { return };
            let is_full = self.queue.len() >= self.most;
            if at > now && usage.virtual_time > floor && !is_full {
                return;
            }
            self.queue.pop_front();
            if usage.until > now && usage.virtual_time > floor && !is_full {
                self.queue.push_back((usage.until, owner));
            } else {
                self.by_owner.remove(&owner);
            }
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        assert_eq!(self.by_owner.len(), self.queue.len());
        self.by_owner.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_OWNERS: usize = 1 << 10;
    const MOMENT: Duration = Duration::from_millis(1);

    #[test]
    fn what_was_had_is_known_for_a_while() {
        let start = Instant::now();
        let mut history = UsageHistory::new(MAX_OWNERS);
        history.remember(1, 5 * MOMENT, MOMENT, start);
        history.remember(1, 3 * MOMENT, MOMENT, start + RETENTION / 2);
        assert_eq!(history.get(1), Some(5 * MOMENT), "the most it had");
        history.remember(2, MOMENT, MOMENT, start);
        assert_eq!(history.get(2), None, "others have had that");
        history.remember(3, 5 * MOMENT, MOMENT, start + RETENTION);
        assert_eq!(history.get(1), Some(5 * MOMENT), "it was here in between");
        history.remember(4, 6 * MOMENT, 5 * MOMENT, start + RETENTION);
        assert_eq!((history.get(1), history.len()), (None, 1), "others have had as much");
        history.remember(5, 6 * MOMENT, MOMENT, start + 3 * RETENTION);
        assert_eq!((history.get(4), history.len()), (None, 1), "that is long ago");
    }

    #[test]
    fn a_flood_of_owners_takes_no_memory() {
        let start = Instant::now();
        let mut history = UsageHistory::new(MAX_OWNERS);
        for owner in 0..3 * MAX_OWNERS as u64 {
            history.remember(owner, MOMENT, Duration::ZERO, start);
        }
        assert!(history.len() <= MAX_OWNERS);
        assert_eq!(history.get(3 * MAX_OWNERS as u64 - 1), Some(MOMENT));
    }
}
