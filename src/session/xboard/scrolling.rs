//! Users who scroll through a game while it is analysed: positions that are passed in a moment are not searched.

use super::{Session, Step};
use std::time::{Duration, Instant};

/// Positions that change faster than this are passed. A GUI repeats a key that is held 25 to 30 times a second: whoever
/// holds one sees every position and wants a line about it, but a burst of `undo`, a wheel or a slider is faster.
const PASSING: Duration = Duration::from_millis(25);
/// A position that stays for so long is looked at.
const REST: Duration = Duration::from_millis(15);

/// The changes of position in analyze mode.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Scrolling {
    /// When an analysis was last asked for.
    last: Option<Instant>,
    /// When the one of the position on the board begins.
    pub(super) due: Option<Instant>,
}

impl Session {
    /// The position that is analysed is another one since now. Whether its search can begin at once; if not, it begins when
    /// the position has stayed.
    pub(super) fn rests(&mut self, step: &mut Step<'_>) -> bool {
        let last = self.scrolling.last.replace(step.now);
        let passing = last.is_some_and(|last| step.now.saturating_duration_since(last) < PASSING);
        if passing {
            self.analyze_in(REST, step);
        } else {
            self.scrolling.due = None;
            self.set_timer(None, step);
        }
        !passing
    }

    /// The analysis of the position on the board begins after so much time, if that stays.
    pub(super) fn analyze_in(&mut self, time: Duration, step: &mut Step<'_>) {
        self.scrolling.due = step.now.checked_add(time);
        self.set_timer(self.scrolling.due, step);
    }

    /// Begins an analysis that waits until the position stays: it has stayed, or somebody asks what is found.
    pub(super) fn come_to_rest(&mut self, step: &mut Step<'_>) {
        if self.scrolling.due.is_some() {
            self.search_on_board(step);
        }
    }
}
