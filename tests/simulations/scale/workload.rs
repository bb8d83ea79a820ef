//! What people do on a fleet. The reasons for these numbers are in `docs/scale.md`.

use super::dice::Dice;

/// What a session does at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    Game,
    Analysis,
    /// A GUI is open and nothing is searched.
    Idle,
}

impl Activity {
    const ALL: [Activity; 3] = [Activity::Game, Activity::Analysis, Activity::Idle];

    /// What a session begins with: nobody connects for nothing.
    pub fn first(dice: &mut Dice) -> Activity {
        Activity::ALL[dice.one_of([0.7, 0.3, 0.0])]
    }

    /// What a session does next.
    pub fn next(dice: &mut Dice) -> Activity {
        Activity::ALL[dice.one_of([0.5, 0.3, 0.2])]
    }

    /// How long it does so, in seconds.
    pub fn duration(self, dice: &mut Dice) -> f64 {
        let minutes = match self {
            Activity::Game => 12.0,
            Activity::Analysis => 10.0,
            Activity::Idle => 15.0,
        };
        // Neither always the same nor without memory: the sum of two times that have none.
        dice.exponential(minutes * 30.0) + dice.exponential(minutes * 30.0)
    }
}

/// With which probability a session ends when it has done with something.
pub const LEAVES: f64 = 0.25;

/// Activities in a session, on average.
pub const ACTIVITIES: f64 = 1.0 / LEAVES;

/// Mean length of a session in seconds.
pub fn session_length() -> f64 {
    let first = 0.7 * 12.0 + 0.3 * 10.0;
    let next = 0.5 * 12.0 + 0.3 * 10.0 + 0.2 * 15.0;
    60.0 * (first + (ACTIVITIES - 1.0) * next)
}

/// The share of sessions that are in a game, when all comes and goes evenly.
pub fn share_of_games() -> f64 {
    60.0 * 12.0 * (0.7 + (ACTIVITIES - 1.0) * 0.5) / session_length()
}

/// Arrivals at this time of the day, in seconds, relative to the busiest hour, which is at eight in the evening.
pub fn rush(time: f64) -> f64 {
    const LEAST: f64 = 0.25;
    let angle = (time / 86_400.0 - 20.0 / 24.0) * std::f64::consts::TAU;
    LEAST + (1.0 - LEAST) * (1.0 + angle.cos()) / 2.0
}

/// A time control, and who plays it.
pub struct TimeControl {
    /// The share of all games.
    pub share: f64,
    /// In milliseconds.
    pub base: i64,
    /// In milliseconds.
    pub increment: u64,
    /// How long the opponent thinks about a move, in milliseconds.
    pub opponent: f64,
    /// Moves of a game on average.
    pub moves: f64,
}

/// Blitz and rapid games of people, and fast games of programs.
pub const TIME_CONTROLS: [TimeControl; 3] = [
    TimeControl { share: 0.70, base: 300_000, increment: 3_000, opponent: 8_000.0, moves: 40.0 },
    TimeControl { share: 0.25, base: 900_000, increment: 10_000, opponent: 20_000.0, moves: 40.0 },
    TimeControl { share: 0.05, base: 10_000, increment: 100, opponent: 300.0, moves: 60.0 },
];

/// The share of games in which the engine thinks on the opponent's time.
pub const PONDERING: f64 = 0.25;

/// What a search takes of its optimum: easy moves are made sooner, hard ones later.
pub const OF_OPTIMUM: (f64, f64) = (0.2, 0.8);

/// How long a position is analysed, in seconds on average.
pub const ANALYSED: f64 = 30.0;
