//! Models of GUIs. Each plays, analyses and asks, and judges all that it hears: every answer once, in order, legal, on time, and
//! with the right clock. It knows its own protocol and the rules, and of servers only how long they were away.

mod answer;
mod checkers;
mod clock;
mod uci;
mod xboard;

pub use checkers::Checkers;
pub use uci::Uci;
pub use xboard::Xboard;

use crate::support::dice::Dice;
use farboard::search::RootPosition;
use std::time::{Duration, Instant};

/// What a GUI may know of the world when it judges.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub now: Instant,
    pub trouble: Trouble,
    /// The engine's clock as its session knows it, in milliseconds, if it has a session at this instant.
    pub clock: Option<i64>,
}

/// The time without a server that has the session, and how often that has begun.
#[derive(Clone, Copy, Default, Debug)]
pub struct Trouble {
    pub time: Duration,
    pub times: u32,
    pub is_on: bool,
}

/// What every take-over may cost besides the outage, and every answer without one: the delays of the network both ways.
pub const SLACK: Duration = Duration::from_millis(8 * crate::world::network::MAX_DELAY_MS as u64);

impl Trouble {
    /// How much later than usual something may be that was asked when the trouble was `before`.
    pub fn allowance(&self, before: &Trouble) -> Duration {
        self.time - before.time + SLACK * (1 + self.times - before.times)
    }
}

pub trait Gui {
    /// When it does something next.
    fn wake(&self) -> Instant;

    /// Does something: returns bytes for the engine.
    fn act(&mut self, seen: &Seen) -> Vec<u8>;

    /// Judges a line of the engine.
    fn hear(&mut self, line: &str, seen: &Seen);

    /// Begins nothing new from now on.
    fn settle(&mut self);

    /// Whether everything is answered, and it has said farewell.
    fn has_quit(&self) -> bool;

    /// How many games have ended in which the engine has made a move.
    fn finished_games(&self) -> usize;

    /// How many games may have been archived at most.
    fn begun_games(&self) -> usize;

    /// Moves of the engine.
    fn answers(&self) -> usize;
}

/// How long a user does nothing: mostly seconds, sometimes minutes, sometimes no time at all.
pub fn pause(dice: &mut Dice) -> Duration {
    match dice.roll(40) {
        0 => Duration::from_secs(30) + dice.below(300_000),
        1..10 => dice.below(60),
        _ => Duration::from_millis(50) + dice.below(4000),
    }
}

/// Whether the engine may have played this move: what its searches find, or what it plays without one.
pub fn is_expected(seed: u64, root: &RootPosition, mv: farboard::chess::Move) -> bool {
    crate::world::pool::best_move(seed, root, &[]) == Some(mv)
        || farboard::search::static_best_move(root, &[], None) == Some(mv)
}

/// What in a line a server dies of.
#[derive(Clone, Copy, Debug)]
pub struct Poison(pub Option<&'static [u8]>);

impl Poison {
    pub fn is_in(&self, line: &[u8]) -> bool {
        self.0.is_some_and(|poison| line.windows(poison.len()).any(|part| part == poison))
    }
}
