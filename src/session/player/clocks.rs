//! Clocks, time controls and lag: the time for the next move.
//!
//! The GUI's clock (`time`) is authoritative; the engine's own account fills in for clients that do
//! not send it. Times are in milliseconds unless the name says otherwise.

use super::lag::Lag;
use crate::search::{Allotment, Clock, allot};
use crate::session::state::{Fields, StateError, Value, Words, describe, record};
use std::time::{Duration, Instant};

/// xboard's initial time control, for clients that never set one.
const DEFAULT_TIME_CONTROL: TimeControl =
    TimeControl { moves: 40, base: Duration::from_secs(5 * 60), increment: Duration::ZERO };

/// The overhead kept for a lag that cannot be measured is halved after this number of moves, twice
/// at most.
const UNMEASURED_MOVES: u32 = 4;

/// "If you ask for a game with base=0, the clocks really start at 10 seconds" (protocol 1, section
/// 11).
const ZERO_BASE_MS: i64 = 10_000;

/// A time in PGN's notation: seconds with as many decimals as needed, three at most.
pub(in crate::session) fn seconds(time: Duration) -> String {
    let text = format!("{}.{:03}", time.as_secs(), time.subsec_millis());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A time control with a clock for the whole game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) struct TimeControl {
    /// Moves after which `base` is added again; 0 if it is for the whole game.
    pub(in crate::session) moves: u32,
    /// Time at the start. Whole milliseconds.
    pub(in crate::session) base: Duration,
    /// Added after each move. Whole milliseconds.
    pub(in crate::session) increment: Duration,
}

/// The engine's clock, the time control and the lag.
#[derive(Clone, Debug)]
pub(in crate::session) struct Clocks {
    control: Option<Control>,
    /// Plies played when the time control was set: moves to go count from there.
    control_ply: usize,
    /// The engine's clock in milliseconds.
    own: i64,
    /// Whether the GUI has sent the engine's clock since its last move.
    synced: bool,
    /// Whether the GUI has ever sent the engine's clock.
    ever_synced: bool,
    /// The last clock from the GUI.
    last_shown: i64,
    /// The engine's clock after its last move by its own account, until the GUI sends it.
    expected: Option<i64>,
    /// The lag of the engine's moves: their cost besides thinking.
    pub(super) lag: Lag,
    /// Moves so far; the overhead for unmeasured lag decreases with them.
    unmeasured: u32,
}

#[derive(Clone, Copy, Debug)]
enum Control {
    Game(TimeControl),
    /// An exact time for each move.
    PerMove(Duration),
}

impl Control {
    /// Returns true if `control` differs in the time left only.
    fn is_restated_by(self, control: TimeControl) -> bool {
        match self {
            Control::Game(before) => {
                before.increment == control.increment && before.moves == 0 && control.moves == 0
            }
            Control::PerMove(_) => false,
        }
    }
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks {
            control: None,
            control_ply: 0,
            own: base(DEFAULT_TIME_CONTROL),
            synced: false,
            ever_synced: false,
            last_shown: 0,
            expected: None,
            lag: Lag::default(),
            unmeasured: 0,
        }
    }
}

impl Clocks {
    /// Resets the engine's clock for a new game. The time control stays.
    pub(in crate::session) fn reset(&mut self) {
        self.own = base(self.control());
        self.control_ply = 0;
        self.synced = false;
        self.expected = None;
    }

    /// Sets the time control after `ply` plies of the game. Some clients do so before each move,
    /// with the clock as the base: then the clock they send next still measures the lag of the
    /// engine's last move.
    pub(in crate::session) fn set_control(&mut self, control: TimeControl, ply: usize) {
        if !self.control.is_some_and(|before| before.is_restated_by(control)) {
            self.expected = None;
        }
        self.control = Some(Control::Game(control));
        self.control_ply = ply;
        self.own = base(control);
        self.synced = false;
    }

    /// Sets clock, increment and moves to go before a move of the engine after `ply` plies (UCI).
    /// After a move of the engine the difference from its own account is lag.
    pub(in crate::session) fn announce(
        &mut self,
        milliseconds: i64,
        increment: Duration,
        moves_to_go: Option<u32>,
        ply: usize,
    ) {
        let control = TimeControl { moves: moves_to_go.unwrap_or(0), base: Duration::ZERO, increment };
        self.control = Some(Control::Game(control));
        self.control_ply = ply;
        self.sync(milliseconds);
    }

    /// Removes the clock. The measured lag stays.
    pub(in crate::session) fn remove(&mut self) {
        *self = Clocks { lag: self.lag.clone(), ..Clocks::default() };
    }

    /// Ignores the next clock as a measure of lag: the next move belongs to another game.
    pub(in crate::session) fn forget_move(&mut self) {
        self.expected = None;
    }

    /// Sets an exact time for each move.
    pub(in crate::session) fn set_per_move(&mut self, time: Duration) {
        self.control = Some(Control::PerMove(time));
    }

    /// Sets the engine's clock as shown by the GUI, in milliseconds. After a move of the engine the
    /// difference from its own account is lag.
    pub(in crate::session) fn sync(&mut self, milliseconds: i64) {
        self.own = milliseconds;
        let stood = self.own == std::mem::replace(&mut self.last_shown, self.own);
        if let Some(expected) = self.expected.take() {
            // On chess servers a first move takes no time and gains no increment: no measure of
            // lag.
            if !stood || expected == self.own {
                self.lag.observe(expected.saturating_sub(self.own));
            }
        }
        self.synced = true;
        self.ever_synced = true;
    }

    /// Sets the clock while it runs, and has run for `running` already.
    pub(in crate::session) fn sync_running(&mut self, milliseconds: i64, running: Duration) {
        self.sync(milliseconds);
        self.own = self.own.saturating_add(millis(running));
    }

    /// Takes the time of a move off the clock; `ply` plies were played before it.
    pub(in crate::session) fn moved(&mut self, used: Duration, ply: usize) {
        let control = self.control();
        self.own = self.own.saturating_sub(millis(used)).saturating_add(millis(control.increment));
        let period_over = control.moves > 0 && self.moves_to_go(control, ply) == Some(1);
        if period_over {
            self.own = self.own.saturating_add(base(control));
        }
        // GUIs differ in how they round and when they add a period: such a move is no measure of
        // lag.
        self.expected = (self.synced && !period_over).then_some(self.own);
        self.synced = false;
        self.unmeasured = self.unmeasured.saturating_add(1);
    }

    /// Stops the engine's clock in the middle of a move.
    pub(in crate::session) fn stopped(&mut self, used: Duration) {
        self.own = self.own.saturating_sub(millis(used));
        self.expected = None;
    }

    /// Adjusts to a game that has `ply` plies after a take-back or a set-up.
    pub(in crate::session) fn rewound(&mut self, ply: usize) {
        self.control_ply = self.control_ply.min(ply);
        self.expected = None;
    }

    /// Returns the time for the move after `ply` plies; `None` for no limit.
    ///
    /// `margin` is the minimum overhead to keep for a move, in milliseconds; `None` if overhead is
    /// not charged. Without any time control, a depth limit is enough.
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
            None if depth_limited && !self.ever_synced => None,
            None | Some(Control::Game(_)) => {
                let control = self.control();
                Some(allot(Clock {
                    remaining: self.own,
                    increment: millis(control.increment) as u64,
                    moves_to_go: self.moves_to_go(control, ply),
                    overhead,
                    later_overhead,
                }))
            }
        }
    }

    /// Returns the overhead to keep for the next move, and for each later move.
    fn overheads(&self, margin: u64) -> (u64, u64) {
        let seen = self.lag.recent();
        if seen.moves == 0 {
            // Nothing is measured yet, and the lag may be high. With most clients it is known after
            // one move; with the others the clock must not be kept for a lag that never shows.
            let halvings = (self.unmeasured / UNMEASURED_MOVES).min(2);
            return ((4 * margin) >> halvings, (2 * margin) >> halvings);
        }
        // The next move may cost slightly more than the worst so far.
        ((seen.worst + margin / 4).max(margin), seen.mean)
    }

    /// The engine's clock after it has run for `running`, in milliseconds; `None` without a clock.
    pub(in crate::session) fn shown_after(&self, running: Duration) -> Option<i64> {
        match self.control {
            Some(Control::PerMove(time)) => Some(millis(time) - millis(running)),
            None if !self.ever_synced => None,
            None | Some(Control::Game(_)) => Some(self.own.saturating_sub(millis(running))),
        }
    }

    /// The time control in PGN's notation; `?` if none was set.
    pub(in crate::session) fn in_pgn(&self) -> String {
        match self.control {
            None => "?".to_owned(),
            Some(Control::PerMove(time)) => format!("1/{}", seconds(time)),
            // A clock sent before each move (UCI) does not show the initial time.
            Some(Control::Game(control)) if control.base.is_zero() && self.ever_synced => "?".to_owned(),
            Some(Control::Game(TimeControl { moves, base, increment })) => {
                let moves = if moves > 0 { format!("{moves}/") } else { String::new() };
                let increment =
                    if increment.is_zero() { String::new() } else { format!("+{}", seconds(increment)) };
                format!("{moves}{}{increment}", seconds(base))
            }
        }
    }

    /// Returns true if each move has its own time (`st`).
    pub(in crate::session) fn is_per_move(&self) -> bool {
        matches!(self.control, Some(Control::PerMove(_)))
    }

    /// Writes or reads the state. No clock may exceed `most` milliseconds, of either sign.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>, most: i64) -> Result<(), StateError> {
        describe!(fields, self => Clocks {
            control: "control",
            control_ply: "control-ply" in 0..=1 << 32,
            own: "left" in -most..=most,
            synced: "sent",
            ever_synced: "ever-sent",
            last_shown: "last-sent" in -most..=most,
            expected: "expected" in None..=Some(most),
            lag => lag.state(fields)?,
            unmeasured: "unmeasured",
        })
    }

    fn control(&self) -> TimeControl {
        match self.control {
            Some(Control::Game(control)) => control,
            None | Some(Control::PerMove(_)) => DEFAULT_TIME_CONTROL,
        }
    }

    fn moves_to_go(&self, control: TimeControl, ply: usize) -> Option<u32> {
        let made = (ply.saturating_sub(self.control_ply) / 2) as u32;
        (control.moves > 0).then(|| control.moves - made % control.moves)
    }
}

/// `game`, moves, base and increment; `move` and its time.
impl Value for Control {
    fn write(&self, out: &mut String, now: Instant) {
        match self {
            Control::Game(control) => {
                out.push_str("game ");
                control.write(out, now);
            }
            Control::PerMove(time) => {
                out.push_str("move ");
                time.write(out, now);
            }
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Control> {
        match words.word()? {
            "game" => Value::read(words).map(Control::Game),
            "move" => Value::read(words).map(Control::PerMove),
            _ => None,
        }
    }
}

record!(TimeControl { moves, base, increment });

fn base(control: TimeControl) -> i64 {
    if control.base.is_zero() { ZERO_BASE_MS } else { millis(control.base) }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// The whole time less the overhead, but at least a quarter of it: with a very short time, moving
/// at once would be no better than moving late.
fn per_move(time: Duration, overhead: u64) -> Allotment {
    let least = (time / 4).max(Duration::from_millis(1));
    let maximum = time.saturating_sub(Duration::from_millis(overhead)).max(least);
    Allotment::exact(maximum)
}

#[cfg(test)]
mod tests {
    use super::super::lag::LagSeen;
    use super::*;

    fn control(moves: u32, base: u64, increment: u64) -> TimeControl {
        TimeControl { moves, base: Duration::from_secs(base), increment: Duration::from_secs(increment) }
    }

    #[test]
    fn counts_moves_to_go_from_the_time_control() {
        let mut clocks = Clocks::default();
        clocks.set_control(control(40, 300, 0), 0);
        let to_go = |clocks: &Clocks, ply| clocks.moves_to_go(clocks.control(), ply);
        assert_eq!(to_go(&clocks, 0), Some(40));
        assert_eq!(to_go(&clocks, 1), Some(40), "Black's first move");
        assert_eq!(to_go(&clocks, 78), Some(1));
        assert_eq!(to_go(&clocks, 80), Some(40));
        clocks.set_control(control(12, 60, 0), 56);
        assert_eq!(to_go(&clocks, 56), Some(12));
        assert_eq!(to_go(&clocks, 58), Some(11));
        clocks.set_control(control(0, 60, 1), 56);
        assert_eq!(to_go(&clocks, 58), None);
    }

    #[test]
    fn pgn_has_words_for_time_controls() {
        let mut clocks = Clocks::default();
        assert_eq!(clocks.in_pgn(), "?");
        for (time_control, words) in
            [(control(40, 300, 0), "40/300"), (control(0, 120, 2), "120+2"), (control(0, 0, 12), "0+12")]
        {
            clocks.set_control(time_control, 0);
            assert_eq!(clocks.in_pgn(), words);
        }
        clocks.set_per_move(Duration::from_millis(2500));
        assert_eq!(clocks.in_pgn(), "1/2.5");
        clocks.announce(60_000, Duration::from_secs(1), None, 0);
        assert_eq!(clocks.in_pgn(), "?", "it may have begun with more");
    }

    #[test]
    fn own_account_adds_increments_and_periods() {
        let mut clocks = Clocks::default();
        clocks.set_control(control(2, 60, 0), 0);
        clocks.moved(Duration::from_secs(10), 0);
        assert_eq!(clocks.own, 50_000);
        clocks.moved(Duration::from_secs(10), 2);
        assert_eq!(clocks.own, 100_000);
        clocks.set_control(control(0, 60, 2), 0);
        clocks.moved(Duration::from_secs(10), 0);
        assert_eq!(clocks.own, 52_000);
        clocks.reset();
        assert_eq!(clocks.own, 60_000);
    }

    #[test]
    fn base_of_zero_is_ten_seconds() {
        let mut clocks = Clocks::default();
        clocks.set_control(control(0, 0, 1), 0);
        assert_eq!(clocks.own, 10_000);
    }

    #[test]
    fn unchanged_clock_is_no_measure_of_lag() {
        let mut clocks = Clocks::default();
        clocks.set_control(control(0, 60, 2), 0);
        clocks.sync(60000);
        clocks.moved(Duration::from_millis(500), 1);
        clocks.sync(60000);
        assert_eq!(clocks.lag.overall().moves, 0);
        clocks.moved(Duration::from_millis(500), 3);
        clocks.sync(61400);
        assert_eq!(clocks.lag.recent().worst, 100);
    }

    #[test]
    fn lag_is_charged_time_minus_used_time() {
        let mut clocks = Clocks::default();
        clocks.set_control(control(0, 60, 0), 0);
        clocks.sync(60000);
        clocks.moved(Duration::from_millis(1000), 0);
        clocks.sync(58800);
        assert_eq!(clocks.lag.recent(), LagSeen { moves: 1, mean: 200, worst: 200 });
        clocks.moved(Duration::from_millis(1000), 2);
        clocks.sync(57800);
        let seen = LagSeen { moves: 2, mean: 100, worst: 200 };
        assert_eq!(clocks.lag.recent(), seen);
        // A changed clock neither adds nor erases a measurement: the connection is the same.
        clocks.moved(Duration::from_millis(1000), 4);
        clocks.sync(1000);
        clocks.reset();
        clocks.sync(60000);
        assert_eq!(clocks.lag.recent(), seen);
    }

    #[test]
    fn lag_is_measured_when_each_move_comes_with_a_time_control() {
        let mut clocks = Clocks::default();
        for (number, left) in [60_000, 58_900, 57_800].into_iter().enumerate() {
            // python-chess rounds to whole seconds.
            clocks.set_control(control(0, left / 1000, 0), 2 * number);
            clocks.sync(left as i64);
            clocks.moved(Duration::from_millis(1000), 2 * number);
        }
        assert_eq!(clocks.lag.recent(), LagSeen { moves: 2, mean: 100, worst: 100 });
        for other in [control(0, 56, 1), control(40, 56, 1)] {
            clocks.set_control(other, 6);
            clocks.sync(56_600);
            assert_eq!(clocks.lag.recent().moves, 2, "another time control");
            clocks.moved(Duration::from_millis(1000), 6);
        }
    }

    #[test]
    fn overhead_follows_measured_lag() {
        let mut clocks = Clocks::default();
        assert_eq!(clocks.overheads(50), (200, 100), "nothing is measured yet");
        for ply in 0..4 {
            clocks.moved(Duration::from_millis(10), 2 * ply);
        }
        assert_eq!(clocks.overheads(50), (100, 50), "it cannot be measured");
        for ply in 4..40 {
            clocks.moved(Duration::from_millis(10), 2 * ply);
        }
        assert_eq!(clocks.overheads(50), (50, 25));
        clocks.lag.observe(160);
        clocks.lag.observe(120);
        assert_eq!(clocks.overheads(50), (172, 140));
        assert_eq!(clocks.overheads(500), (500, 140), "the user asks for more");
    }

    #[test]
    fn time_per_move_is_used_up_to_the_overhead() {
        let maximum =
            |millis, overhead| per_move(Duration::from_millis(millis), overhead).maximum.as_millis();
        assert_eq!(maximum(5_000, 50), 4_950);
        assert_eq!(maximum(100, 50), 50);
        assert_eq!(maximum(10, 50), 2);
        assert_eq!(maximum(0, 50), 1);
        assert!(per_move(Duration::from_secs(5), 50).exact, "unused time is lost");
    }

    #[test]
    fn depth_limit_without_a_clock_needs_no_time() {
        let mut clocks = Clocks::default();
        assert_eq!(clocks.allotment(0, Some(50), true), None);
        clocks.set_per_move(Duration::from_secs(1));
        assert!(clocks.allotment(0, Some(50), true).is_some());
    }
}

#[cfg(test)]
mod simulation;
