//! A panic ends one session, not all of them.
//!
//! Everything done for one connection runs in [`Connections::guard_slot`]. If it panics, the
//! session ends: its searches are stopped, the client gets a message, and the connection closes as
//! usual. Pending effects are dropped, except finished games.

use super::Connections;
use crate::protocol::INTERNAL_ERROR;
use crate::server::connection::Parting;
use crate::server::os::panic_guard::guarded;
use crate::server::outcome::CloseReason;
use crate::session::{Effect, FileRequest};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

impl Connections {
    /// Runs something for one connection, which ends if it panics.
    pub(in crate::server) fn guard_slot(&mut self, slot: usize, turn: impl FnOnce(&mut Connections)) {
        if catch_unwind(AssertUnwindSafe(|| turn(self))).is_err() {
            self.end_after_panic(slot);
        }
    }

    fn end_after_panic(&mut self, slot: usize) {
        let now = Instant::now();
        // Effects of the failed session must not reach the next one.
        let dropped = std::mem::take(&mut self.effects);
        let Some(connection) = self.slots.get_mut(slot) else { return };
        let (peer, owner) = (connection.peer, connection.owner >> 32);
        log::error!("{peer}: session {owner} closed after a panic");
        connection.close_reason = CloseReason::Fault;
        let last_line = connection.protocol().refusal(INTERNAL_ERROR);
        for effect in dropped {
            if let Effect::FileRequest(FileRequest::Archive(game)) = effect {
                self.archive_game(slot, game);
            }
        }
        self.archive_last_game(slot);
        let connection = &mut self.slots[slot];
        connection.uncount(&mut self.observer);
        let _ = guarded(|| connection.log_end(&self.observer));
        connection.session = None;
        connection.login = None;
        let ended = catch_unwind(AssertUnwindSafe(|| {
            let connection = &mut self.slots[slot];
            connection.part(Parting::Fault(INTERNAL_ERROR.to_owned()));
            connection.send(last_line);
            self.close(slot, now);
            // Input is still read, or the connection would be reset and the message lost.
            self.mark_ready(slot);
            self.flush(slot, now);
        }));
        if ended.is_err() {
            // The defect is in the connection, not in the session.
            self.remove(slot);
        }
    }
}

#[cfg(test)]
mod tests;
