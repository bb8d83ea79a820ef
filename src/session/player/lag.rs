//! Lag: the cost of the engine's moves besides thinking, by the network's round trip, the GUI, and
//! delays of a busy machine.
//!
//! It is measured where it counts: the expected clock before the engine's next move, less the clock
//! that the GUI shows then. Times are in milliseconds.

use crate::session::state::{Fields, StateError};
use std::time::Duration;

/// A greater difference, in either direction, is not lag: the user has changed the clock, or the
/// machine slept. Milliseconds.
const MAX_LAG_MS: i64 = 5_000;

/// The number of moves that count as recent.
const RECENT_MOVES: usize = 16;

/// With fewer moves there is no outlier.
const MIN_MOVES_FOR_OUTLIER: usize = 4;

/// Mean and worst lag of some moves. Milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LagSeen {
    /// The number of moves.
    pub moves: u64,
    /// The average lag.
    pub mean: u64,
    /// The highest lag.
    pub worst: u64,
}

/// The lag of a session's moves. It outlives a game, as the connection does.
#[derive(Clone, Debug, Default)]
pub(in crate::session) struct Lag {
    recent: [u16; RECENT_MOVES],
    moves: u64,
    total: u64,
    worst: u16,
    /// The lag of the newest move, until it is taken.
    newest: Option<u16>,
}

impl Lag {
    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.section("lag", |fields| {
            fields.field("recent", &mut self.recent)?;
            if self.recent.iter().any(|&lag| i64::from(lag) > MAX_LAG_MS) {
                return Err(fields.wrong("recent"));
            }
            fields.within("moves", &mut self.moves, 0..=1 << 32)?;
            fields.within("total", &mut self.total, 0..=1 << 48)?;
            fields.field("worst", &mut self.worst)?;
            fields.field("newest", &mut self.newest)
        })
    }

    /// Records the lag of a move. It may be negative, since GUIs show hundredths of a second.
    pub(in crate::session) fn observe(&mut self, lag: i64) {
        if !(-MAX_LAG_MS..=MAX_LAG_MS).contains(&lag) {
            return;
        }
        let lag = lag.max(0) as u16;
        self.recent[self.moves as usize % RECENT_MOVES] = lag;
        self.moves += 1;
        self.total += u64::from(lag);
        self.worst = self.worst.max(lag);
        self.newest = Some(lag);
    }

    /// Takes the lag of the newest move.
    pub(in crate::session) fn take_newest(&mut self) -> Option<Duration> {
        self.newest.take().map(|lag| Duration::from_millis(lag.into()))
    }

    /// The lag of all moves of the session.
    pub(in crate::session) fn overall(&self) -> LagSeen {
        let mean = self.total.checked_div(self.moves).unwrap_or(0);
        LagSeen { moves: self.moves, mean, worst: self.worst.into() }
    }

    /// The lag of the recent moves without a single outlier: the forecast for the next move. One
    /// bad moment must not spoil the following moves; a second one is no accident.
    pub(in crate::session) fn recent(&self) -> LagSeen {
        let count = RECENT_MOVES.min(self.moves as usize);
        let mut sorted = self.recent;
        let mut seen = &mut sorted[..count];
        seen.sort_unstable();
        if let [.., second, worst] = *seen
            && count >= MIN_MOVES_FOR_OUTLIER
            && worst > 2 * second + 100
        {
            seen = &mut sorted[..count - 1];
        }
        let total: u64 = seen.iter().map(|&lag| u64::from(lag)).sum();
        let worst = seen.last().map_or(0, |&worst| worst.into());
        LagSeen { moves: seen.len() as u64, mean: total.checked_div(seen.len() as u64).unwrap_or(0), worst }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lag(seen: &[i64]) -> Lag {
        let mut lag = Lag::default();
        seen.iter().for_each(|&one| lag.observe(one));
        lag
    }

    #[test]
    fn reports_recent_and_overall_lag() {
        assert_eq!(Lag::default().recent(), LagSeen::default());
        assert_eq!(Lag::default().overall(), LagSeen::default());
        let seen = lag(&[200, 0, -10, 100]);
        assert_eq!(seen.recent(), LagSeen { moves: 4, mean: 75, worst: 200 });
        let later = lag(&[&[400][..], &[160; 99]].concat());
        assert_eq!(later.recent(), LagSeen { moves: 16, mean: 160, worst: 160 });
        assert_eq!(later.overall(), LagSeen { moves: 100, mean: 162, worst: 400 });
    }

    #[test]
    fn ignores_one_outlier_but_not_two() {
        assert_eq!(lag(&[160, 150, 2000, 140]).recent(), LagSeen { moves: 3, mean: 150, worst: 160 });
        assert_eq!(lag(&[160, 150, 2000, 1900, 140]).recent(), LagSeen { moves: 5, mean: 870, worst: 2000 });
        assert_eq!(lag(&[60_000]).overall().moves, 0, "too long to be lag");
        assert_eq!(lag(&[-60_000]).overall().moves, 0, "a clock that was set anew");
    }
}
