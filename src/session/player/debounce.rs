//! Users who scroll through a game while it is analysed: positions that are passed in a moment are not searched.

use super::Player;
use crate::session::step::Step;
use std::time::{Duration, Instant};

/// Positions that change faster than this are passed. A GUI repeats a key that is held 25 to 30 times a second: a user who
/// holds one sees every position and wants a line about it, but a burst of `undo`, a wheel or a slider is faster.
const PASSING: Duration = Duration::from_millis(25);
/// A position that stays this long is searched.
const STAYS: Duration = Duration::from_millis(15);

/// The changes of position in an analysis.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Debounce {
    /// When an analysis was last asked for.
    last: Option<Instant>,
    /// When the analysis of the position on the board begins.
    pub(super) due: Option<Instant>,
}

impl Player {
    /// The position that is analysed is another one since now. True if its search can begin at once; if not, it begins when
    /// the position has stayed.
    pub(in crate::session) fn rests<M>(&mut self, step: &mut Step<'_, M>) -> bool {
        let last = self.debounce.last.replace(step.now);
        let passing = last.is_some_and(|last| step.now.saturating_duration_since(last) < PASSING);
        if passing {
            self.analyse_in(STAYS, step);
        } else {
            self.debounce.due = None;
            self.set_timer(None, step);
        }
        !passing
    }

    /// Whether an analysis waits until the position stays.
    pub(in crate::session) fn analysis_waits(&self) -> bool {
        self.debounce.due.is_some()
    }

    /// The analysis of the position on the board begins after that time, if the position stays.
    pub(super) fn analyse_in<M>(&mut self, time: Duration, step: &mut Step<'_, M>) {
        self.debounce.due = step.now.checked_add(time);
        self.set_timer(self.debounce.due, step);
    }
}
