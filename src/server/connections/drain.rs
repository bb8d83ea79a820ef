//! Draining the connections, and undoing it.

use super::Connections;
use crate::protocol::DrainCause;
use crate::server::outcome::CloseReason;
use crate::session::Input;
use std::time::Instant;

impl Connections {
    /// Ends every session, after its running game.
    pub(in crate::server) fn drain(&mut self, cause: DrainCause, now: Instant) {
        for slot in self.slots.taken() {
            self.guard_slot(slot, |connections| connections.drain_slot(slot, cause, now));
        }
    }

    fn drain_slot(&mut self, slot: usize, cause: DrainCause, now: Instant) {
        if self.slots[slot].is_rsh_login() {
            return self.remove(slot);
        }
        self.slots[slot].close_reason = CloseReason::Drained;
        if self.slots[slot].link.is_some() {
            // It moves when that is no disadvantage, if not now.
            return self.flush(slot, now);
        }
        self.deliver(slot, Input::Drain(cause), now);
        if self.slots.get(slot).is_some_and(|connection| connection.login.is_some()) {
            self.close(slot, now);
        }
        self.flush(slot, now);
    }

    /// Cancels the drain of sessions.
    pub(in crate::server) fn undrain(&mut self, now: Instant) {
        for slot in self.slots.taken() {
            if self.slots[slot].close_reason == CloseReason::Drained {
                self.guard_slot(slot, |connections| connections.undrain_slot(slot, now));
            }
        }
    }

    fn undrain_slot(&mut self, slot: usize, now: Instant) {
        self.slots[slot].close_reason = CloseReason::default();
        if self.slots[slot].link.is_some() {
            return;
        }
        self.deliver(slot, Input::Undrain, now);
        self.flush(slot, now);
    }

    /// Returns true if there are neither sessions nor logins. Refused clients and agent checks may
    /// still be connected, and keep coming as long as the server runs.
    pub(in crate::server) fn are_done(&self) -> bool {
        self.admission.sessions() == 0 && self.admission.pending_logins.len() == 0
    }

    /// Closes the remaining connections after a last flush.
    pub(in crate::server) fn dismiss(&mut self, now: Instant) {
        for slot in self.slots.taken() {
            self.guard_slot(slot, |connections| connections.flush(slot, now));
        }
        self.clear();
    }

    pub(in crate::server) fn clear(&mut self) {
        let now = Instant::now();
        for slot in self.slots.taken() {
            self.slots[slot].close_reason = CloseReason::Drained;
            self.guard_slot(slot, |connections| connections.leave_at_once(slot, now));
            if !self.slots.contains(slot) {
                continue;
            }
            self.remove(slot);
        }
    }
}
