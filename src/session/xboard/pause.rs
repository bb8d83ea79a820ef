//! `pause` and `resume`: no search and no clock runs in between.

use super::{Session, Step};
use crate::session::player::Resumed;

impl Session {
    /// `pause`
    pub(super) fn pause(&mut self, step: &mut Step<'_>) {
        if !self.player.is_paused() {
            self.start_pending_analysis(step);
            self.player.pause(step);
        }
    }

    /// `resume`: search and clock go on where they stood.
    pub(super) fn resume(&mut self, step: &mut Step<'_>) {
        match self.player.resume(step) {
            Resumed::Nothing => {}
            Resumed::Idle => {
                self.analyse(step);
                self.begin_pondering(step);
            }
            Resumed::MoveOwed(since) => self.search_for_move(since, step),
            Resumed::Done(done) => self.search_done(done, step),
        }
    }

    /// Ends a pause in which the engine's move is due, and starts its search from the beginning.
    pub(super) fn end_pause(&mut self, step: &mut Step<'_>) {
        if let Some(since) = self.player.end_pause(step.now) {
            self.search_for_move(since, step);
        }
    }
}
