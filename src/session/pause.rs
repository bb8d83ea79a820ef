//! `pause` and `resume`: nothing is thought and no clock runs in between.

use super::thinking::Purpose;
use super::{Session, Step};
use std::time::Duration;

/// What was going on when the client said `pause`.
#[derive(Debug)]
pub(super) struct Paused {
    /// We were thinking on our move and had used this much.
    pub(super) used: Option<Duration>,
}

impl Session {
    /// `pause`
    pub(super) fn pause(&mut self, step: &mut Step<'_>) {
        if self.paused.is_some() {
            return;
        }
        let thinking = self.halt(step).filter(|search| search.purpose == Purpose::Move);
        let used = thinking.map(|search| step.now.saturating_duration_since(search.since));
        self.paused = Some(Paused { used });
    }

    /// `resume`: the search starts anew, but finds in the table what it had found; what it had used
    /// of the clock stays used.
    pub(super) fn resume(&mut self, step: &mut Step<'_>) {
        let Some(paused) = self.paused.take() else { return };
        match paused.used {
            Some(used) => self.think(step.now.checked_sub(used).unwrap_or(step.now), step),
            None => {
                self.analyse(step);
                self.begin_pondering(step);
            }
        }
    }
}
