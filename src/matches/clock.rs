//! The clocks of a game.

use crate::chess::Color;
use crate::engines::time_control::{Clock, TimeControl};
use std::time::Duration;

/// The time controls, and their measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Timing {
    /// Of White and Black.
    pub(super) controls: [TimeControl; 2],
    /// Whether CPU time counts.
    pub(super) cpu_time: bool,
    /// By how much a clock may be overdrawn.
    pub(super) margin: Duration,
}

/// Time on the wall, beyond all its own, for which an engine may be silent: an engine that hangs
/// must not hold up a match, and CPU time may pass slowly.
const PATIENCE: Duration = Duration::from_secs(30);
/// Factor by which CPU time may pass more slowly than time on the wall.
const SLOWNESS: u32 = 10;

/// The clocks of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clocks {
    pub(super) timing: Timing,
    /// Time left for White and Black.
    left: [Duration; 2],
}

impl Clocks {
    pub(super) fn new(timing: Timing) -> Clocks {
        let base = |control| match control {
            TimeControl::Game(Clock { base, .. }) => base,
            TimeControl::Move(each) => each,
            TimeControl::Nodes(_) => Duration::MAX,
        };
        Clocks { timing, left: timing.controls.map(base) }
    }

    /// The time control of a side.
    pub(super) fn control(&self, side: Color) -> TimeControl {
        self.timing.controls[side.index()]
    }

    /// The time that a side has left, including the time of this move.
    pub(super) fn left(&self, side: Color) -> Duration {
        self.left[side.index()]
    }

    /// Charges the time of a move. Returns false if the side has exceeded its time.
    pub(super) fn uses(&mut self, side: Color, used: Duration) -> bool {
        let left = &mut self.left[side.index()];
        let in_time = used <= left.saturating_add(self.timing.margin);
        if let TimeControl::Game(clock) = self.timing.controls[side.index()] {
            *left = left.saturating_sub(used) + clock.increment;
        }
        in_time
    }

    /// Time on the wall to wait for the move of a side.
    pub(super) fn patience(&self, side: Color) -> Duration {
        match self.control(side) {
            TimeControl::Nodes(_) => PATIENCE * 20,
            _ if self.timing.cpu_time => PATIENCE + self.left(side) * SLOWNESS,
            _ => PATIENCE + self.left(side),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(control: TimeControl) -> Clocks {
        Clocks::new(Timing { controls: [control; 2], cpu_time: false, margin: Duration::from_millis(50) })
    }

    #[test]
    fn what_is_used_is_gone_and_the_increment_comes_after_the_move() {
        let seconds = Duration::from_secs;
        let mut clocks = clocks(TimeControl::Game(Clock { base: seconds(10), increment: seconds(1) }));
        assert!(clocks.uses(Color::White, seconds(4)));
        assert_eq!((clocks.left(Color::White), clocks.left(Color::Black)), (seconds(7), seconds(10)));
        assert!(clocks.uses(Color::White, Duration::from_millis(7_050)), "within the margin");
        assert_eq!(clocks.left(Color::White), seconds(1));
        assert!(!clocks.uses(Color::White, Duration::from_millis(1_051)));
    }

    #[test]
    fn time_for_a_move_is_the_same_for_each() {
        let mut clocks = clocks(TimeControl::Move(Duration::from_secs(1)));
        assert!(clocks.uses(Color::Black, Duration::from_millis(900)));
        assert_eq!(clocks.left(Color::Black), Duration::from_secs(1));
        assert!(!clocks.uses(Color::Black, Duration::from_secs(2)));
    }

    #[test]
    fn nodes_take_as_long_as_they_take() {
        let mut clocks = clocks(TimeControl::Nodes(1000));
        assert!(clocks.uses(Color::White, Duration::from_secs(1_000_000)));
    }
}
