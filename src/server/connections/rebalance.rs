//! Asking clients to move where a balancer says that this server has more than its part.

use super::Connections;
use crate::protocol::ROOM_ELSEWHERE;
use crate::protocol::probe::Share;
use crate::session::Protocol;
use std::time::{Duration, Instant};

/// How long a session is left alone after it has come, as it may have been asked to move already.
const MIN_STAY: Duration = Duration::from_secs(30);
/// How long it is left alone after it was asked.
const ASKED_AGAIN: Duration = Duration::from_secs(300);
/// Connections looked at after one health check.
const MAX_LOOKED_AT: usize = 1024;

impl Connections {
    /// A balancer has told how many sessions there are, and how many servers share them.
    pub(super) fn share_out(&mut self, share: Share, now: Instant) {
        let mut wanted = self.moves.wanted(self.proxied, share.sessions, share.servers, now);
        if wanted == 0 {
            return;
        }
        log::debug!("{} of {} sessions are here: {wanted} are asked to move", self.proxied, share.sessions);
        let places = self.slots.capacity().max(1);
        for _ in 0..places.min(MAX_LOOKED_AT) {
            self.next_to_move = (self.next_to_move + 1) % places;
            let slot = self.next_to_move;
            if self.may_be_asked(slot, now) {
                self.guard_slot(slot, |connections| connections.ask_to_move(slot, now));
                wanted -= 1;
            }
            if wanted == 0 {
                return;
            }
        }
    }

    /// Whether the session of this slot has come through a proxy, in a protocol in which a shim can be told, and not lately.
    fn may_be_asked(&self, slot: usize, now: Instant) -> bool {
        let Some(connection) = self.slots.get(slot) else { return false };
        let stays = now.saturating_duration_since(connection.since) < MIN_STAY;
        let was_asked =
            connection.asked_to_move.is_some_and(|at| now.saturating_duration_since(at) < ASKED_AGAIN);
        let can_be_told = matches!(connection.protocol(), Protocol::Xboard | Protocol::Uci);
        connection.is_proxied && connection.session.is_some() && can_be_told && !stays && !was_asked
    }

    fn ask_to_move(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        connection.asked_to_move = Some(now);
        connection.send(connection.protocol().remark(ROOM_ELSEWHERE));
        self.moves.ask(now);
        self.flush(slot, now);
    }
}
