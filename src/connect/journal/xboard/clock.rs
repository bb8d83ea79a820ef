//! The engine's clock as the GUI must see it: what was said of it, and what has passed since.

use crate::protocol::xboard::Level;
use std::time::{Duration, Instant};

/// "If you ask for a game with base=0, the clocks really start at 10 seconds" (protocol 1, section 11).
const BASE_OF_ZERO: Duration = Duration::from_secs(10);

/// Clocks and what they depend on.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// Unless there is none, or `st` has taken its place.
    level: Option<Level>,
    /// Moves on the record when it was set.
    level_ply: usize,
    /// Milliseconds, when it ran last.
    ours: i64,
    /// Said by the GUI, or counted by us. If neither, a server knows as much as we do.
    known: bool,
    /// Our move is due since then.
    running: Option<Instant>,
    /// The opponent's clock in centiseconds, and when that was said.
    theirs: Option<(i64, Instant)>,
}

impl Clock {
    /// `new`: the time control stays.
    pub(super) fn reset(&mut self) {
        *self = Clock { level: self.level, ..Clock::default() };
        self.ours = self.level.map_or(0, base);
    }

    /// `level`, with so many moves on the record; `None` for `st`.
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

    /// Our move is due from now on.
    pub(super) fn start(&mut self, at: Instant) {
        self.running = Some(at);
    }

    /// It is not any more, or there is a pause.
    pub(super) fn stop(&mut self, at: Instant) {
        if let Some(since) = self.running.take() {
            self.ours = self.ours.saturating_sub(millis(at.saturating_duration_since(since)));
            // Without a time control nobody has counted from anything.
            self.known |= self.level.is_some();
        }
    }

    /// Our move was made, the record had `ply` moves before.
    pub(super) fn moved(&mut self, at: Instant, ply: usize) {
        self.stop(at);
        if let Some(level) = self.level {
            let made = ply.saturating_sub(self.level_ply) / 2 + 1;
            let period = level.moves > 0 && made.is_multiple_of(level.moves as usize);
            let more = millis(level.increment) + if period { base(level) } else { 0 };
            self.ours = self.ours.saturating_add(more);
        }
    }

    /// Moves were taken back, or something else is on the board.
    pub(super) fn rewound(&mut self, ply: usize) {
        self.level_ply = self.level_ply.min(ply);
    }

    /// What the engine's clock shows, in centiseconds, if anybody can know.
    pub(super) fn ours(&self, now: Instant) -> Option<i64> {
        let used = self.running.map_or(0, |since| millis(now.saturating_duration_since(since)));
        self.known_or_running().then(|| (self.ours.saturating_sub(used) / 10).max(1))
    }

    /// What the opponent's clock shows, in centiseconds, if that was ever said. It runs when ours does not.
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
