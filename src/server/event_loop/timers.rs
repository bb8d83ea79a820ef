//! Timers: at most one of each kind per slot.

use std::collections::BTreeSet;
use std::time::Instant;

/// The timers of all slots. A replaced or cleared timer never fires.
#[derive(Default)]
pub(in crate::server) struct Timers {
    queue: BTreeSet<(Instant, usize)>,
    of: Vec<Option<Instant>>,
}

impl Timers {
    /// Sets the timer of a slot, or clears it.
    pub(in crate::server) fn set(&mut self, slot: usize, at: Option<Instant>) {
        if slot >= self.of.len() {
            if at.is_none() {
                return;
            }
            self.of.resize(slot + 1, None);
        }
        if let Some(before) = std::mem::replace(&mut self.of[slot], at) {
            self.queue.remove(&(before, slot));
        }
        if let Some(at) = at {
            self.queue.insert((at, slot));
        }
    }

    pub(in crate::server) fn next(&self) -> Option<Instant> {
        self.queue.first().map(|&(at, _)| at)
    }

    /// Takes a timer that is due at `now`.
    pub(in crate::server) fn take_due(&mut self, now: Instant) -> Option<usize> {
        let &(at, slot) = self.queue.first()?;
        if at > now {
            return None;
        }
        self.set(slot, None);
        Some(slot)
    }
}

#[derive(Default)]
pub(in crate::server) struct WakeUps {
    /// Timers of logins, sessions and closing connections.
    pub(in crate::server) main: Timers,
    /// Further timers, of remote shell clients.
    pub(in crate::server) rsh: Timers,
}

impl WakeUps {
    pub(in crate::server) fn next(&self) -> Option<Instant> {
        [self.main.next(), self.rsh.next()].into_iter().flatten().min()
    }

    pub(in crate::server) fn clear(&mut self, slot: usize) {
        self.main.set(slot, None);
        self.rsh.set(slot, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn timers_fire_in_order_and_only_the_last_one_set() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut timers = Timers::default();
        timers.set(3, Some(at(30)));
        timers.set(1, Some(at(10)));
        timers.set(2, Some(at(20)));
        timers.set(1, Some(at(25)));
        timers.set(2, None);
        assert_eq!(timers.next(), Some(at(25)));
        assert_eq!(timers.take_due(at(24)), None);
        assert_eq!(timers.take_due(at(99)), Some(1));
        assert_eq!(timers.take_due(at(99)), Some(3));
        assert_eq!(timers.take_due(at(99)), None);
        assert_eq!(timers.next(), None);
    }
}
