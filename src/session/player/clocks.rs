//! Clocks, time controls and lag: how much time the next move has.
//!
//! What the GUI says (`time`) is the truth; our own accounting fills in for clients that do not say.
//! Times are in milliseconds unless the name says otherwise.

use super::lag::Lag;
use crate::search::{Allotment, Clock, allot};
use std::time::Duration;

/// What xboard begins with. For clients that set no time control at all.
const DEFAULT: TimeControl =
    TimeControl { moves: 40, base: Duration::from_secs(5 * 60), increment: Duration::ZERO };

/// "If you ask for a game with base=0, the clocks really start at 10 seconds" (protocol 1, section 11).
const BASE_OF_ZERO: i64 = 10_000;

/// A time control with a clock that runs through the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) struct TimeControl {
    /// Moves after which `base` is added again; 0 if it must do for the whole game.
    pub(in crate::session) moves: u32,
    /// Time at the start. Whole milliseconds.
    pub(in crate::session) base: Duration,
    /// Added after each move. Whole milliseconds.
    pub(in crate::session) increment: Duration,
}

/// Our clock and what it depends on.
#[derive(Clone, Debug)]
pub(in crate::session) struct Clocks {
    control: Option<Control>,
    /// Plies on the record when the time control was set: moves to go are counted from there.
    control_ply: usize,
    ours: i64,
    /// What `ours` is based on was said by the GUI since our last move.
    told: bool,
    /// The GUI says the time at all.
    ever_told: bool,
    /// What it said last.
    shown: i64,
    /// What our clock should show by our own account, until the GUI says what it shows.
    expected: Option<i64>,
    lag: Lag,
}

#[derive(Clone, Copy, Debug)]
enum Control {
    Game(TimeControl),
    /// Exactly that long for each move.
    PerMove(Duration),
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks {
            control: None,
            control_ply: 0,
            ours: base(DEFAULT),
            told: false,
            ever_told: false,
            shown: 0,
            expected: None,
            lag: Lag::default(),
        }
    }
}

impl Clocks {
    /// The clocks stand at the beginning of a game. The time control stays.
    pub(in crate::session) fn reset(&mut self) {
        self.ours = base(self.control());
        self.control_ply = 0;
        self.told = false;
        self.expected = None;
    }

    /// Another time control, when the record has `ply` plies.
    pub(in crate::session) fn set_control(&mut self, control: TimeControl, ply: usize) {
        self.control = Some(Control::Game(control));
        self.control_ply = ply;
        self.ours = base(control);
        self.told = false;
        self.expected = None;
    }

    /// Exactly that long for each move.
    pub(in crate::session) fn set_per_move(&mut self, time: Duration) {
        self.control = Some(Control::PerMove(time));
    }

    /// Our clock shows this many milliseconds. After a move of ours it shows what the GUI charged for it.
    pub(in crate::session) fn told(&mut self, milliseconds: i64) {
        self.ours = milliseconds;
        let stood = self.ours == std::mem::replace(&mut self.shown, self.ours);
        if let Some(expected) = self.expected.take() {
            // On chess servers a first move takes no time and gains no increment, which says nothing of lag.
            if !stood || expected == self.ours {
                self.lag.observe(expected.saturating_sub(self.ours));
            }
        }
        self.told = true;
        self.ever_told = true;
    }

    /// The same while our clock runs, and has run for that long.
    pub(in crate::session) fn told_after(&mut self, milliseconds: i64, running: Duration) {
        self.told(milliseconds);
        self.ours = self.ours.saturating_add(millis(running));
    }

    /// We moved, having used this much; the record had `ply` plies before.
    pub(in crate::session) fn moved(&mut self, used: Duration, ply: usize) {
        let control = self.control();
        self.ours = self.ours.saturating_sub(millis(used)).saturating_add(millis(control.increment));
        let period_over = control.moves > 0 && self.moves_to_go(control, ply) == Some(1);
        if period_over {
            self.ours = self.ours.saturating_add(base(control));
        }
        // How a GUI rounds and when it adds a new period differs, so such a move says nothing of lag.
        self.expected = (self.told && !period_over).then_some(self.ours);
        self.told = false;
    }

    /// Our clock was stopped in the middle of a move.
    pub(in crate::session) fn stopped(&mut self, used: Duration) {
        self.ours = self.ours.saturating_sub(millis(used));
        self.expected = None;
    }

    /// Moves were taken back, or a position was set up: the record has `ply` plies now.
    pub(in crate::session) fn rewound(&mut self, ply: usize) {
        self.control_ply = self.control_ply.min(ply);
        self.expected = None;
    }

    /// How long the move may take that is due when the record has `ply` plies; `None` for no limit.
    ///
    /// `margin` is the least to be kept for what a move costs besides thinking; `None` if that is not charged. Without
    /// any time control, a limit of the depth is enough.
    pub(in crate::session) fn allotment(
        &self,
        ply: usize,
        margin: Option<u64>,
        depth_limited: bool,
    ) -> Option<Allotment> {
        let (overhead, later_overhead) = margin.map_or((0, 0), |margin| self.overheads(margin));
        match self.control {
            Some(Control::PerMove(time)) => {
                let seen = margin.map_or(0, |margin| self.lag.recent().worst.max(margin));
                Some(per_move(time, seen))
            }
            None if depth_limited && !self.ever_told => None,
            _ => {
                let control = self.control();
                Some(allot(Clock {
                    remaining: self.ours,
                    increment: millis(control.increment) as u64,
                    moves_to_go: self.moves_to_go(control, ply),
                    overhead,
                    later_overhead,
                }))
            }
        }
    }

    /// What the next move may cost besides thinking, and what each one after it will.
    fn overheads(&self, margin: u64) -> (u64, u64) {
        let seen = self.lag.recent();
        if seen.moves == 0 {
            // Nothing is known yet, and the line may be long. It is a matter of one move.
            return (4 * margin, 2 * margin);
        }
        // What comes may be a little worse than all that was.
        ((seen.worst + margin / 4).max(margin), seen.mean)
    }

    /// What our clock shows when it has run for so long, in milliseconds; `None` if nobody has set one.
    pub(in crate::session) fn shown_after(&self, running: Duration) -> Option<i64> {
        match self.control {
            Some(Control::PerMove(time)) => Some(millis(time) - millis(running)),
            None if !self.ever_told => None,
            _ => Some(self.ours.saturating_sub(millis(running))),
        }
    }

    /// Whether each move has a time of its own (`st`).
    pub(in crate::session) fn is_per_move(&self) -> bool {
        matches!(self.control, Some(Control::PerMove(_)))
    }

    /// What moves cost besides thinking.
    pub(in crate::session) fn lag(&self) -> &Lag {
        &self.lag
    }

    fn control(&self) -> TimeControl {
        match self.control {
            Some(Control::Game(control)) => control,
            _ => DEFAULT,
        }
    }

    fn moves_to_go(&self, control: TimeControl, ply: usize) -> Option<u32> {
        let made = (ply.saturating_sub(self.control_ply) / 2) as u32;
        (control.moves > 0).then(|| control.moves - made % control.moves)
    }
}

fn base(control: TimeControl) -> i64 {
    if control.base.is_zero() { BASE_OF_ZERO } else { millis(control.base) }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// All of it but the overhead; of very short times at least a quarter, since moving at once would be
/// useless too.
fn per_move(time: Duration, overhead: u64) -> Allotment {
    let least = (time / 4).max(Duration::from_millis(1));
    let maximum = time.saturating_sub(Duration::from_millis(overhead)).max(least);
    Allotment { optimum: maximum, maximum, exact: true }
}

#[cfg(test)]
mod tests {
    use super::super::lag::LagSeen;
    use super::*;

    fn control(moves: u32, base: u64, increment: u64) -> TimeControl {
        TimeControl { moves, base: Duration::from_secs(base), increment: Duration::from_secs(increment) }
    }

    #[test]
    fn moves_to_go_are_counted_from_the_time_control() {
        let mut clocks = Clocks::default();
        clocks.set_control(control(40, 300, 0), 0);
        let to_go = |clocks: &Clocks, ply| clocks.moves_to_go(clocks.control(), ply);
        assert_eq!(to_go(&clocks, 0), Some(40));
        assert_eq!(to_go(&clocks, 1), Some(40), "Black's first move");
        assert_eq!(to_go(&clocks, 78), Some(1));
        assert_eq!(to_go(&clocks, 80), Some(40));
        // Set in the middle of a game, it means the moves left.
        clocks.set_control(control(12, 60, 0), 56);
        assert_eq!(to_go(&clocks, 56), Some(12));
        assert_eq!(to_go(&clocks, 58), Some(11));
        clocks.set_control(control(0, 60, 1), 56);
        assert_eq!(to_go(&clocks, 58), None);
    }

    #[test]
    fn our_own_account_adds_increments_and_periods() {
        let mut clocks = Clocks::default();
        clocks.set_control(control(2, 60, 0), 0);
        clocks.moved(Duration::from_secs(10), 0);
        assert_eq!(clocks.ours, 50_000);
        clocks.moved(Duration::from_secs(10), 2);
        assert_eq!(clocks.ours, 100_000);
        clocks.set_control(control(0, 60, 2), 0);
        clocks.moved(Duration::from_secs(10), 0);
        assert_eq!(clocks.ours, 52_000);
        clocks.reset();
        assert_eq!(clocks.ours, 60_000);
    }

    #[test]
    fn a_base_of_nothing_is_ten_seconds() {
        let mut clocks = Clocks::default();
        clocks.set_control(control(0, 0, 1), 0);
        assert_eq!(clocks.ours, 10_000);
    }

    #[test]
    fn a_clock_that_stood_still_says_nothing_of_lag() {
        let mut clocks = Clocks::default();
        clocks.set_control(control(0, 60, 2), 0);
        clocks.told(60000);
        clocks.moved(Duration::from_millis(500), 1);
        clocks.told(60000);
        assert_eq!(clocks.lag.overall().moves, 0);
        clocks.moved(Duration::from_millis(500), 3);
        clocks.told(61400);
        assert_eq!(clocks.lag.recent().worst, 100);
    }

    #[test]
    fn lag_is_what_the_gui_charged_more_than_we_used() {
        let mut clocks = Clocks::default();
        clocks.set_control(control(0, 60, 0), 0);
        clocks.told(60000);
        clocks.moved(Duration::from_millis(1000), 0);
        clocks.told(58800);
        assert_eq!(clocks.lag.recent(), LagSeen { moves: 1, mean: 200, worst: 200 });
        clocks.moved(Duration::from_millis(1000), 2);
        clocks.told(57800);
        let seen = LagSeen { moves: 2, mean: 100, worst: 200 };
        assert_eq!(clocks.lag.recent(), seen);
        // Nothing is learnt from a clock that was set anew, and nothing is forgotten: the line is the same.
        clocks.moved(Duration::from_millis(1000), 4);
        clocks.told(1000);
        clocks.reset();
        clocks.told(60000);
        assert_eq!(clocks.lag.recent(), seen);
    }

    #[test]
    fn what_moves_cost_is_kept_of_the_clock() {
        let mut clocks = Clocks::default();
        assert_eq!(clocks.overheads(50), (200, 100), "nothing is known");
        clocks.lag.observe(160);
        clocks.lag.observe(120);
        assert_eq!(clocks.overheads(50), (172, 140));
        assert_eq!(clocks.overheads(500), (500, 140), "the user wants more");
    }

    #[test]
    fn a_move_takes_its_exact_time_but_for_the_overhead() {
        let maximum =
            |millis, overhead| per_move(Duration::from_millis(millis), overhead).maximum.as_millis();
        assert_eq!(maximum(5_000, 50), 4_950);
        assert_eq!(maximum(100, 50), 50);
        assert_eq!(maximum(10, 50), 2);
        assert_eq!(maximum(0, 50), 1);
        assert!(per_move(Duration::from_secs(5), 50).exact, "what is left of it is lost");
    }

    #[test]
    fn a_depth_without_any_clock_needs_no_time() {
        let mut clocks = Clocks::default();
        assert_eq!(clocks.allotment(0, Some(50), true), None);
        clocks.set_per_move(Duration::from_secs(1));
        assert!(clocks.allotment(0, Some(50), true).is_some());
    }
}

#[cfg(test)]
mod simulation;
