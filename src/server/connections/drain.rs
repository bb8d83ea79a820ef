//! The end of the server, for its connections, and what takes it back.

use super::Connections;
use crate::server::access_log::CloseReason;
use crate::session::Input;
use std::time::Instant;

impl Connections {
    /// Tells every session that the server ends.
    pub(in crate::server) fn drain(&mut self, now: Instant) {
        for slot in self.taken_slots() {
            self.guard_slot(slot, |connections| connections.drain_slot(slot, now));
        }
    }

    fn drain_slot(&mut self, slot: usize, now: Instant) {
        if self.slots[slot].is_rsh_login() {
            return self.remove(slot);
        }
        self.slots[slot].close_reason = CloseReason::Drained;
        self.deliver(slot, Input::Drain, now);
        if self.slots.get(slot).is_some_and(|connection| connection.login.is_some()) {
            self.close(slot, now);
        }
        self.flush(slot, now);
    }

    /// Tells the sessions that were to end with their games that the server goes on.
    pub(in crate::server) fn undrain(&mut self, now: Instant) {
        for slot in self.taken_slots() {
            if self.slots[slot].close_reason == CloseReason::Drained {
                self.guard_slot(slot, |connections| connections.undrain_slot(slot, now));
            }
        }
    }

    fn undrain_slot(&mut self, slot: usize, now: Instant) {
        self.slots[slot].close_reason = CloseReason::default();
        self.deliver(slot, Input::Undrain, now);
        self.flush(slot, now);
    }

    /// Removes all connections now.
    pub(in crate::server) fn clear(&mut self) {
        for slot in self.taken_slots() {
            self.slots[slot].close_reason = CloseReason::Drained;
            self.remove(slot);
        }
    }

    pub(super) fn taken_slots(&self) -> Vec<usize> {
        self.slots.iter().map(|(slot, _)| slot).collect()
    }
}
