//! The engine's clock as kept by the GUI.

use super::{Seen, Trouble};
use std::time::{Duration, Instant};

/// Tolerated difference between the GUI's clock and the engine's in milliseconds: both round.
const TOLERANCE_MS: i64 = 25;

/// A pending move.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    pub since: Instant,
    pub trouble: Trouble,
    /// Maximum time for the move without trouble; `None` if there is no clock.
    pub most: Option<Duration>,
}

impl Due {
    pub fn new(seen: &Seen, most: Option<Duration>) -> Due {
        Due { since: seen.now, trouble: seen.trouble, most }
    }

    /// Returns true if the answer is late.
    pub fn is_late(&self, seen: &Seen) -> bool {
        let most = self.most.unwrap_or(Duration::from_secs(120)) + seen.trouble.allowance(&self.trouble);
        !seen.trouble.is_on && seen.now - self.since > most
    }

    /// When to check whether it is late.
    pub fn alarm(&self) -> Instant {
        self.since + self.most.unwrap_or(Duration::from_secs(120)) + super::SLACK * 2
    }
}

/// The engine's clock in a game with one time control for all moves.
#[derive(Clone, Debug)]
pub struct GameClock {
    /// Milliseconds left.
    pub left: i64,
    pub increment: i64,
    /// Total delay unknown to the engine since the clock was last sent, in milliseconds.
    unknown: i64,
}

impl GameClock {
    pub fn new(left: i64, increment: i64) -> GameClock {
        GameClock { left, increment, unknown: 0 }
    }

    /// The clock was sent to the engine.
    pub fn sent(&mut self) {
        self.unknown = 0;
    }

    /// The engine has moved.
    pub fn moved(&mut self, due: &Due, seen: &Seen) {
        let used = (seen.now - due.since).as_millis() as i64;
        self.left += self.increment - used;
        let times = 1 + seen.trouble.times - due.trouble.times;
        self.unknown += (super::SLACK * times).as_millis() as i64;
        if let Some(clock) = seen.clock {
            let more = clock - self.left;
            assert!(
                (-TOLERANCE_MS..=self.unknown).contains(&more),
                "the engine's clock shows {clock} ms to it and {} ms to its GUI, at most {} ms may differ",
                self.left,
                self.unknown
            );
        }
    }
}
