//! Interrupts from the client.

use super::{Session, Step};
use crate::session::Interrupt;

impl Session {
    /// Handles an interrupt.
    pub(super) fn interrupt(&mut self, step: &mut Step<'_>) {
        self.gui.interrupts = self.gui.interrupts.saturating_add(1);
        if self.player.engine.profile().interrupt == Interrupt::StopPondering && self.player.is_pondering() {
            self.player.stop_pondering(step);
            self.pondering.allowed = false;
        }
    }
}
