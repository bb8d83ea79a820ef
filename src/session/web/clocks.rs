//! Both clocks of a game. The session keeps them: the client only shows them.

use crate::chess::Color;
use crate::protocol::web::{self, ClockTerms};
use crate::session::player::seconds;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// Possible times at the start of a game, in milliseconds.
const INITIAL: RangeInclusive<u64> = 1_000..=86_400_000;
/// Possible increments, in milliseconds.
const INCREMENT: RangeInclusive<u64> = 0..=3_600_000;
/// Possible times for a move, in milliseconds.
const PER_MOVE: RangeInclusive<u64> = 100..=86_400_000;

/// The terms of the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Terms {
    /// A time for the game, and what each move adds.
    Game {
        /// At the start.
        initial: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// A time for each move.
    PerMove(Duration),
}

/// Terms out of range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name} must be from {} to {}", .range.start(), .range.end())]
pub(super) struct TermsError {
    name: &'static str,
    range: RangeInclusive<u64>,
}

impl Terms {
    /// The terms of a message.
    pub(super) fn of(terms: ClockTerms) -> Result<Terms, TermsError> {
        let time = |name, value: u64, range: RangeInclusive<u64>| {
            if range.contains(&value) {
                Ok(Duration::from_millis(value))
            } else {
                Err(TermsError { name, range })
            }
        };
        Ok(match terms {
            ClockTerms::Game(clock) => Terms::Game {
                initial: time("initial_ms", clock.initial_ms, INITIAL)?,
                increment: time("increment_ms", clock.increment_ms, INCREMENT)?,
            },
            ClockTerms::Move(clock) => Terms::PerMove(time("move_ms", clock.move_ms, PER_MOVE)?),
        })
    }

    /// The time on a clock at the start.
    fn initial(self) -> Duration {
        match self {
            Terms::Game { initial, .. } => initial,
            Terms::PerMove(time) => time,
        }
    }

    /// The terms in PGN's notation.
    pub(super) fn in_pgn(self) -> String {
        match self {
            Terms::Game { initial, increment } if increment.is_zero() => seconds(initial),
            Terms::Game { initial, increment } => format!("{}+{}", seconds(initial), seconds(increment)),
            Terms::PerMove(time) => format!("1/{}", seconds(time)),
        }
    }
}

/// Both clocks.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    pub(super) terms: Terms,
    /// Time left for White and Black, as of `running`'s start.
    pub(super) left: [Duration; 2],
    /// The side whose clock runs, and since when.
    pub(super) running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Clocks that do not run yet.
    pub(super) fn new(terms: Terms) -> Clocks {
        Clocks { terms, left: [terms.initial(); 2], running: None }
    }

    /// The time left for a side.
    pub(super) fn left(&self, side: Color, now: Instant) -> Duration {
        let left = self.left[side.index()];
        match self.running {
            Some((running, since)) if running == side => {
                left.saturating_sub(now.saturating_duration_since(since))
            }
            Some(_) | None => left,
        }
    }

    /// When the time of the side on move ends.
    pub(super) fn flag(&self) -> Option<(Color, Instant)> {
        let (side, since) = self.running?;
        Some((side, since.checked_add(self.left[side.index()])?))
    }

    /// Stops the clocks.
    pub(super) fn stop(&mut self, now: Instant) {
        if let Some((side, _)) = self.running {
            self.left[side.index()] = self.left(side, now);
            self.running = None;
        }
    }

    /// Starts the clock of a side, after the other one's move if its clock ran.
    pub(super) fn switch_to(&mut self, side: Color, now: Instant) {
        let has_moved = self.running.is_some_and(|(running, _)| running != side);
        self.stop(now);
        let moved = &mut self.left[(!side).index()];
        match self.terms {
            Terms::Game { increment, .. } if has_moved => *moved = moved.saturating_add(increment),
            Terms::Game { .. } => {}
            Terms::PerMove(time) => *moved = time,
        }
        self.running = Some((side, now));
    }

    /// The clocks for the client.
    pub(super) fn shown(&self, now: Instant) -> web::Clocks {
        let shown = |side| Some(i64::try_from(self.left(side, now).as_millis()).unwrap_or(i64::MAX));
        web::Clocks {
            white_ms: shown(Color::White),
            black_ms: shown(Color::Black),
            running: self.running.map(|(side, _)| side.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::web::{GameClock, MoveClock, Side};

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_move_costs_its_time_and_gains_the_increment() {
        let mut clocks = Clocks::new(Terms::Game { initial: seconds(60), increment: seconds(2) });
        let start = Instant::now();
        clocks.switch_to(Color::Black, start);
        assert_eq!(clocks.left, [seconds(60); 2], "White's first move costs nothing and gains nothing");
        clocks.switch_to(Color::White, start + seconds(10));
        assert_eq!(clocks.left, [seconds(60), seconds(52)]);
        assert_eq!(clocks.flag(), Some((Color::White, start + seconds(70))));
        let shown = clocks.shown(start + seconds(15));
        assert_eq!(
            shown,
            web::Clocks { white_ms: Some(55_000), black_ms: Some(52_000), running: Some(Side::White) }
        );
        clocks.stop(start + seconds(20));
        assert_eq!((clocks.left, clocks.flag()), ([seconds(50), seconds(52)], None));
        clocks.switch_to(Color::White, start + seconds(30));
        assert_eq!(clocks.left(Color::White, start + seconds(500)), Duration::ZERO);
    }

    #[test]
    fn a_time_for_each_move_begins_anew() {
        let mut clocks = Clocks::new(Terms::PerMove(seconds(5)));
        let start = Instant::now();
        clocks.switch_to(Color::Black, start);
        clocks.switch_to(Color::White, start + seconds(3));
        assert_eq!(clocks.left, [seconds(5); 2]);
    }

    #[test]
    fn terms_have_bounds_and_words() {
        let game =
            |initial_ms, increment_ms| Terms::of(ClockTerms::Game(GameClock { initial_ms, increment_ms }));
        let per_move = |move_ms| Terms::of(ClockTerms::Move(MoveClock { move_ms }));
        for (terms, words) in
            [(game(300_000, 2_000), "300+2"), (game(1_500, 0), "1.5"), (per_move(2_500), "1/2.5")]
        {
            assert_eq!(terms.expect("possible").in_pgn(), words);
        }
        for terms in [game(0, 0), game(u64::MAX, 0), game(1_000, u64::MAX), per_move(0), per_move(u64::MAX)] {
            assert!(terms.expect_err("impossible").to_string().contains("must be from"));
        }
    }
}
