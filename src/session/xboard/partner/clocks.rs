//! The clocks of the other board, as far as the partner has reported them.

use crate::session::state::{Fields, StateError, record};
use std::time::{Duration, Instant};

/// A clock without a report for this long is unknown.
const KNOWN_FOR: Duration = Duration::from_secs(60);

/// The clocks of the other board.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct OtherBoard {
    pub(super) partner: Option<ClockReading>,
    pub(super) opponent: Option<ClockReading>,
}

/// A reported clock, and the time of the report.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockReading {
    pub(super) shown: Duration,
    pub(super) at: Instant,
}

impl OtherBoard {
    /// Records the clocks of the partner, its opponent, or both.
    pub(super) fn update(&mut self, partner: Option<Duration>, opponent: Option<Duration>, now: Instant) {
        let reading = |clock: Option<Duration>| clock.map(|shown| ClockReading { shown, at: now });
        self.partner = reading(partner).or(self.partner);
        self.opponent = reading(opponent).or(self.opponent);
    }

    /// The partner's clock, if it was reported lately.
    pub(super) fn partner(&self, now: Instant) -> Option<Duration> {
        self.partner?.by(now)
    }

    /// The clock of the partner's opponent, if it was reported lately. With the engine's, it
    /// decides who can afford to sit.
    pub(super) fn opponent(&self, now: Instant) -> Option<Duration> {
        self.opponent?.by(now)
    }

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.field("partner", &mut self.partner)?;
        fields.field("opponent", &mut self.opponent)
    }
}

record!(ClockReading { shown, at });

impl ClockReading {
    /// The present estimate: one clock of a board runs at a time, but the partner does not say
    /// which, so each has run for half of the time.
    fn by(self, now: Instant) -> Option<Duration> {
        let since = now.saturating_duration_since(self.at);
        (since <= KNOWN_FOR).then(|| self.shown.saturating_sub(since / 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn both_clocks_run_for_half_of_the_time_until_they_are_forgotten() {
        let (mut clocks, now) = (OtherBoard::default(), Instant::now());
        assert_eq!((clocks.partner(now), clocks.opponent(now)), (None, None));
        clocks.update(Some(60 * SECOND), Some(30 * SECOND), now);
        assert_eq!((clocks.partner(now), clocks.opponent(now)), (Some(60 * SECOND), Some(30 * SECOND)));
        let later = now + 20 * SECOND;
        assert_eq!((clocks.partner(later), clocks.opponent(later)), (Some(50 * SECOND), Some(20 * SECOND)));
        clocks.update(Some(5 * SECOND), None, later);
        let last = now + KNOWN_FOR;
        assert_eq!(
            (clocks.partner(last), clocks.opponent(last)),
            (Some(Duration::ZERO), Some(Duration::ZERO))
        );
        let over = last + Duration::from_millis(1);
        assert_eq!((clocks.partner(over), clocks.opponent(over)), (Some(Duration::ZERO), None));
    }
}
