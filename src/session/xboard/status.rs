//! The status of a session, for monitoring.

use super::{Mode, Session};
use crate::protocol::xboard::variant_name;
use crate::session::{Activity, Status};
use std::time::Instant;

impl Session {
    /// The status at the instant `now`.
    pub fn status_at(&self, now: Instant) -> Status<'_> {
        let status = self.player.status_at(now);
        Status {
            activity: self.activity(status.activity),
            variant: variant_name(self.game.position().variant()),
            opponent: &self.gui.opponent.name,
            interrupts: self.gui.interrupts,
            ..status
        }
    }

    /// An analysis counts as such even while its search waits.
    fn activity(&self, player: Activity) -> Activity {
        if !self.gui.has_spoken() {
            Activity::Silent
        } else if self.editor.is_some() {
            Activity::Editing
        } else if self.mode == Mode::Analyze && player == Activity::Idle {
            Activity::Analysing
        } else {
            player
        }
    }
}
