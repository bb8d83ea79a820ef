//! The engine's clock as the GUI must see it: the last known time, and what has passed since.

use crate::protocol::xboard::Level;
use std::time::{Duration, Instant};

/// "If you ask for a game with base=0, the clocks really start at 10 seconds" (protocol 1, section 11).
const BASE_OF_ZERO: Duration = Duration::from_secs(10);

/// Both clocks, and what they depend on.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// The time control; `None` without one, or after `st`.
    level: Option<Level>,
    /// Recorded moves when it was set.
    level_ply: usize,
    /// Time on the engine's clock in milliseconds when it last ran.
    ours: i64,
    /// The GUI told the time, or the journal counted it. Otherwise a server knows as much.
    known: bool,
    /// When the engine's move became due.
    running: Option<Instant>,
    /// The opponent's clock in centiseconds, and when it was told.
    theirs: Option<(i64, Instant)>,
}

impl Clock {
    /// `new`: the time control stays.
    pub(super) fn reset(&mut self) {
        *self = Clock { level: self.level, ..Clock::default() };
        self.ours = self.level.map_or(0, base);
    }

    /// `level`, after `ply` recorded moves; `None` for `st`.
    pub(super) fn set_level(&mut self, level: Option<Level>, ply: usize) {
        self.level = level;
        if let Some(level) = level {
            self.level_ply = ply;
            self.ours = base(level);
            self.known = false;
        }
    }

    /// `time`, in centiseconds.
    pub(super) fn told(&mut self, centiseconds: i64, at: Instant) {
        self.ours = centiseconds.saturating_mul(10);
        self.known = true;
        self.running = self.running.map(|_| at);
    }

    /// `otim`, in centiseconds.
    pub(super) fn told_theirs(&mut self, centiseconds: i64, at: Instant) {
        self.theirs = Some((centiseconds, at));
    }

    /// The engine's move is due from now on.
    pub(super) fn start(&mut self, at: Instant) {
        self.running = Some(at);
    }

    /// The move is not due any more, or the game is paused.
    pub(super) fn stop(&mut self, at: Instant) {
        if let Some(since) = self.running.take() {
            self.ours = self.ours.saturating_sub(millis(at.saturating_duration_since(since)));
            // Without a time control there was nothing to count from.
            self.known |= self.level.is_some();
        }
    }

    /// The engine has moved after `ply` recorded moves.
    pub(super) fn moved(&mut self, at: Instant, ply: usize) {
        self.stop(at);
        if let Some(level) = self.level {
            let made = ply.saturating_sub(self.level_ply) / 2 + 1;
            let period = level.moves > 0 && made.is_multiple_of(level.moves as usize);
            let more = millis(level.increment) + if period { base(level) } else { 0 };
            self.ours = self.ours.saturating_add(more);
        }
    }

    /// Moves were taken back, or the position was replaced.
    pub(super) fn rewound(&mut self, ply: usize) {
        self.level_ply = self.level_ply.min(ply);
    }

    /// The engine's clock in centiseconds, if known.
    pub(super) fn ours(&self, now: Instant) -> Option<i64> {
        let used = self.running.map_or(0, |since| millis(now.saturating_duration_since(since)));
        self.known_or_running().then(|| (self.ours.saturating_sub(used) / 10).max(1))
    }

    /// The opponent's clock in centiseconds, if it was ever told. It runs when the engine's does not.
    pub(super) fn theirs(&self, now: Instant) -> Option<i64> {
        let (said, at) = self.theirs?;
        let used = if self.running.is_some() { 0 } else { millis(now.saturating_duration_since(at)) / 10 };
        Some(said.saturating_sub(used).max(1))
    }

    fn known_or_running(&self) -> bool {
        self.known || (self.running.is_some() && self.level.is_some())
    }
}

fn base(level: Level) -> i64 {
    millis(if level.base.is_zero() { BASE_OF_ZERO } else { level.base })
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(moves: u32, base: u64, increment: u64) -> Option<Level> {
        let (base, increment) = (Duration::from_secs(base), Duration::from_secs(increment));
        Some(Level { moves, base, increment })
    }

    #[test]
    fn an_outage_while_our_move_is_due_is_ours() {
        let start = Instant::now();
        let later = |seconds| start + Duration::from_secs(seconds);
        let mut clock = Clock::default();
        assert_eq!(clock.ours(start), None, "nobody has said anything");
        clock.told(3000, start);
        clock.told_theirs(2000, start);
        clock.start(start);
        assert_eq!((clock.ours(later(5)), clock.theirs(later(5))), (Some(2500), Some(2000)));
        clock.moved(later(5), 1);
        assert_eq!(clock.ours(later(9)), Some(2500), "theirs runs now");
        clock.start(later(9));
        assert_eq!(clock.ours(later(900)), Some(1), "GUIs never say less");
    }

    #[test]
    fn increments_and_periods_are_added() {
        let start = Instant::now();
        let mut clock = Clock::default();
        clock.set_level(level(2, 60, 1), 0);
        assert_eq!(clock.ours(start), None, "a server knows that much");
        for (ply, expected) in [(0, 6100), (2, 12_200), (4, 12_300), (6, 18_400)] {
            clock.start(start);
            clock.moved(start, ply);
            assert_eq!(clock.ours(start), Some(expected), "{ply}");
        }
    }
}
