//! The engine's clock as the GUI keeps it.

use super::{Seen, Trouble};
use std::time::{Duration, Instant};

/// How much less than the GUI's clock the engine's own may show, in milliseconds: both round.
const TOLERANCE_MS: i64 = 25;

/// A move that is due.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    pub since: Instant,
    pub trouble: Trouble,
    /// How long the move may take without trouble; `None` if there is no clock.
    pub most: Option<Duration>,
}

impl Due {
    pub fn new(seen: &Seen, most: Option<Duration>) -> Due {
        Due { since: seen.now, trouble: seen.trouble, most }
    }

    /// Whether the answer is later than it may be.
    pub fn is_late(&self, seen: &Seen) -> bool {
        let most = self.most.unwrap_or(Duration::from_secs(120)) + seen.trouble.allowance(&self.trouble);
        !seen.trouble.is_on && seen.now - self.since > most
    }

    /// When to look whether it is.
    pub fn alarm(&self) -> Instant {
        self.since + self.most.unwrap_or(Duration::from_secs(120)) + super::SLACK * 2
    }
}

/// The engine's clock of a game with a time control for the whole of it.
#[derive(Clone, Debug)]
pub struct GameClock {
    /// Milliseconds left.
    pub left: i64,
    pub increment: i64,
    /// The sum of delays that the engine cannot know of since the clock was told it last, in milliseconds.
    unknown: i64,
}

impl GameClock {
    pub fn new(left: i64, increment: i64) -> GameClock {
        GameClock { left, increment, unknown: 0 }
    }

    /// The GUI tells the engine what the clock shows.
    pub fn told(&mut self) {
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
