//! Scrolling through a game in analysis: positions that are on the board only for a moment are not
//! searched.

use super::{Player, Purpose};
use crate::session::effect::Step;
use crate::session::state::{Fields, StateError};
use std::time::{Duration, Instant};

/// Positions that change faster than this are skipped. A held key repeats 25 to 30 times a second:
/// its user sees every position and wants a line about each. A burst of `undo`, a mouse wheel or a
/// slider is faster.
const MIN_INTERVAL: Duration = Duration::from_millis(25);
/// After faster changes, a position that stays on the board for this long is searched.
const SETTLE_TIME: Duration = Duration::from_millis(15);

/// The pace of position changes in an analysis.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Debounce {
    /// When an analysis was last requested.
    last: Option<Instant>,
    /// When the analysis of the position on the board begins.
    pub(super) due: Option<Instant>,
}

impl Debounce {
    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.section("analysis", |fields| {
            fields.field("asked", &mut self.last)?;
            fields.field("due", &mut self.due)
        })
    }
}

impl Player {
    /// Records a change of the position under analysis. Returns true if its search can begin at
    /// once; otherwise it begins when the position has settled.
    pub(in crate::session) fn debounce_analysis<M>(&mut self, step: &mut Step<'_, M>) -> bool {
        let last = self.debounce.last.replace(step.now);
        let passing = last.is_some_and(|last| step.now.saturating_duration_since(last) < MIN_INTERVAL);
        if passing {
            self.analyse_in(SETTLE_TIME, step);
        } else {
            self.debounce.due = None;
            self.set_timer(None, step);
        }
        !passing
    }

    /// Returns true while positions change in quick succession.
    pub(in crate::session) fn is_scrolling(&self, now: Instant) -> bool {
        let last = self.debounce.last.filter(|_| self.purpose() == Some(Purpose::Analysis));
        self.analysis_pending() || last.is_some_and(|last| now.saturating_duration_since(last) < MIN_INTERVAL)
    }

    /// Returns true if an analysis waits for the position to settle.
    pub(in crate::session) fn analysis_pending(&self) -> bool {
        self.debounce.due.is_some()
    }

    /// Schedules the analysis of the position on the board; another change cancels it.
    pub(super) fn analyse_in<M>(&mut self, time: Duration, step: &mut Step<'_, M>) {
        self.debounce.due = step.now.checked_add(time);
        self.set_timer(self.debounce.due, step);
    }
}
