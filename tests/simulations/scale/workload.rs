//! User behaviour on a fleet. `docs/scale.md` gives the reasons for these numbers.

use crate::support::dice::Dice;

/// The current activity of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    Game,
    Analysis,
    /// A GUI is open and nothing is searched.
    Idle,
}

impl Activity {
    const ALL: [Activity; 3] = [Activity::Game, Activity::Analysis, Activity::Idle];

    /// The first activity of a session, which is never idle.
    pub fn first(dice: &mut Dice) -> Activity {
        Activity::ALL[dice.one_of([0.7, 0.3, 0.0])]
    }

    /// The next activity of a session.
    pub fn next(dice: &mut Dice) -> Activity {
        Activity::ALL[dice.one_of([0.5, 0.3, 0.2])]
    }

    /// The duration of the activity in seconds.
    pub fn duration(self, dice: &mut Dice) -> f64 {
        let minutes = match self {
            Activity::Game => 12.0,
            Activity::Analysis => 10.0,
            Activity::Idle => 15.0,
        };
        // A sum of two exponential times varies less than one and is not constant.
        dice.exponential(minutes * 30.0) + dice.exponential(minutes * 30.0)
    }
}

/// Probability that a session ends after an activity.
pub const LEAVES: f64 = 0.25;

/// Activities in a session, on average.
pub const ACTIVITIES: f64 = 1.0 / LEAVES;

/// Mean length of a session in seconds.
pub fn session_length() -> f64 {
    let first = 0.7 * 12.0 + 0.3 * 10.0;
    let next = 0.5 * 12.0 + 0.3 * 10.0 + 0.2 * 15.0;
    60.0 * (first + (ACTIVITIES - 1.0) * next)
}

/// The share of sessions in a game in the steady state.
pub fn share_of_games() -> f64 {
    60.0 * 12.0 * (0.7 + (ACTIVITIES - 1.0) * 0.5) / session_length()
}

/// The arrival rate at this time of day in seconds, relative to the busiest hour at eight in the
/// evening.
pub fn rush(time: f64) -> f64 {
    const LEAST: f64 = 0.25;
    let angle = (time / 86_400.0 - 20.0 / 24.0) * std::f64::consts::TAU;
    LEAST + (1.0 - LEAST) * (1.0 + angle.cos()) / 2.0
}

/// A time control and its players.
pub struct TimeControl {
    /// The share of all games.
    pub share: f64,
    /// In milliseconds.
    pub base: i64,
    /// In milliseconds.
    pub increment: u64,
    /// Mean thinking time of the opponent in milliseconds.
    pub opponent: f64,
    /// Mean number of moves in a game.
    pub moves: f64,
}

/// Blitz and rapid games of people, and fast games of programs.
pub const TIME_CONTROLS: [TimeControl; 3] = [
    TimeControl { share: 0.70, base: 300_000, increment: 3_000, opponent: 8_000.0, moves: 40.0 },
    TimeControl { share: 0.25, base: 900_000, increment: 10_000, opponent: 20_000.0, moves: 40.0 },
    TimeControl { share: 0.05, base: 10_000, increment: 100, opponent: 300.0, moves: 60.0 },
];

/// The share of games with pondering.
pub const PONDERING: f64 = 0.25;

/// The range of a search's time relative to its optimum: easy moves take less, hard ones more.
pub const OF_OPTIMUM: (f64, f64) = (0.2, 0.8);

/// Mean time for the analysis of a position, in seconds.
pub const ANALYSED: f64 = 30.0;
