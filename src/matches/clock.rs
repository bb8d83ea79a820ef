//! The time of a game: what each side has left.

use crate::chess::Color;
use crate::engines::time_control::Clock;
use std::time::Duration;

/// How long moves may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Control {
    /// A clock for the game.
    Game(Clock),
    /// This long for each move.
    Move(Duration),
    /// Nodes for each move.
    Nodes(u64),
}

/// How long moves may take, and who measures that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Timing {
    pub control: Control,
    /// Whether CPU time counts.
    pub cpu_time: bool,
    /// By how much a clock may be overdrawn.
    pub margin: Duration,
}

/// How long an engine may be silent, by the wall, beyond all it may use: an engine that hangs must not hold up a match, and CPU
/// time may pass slowly.
const PATIENCE: Duration = Duration::from_secs(30);
/// How much slower than the wall CPU time may pass.
const SLOWNESS: u32 = 10;

/// The clocks of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clocks {
    pub timing: Timing,
    /// What is left, White's first.
    left: [Duration; 2],
}

impl Clocks {
    pub fn new(timing: Timing) -> Clocks {
        let base = match timing.control {
            Control::Game(clock) => clock.base,
            Control::Move(each) => each,
            Control::Nodes(_) => Duration::MAX,
        };
        Clocks { timing, left: [base; 2] }
    }

    /// What this side has left, the time of this move included.
    pub fn left(&self, side: Color) -> Duration {
        self.left[side.index()]
    }

    /// A side has used this much for a move. False if it has exceeded its time.
    pub fn uses(&mut self, side: Color, used: Duration) -> bool {
        let left = &mut self.left[side.index()];
        let in_time = used <= left.saturating_add(self.timing.margin);
        if let Control::Game(clock) = self.timing.control {
            *left = left.saturating_sub(used) + clock.increment;
        }
        in_time
    }

    /// How long to wait for the move of this side, by the wall.
    pub fn patience(&self, side: Color) -> Duration {
        match self.timing.control {
            Control::Nodes(_) => PATIENCE * 20,
            _ if self.timing.cpu_time => PATIENCE + self.left(side) * SLOWNESS,
            _ => PATIENCE + self.left(side),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(control: Control) -> Clocks {
        Clocks::new(Timing { control, cpu_time: false, margin: Duration::from_millis(50) })
    }

    #[test]
    fn what_is_used_is_gone_and_the_increment_comes_after_the_move() {
        let seconds = Duration::from_secs;
        let mut clocks = clocks(Control::Game(Clock { base: seconds(10), increment: seconds(1) }));
        assert!(clocks.uses(Color::White, seconds(4)));
        assert_eq!((clocks.left(Color::White), clocks.left(Color::Black)), (seconds(7), seconds(10)));
        assert!(clocks.uses(Color::White, Duration::from_millis(7_050)), "within the margin");
        assert_eq!(clocks.left(Color::White), seconds(1));
        assert!(!clocks.uses(Color::White, Duration::from_millis(1_051)));
    }

    #[test]
    fn time_for_a_move_is_the_same_for_each() {
        let mut clocks = clocks(Control::Move(Duration::from_secs(1)));
        assert!(clocks.uses(Color::Black, Duration::from_millis(900)));
        assert_eq!(clocks.left(Color::Black), Duration::from_secs(1));
        assert!(!clocks.uses(Color::Black, Duration::from_secs(2)));
    }

    #[test]
    fn nodes_take_as_long_as_they_take() {
        let mut clocks = clocks(Control::Nodes(1000));
        assert!(clocks.uses(Color::White, Duration::from_secs(1_000_000)));
    }
}
