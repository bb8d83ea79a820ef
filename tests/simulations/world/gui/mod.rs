//! Models of GUIs. Each plays, analyses and asks, and checks its input: every answer comes once, in
//! order, legal, on time, and with the right clock. It knows only its protocol, the rules, and the
//! durations of outages.

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

/// Knowledge of the world available to a GUI.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub now: Instant,
    pub trouble: Trouble,
    /// The engine's clock in its session in milliseconds, if there is a session at the moment.
    pub clock: Option<i64>,
}

/// The total time without a server for the session, and the number of outages.
#[derive(Clone, Copy, Default, Debug)]
pub struct Trouble {
    pub time: Duration,
    pub times: u32,
    pub is_on: bool,
}

/// Additional time for every takeover besides the outage, and for every answer: network delays both
/// ways.
pub const SLACK: Duration = Duration::from_millis(8 * crate::world::network::MAX_DELAY_MS as u64);

impl Trouble {
    /// Additional time for an answer requested when the trouble was `before`.
    pub fn allowance(&self, before: &Trouble) -> Duration {
        self.time - before.time + SLACK * (1 + self.times - before.times)
    }
}

pub trait Gui {
    /// When it acts next.
    fn wake(&self) -> Instant;

    /// Acts; returns bytes for the engine.
    fn act(&mut self, seen: &Seen) -> Vec<u8>;

    /// Checks a line of the engine.
    fn hear(&mut self, line: &str, seen: &Seen);

    /// Stops beginning anything new.
    fn settle(&mut self);

    /// Returns true if everything is answered and it has quit.
    fn has_quit(&self) -> bool;

    /// The number of finished games in which the engine has moved.
    fn finished_games(&self) -> usize;

    /// The maximum number of archived games.
    fn begun_games(&self) -> usize;

    /// The number of moves received.
    fn answers(&self) -> usize;
}

/// A random pause of a user: mostly seconds, sometimes minutes, sometimes none.
pub fn pause(dice: &mut Dice) -> Duration {
    match dice.roll(40) {
        0 => Duration::from_secs(30) + dice.delay(300_000),
        1..10 => dice.delay(60),
        _ => Duration::from_millis(50) + dice.delay(4000),
    }
}

/// Returns true if the engine may play this move: the result of its searches, or a move made
/// without one.
pub fn is_expected(seed: u64, root: &RootPosition, mv: farboard::chess::Move) -> bool {
    crate::world::pool::best_move(seed, root, &[]) == Some(mv)
        || farboard::search::static_best_move(root, &[], None) == Some(mv)
}

/// Text in a line that crashes servers.
#[derive(Clone, Copy, Debug)]
pub struct Poison(pub Option<&'static [u8]>);

impl Poison {
    pub fn is_in(&self, line: &[u8]) -> bool {
        self.0.is_some_and(|poison| line.windows(poison.len()).any(|part| part == poison))
    }
}
