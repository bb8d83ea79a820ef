//! The status of a session, for monitoring.

use super::{Mode, Session};
use crate::protocol::xboard::variant_name;
use crate::session::{Activity, LagSeen, Measured, Status};
use std::time::Instant;

impl Session {
    /// The status at the instant `now`.
    pub fn status_at(&self, now: Instant) -> Status {
        let status = self.player.status_at(now);
        Status {
            activity: self.activity(status.activity),
            variant: variant_name(self.game.position().variant()).to_owned(),
            opponent: self.gui.opponent.name.clone(),
            interrupts: self.gui.interrupts,
            ..status
        }
    }

    /// Takes the session's measurements since the last call.
    pub fn take_measured(&mut self) -> Measured {
        self.player.take_measured()
    }

    /// The lag of the engine's moves since the session began: their cost besides thinking.
    pub fn lag(&self) -> LagSeen {
        self.player.lag()
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
