//! How long a move may take.

use std::time::Duration;

/// What the clocks say when a move is due. Milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Left on our clock; 0 or less if the flag should have fallen.
    pub remaining: i64,
    /// Added after each move.
    pub increment: u64,
    /// Moves until more time comes; `None` if the time must do for the whole game.
    pub moves_to_go: Option<u32>,
    /// What each move costs besides thinking: lag, mean and worst case seen.
    pub overhead: u64,
}

/// How long a move may take, counted from when it became due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allotment {
    /// Aim for this.
    pub optimum: Duration,
    /// At this the best move known is played.
    pub maximum: Duration,
}

/// Divides what is left on the clock.
pub fn allot(clock: Clock) -> Allotment {
    let _ = clock;
    todo!()
}
