//! A panic ends one session, not all of them.
//!
//! Everything done for one connection runs in [`Connections::guard_slot`]. If it panics, the session ends: its searches are
//! stopped, the client is told, and the connection closes as usual. Effects that the session wanted and that were not run yet are
//! dropped, but for games that have ended.

use super::Connections;
use crate::protocol::INTERNAL_ERROR;
use crate::server::connection::Parting;
use crate::server::os::panic_guard::guarded;
use crate::server::outcome::CloseReason;
use crate::session::{Effect, FileRequest};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

impl Connections {
    /// Does something for one connection, which ends if that panics.
    pub(in crate::server) fn guard_slot(&mut self, slot: usize, turn: impl FnOnce(&mut Connections)) {
        if catch_unwind(AssertUnwindSafe(|| turn(self))).is_err() {
            self.end_after_panic(slot);
        }
    }

    fn end_after_panic(&mut self, slot: usize) {
        let now = Instant::now();
        // Half of what the session wanted; the next one must not get it.
        let dropped = std::mem::take(&mut self.effects);
        let Some(connection) = self.slots.get_mut(slot) else { return };
        let (peer, owner) = (connection.peer, connection.owner >> 32);
        log::error!("{peer}: session {owner} is closed because of a panic");
        connection.close_reason = CloseReason::Fault;
        let farewell = connection.protocol().refusal(INTERNAL_ERROR);
        for effect in dropped {
            if let Effect::FileRequest(FileRequest::Archive(game)) = effect {
                self.archive_game(slot, game);
            }
        }
        self.archive_last_game(slot);
        let connection = &mut self.slots[slot];
        connection.uncount(&self.metrics, &mut self.user_metrics);
        let _ = guarded(|| connection.log_end(&self.access_log));
        connection.session = None;
        connection.login = None;
        let ended = catch_unwind(AssertUnwindSafe(|| {
            let connection = &mut self.slots[slot];
            connection.part(Parting::Fault(INTERNAL_ERROR.to_owned()));
            connection.send(farewell);
            self.close(slot, now);
            // What the client still sends is read, or the connection would be reset and it would not hear that.
            self.mark_ready(slot);
            self.flush(slot, now);
        }));
        if ended.is_err() {
            // So it is not the session, but the connection.
            self.remove(slot);
        }
    }
}

#[cfg(test)]
mod tests;
