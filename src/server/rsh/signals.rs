//! What a client's signals do.

use super::{Back, back};
use crate::protocol::framing::Frame;
use crate::server::tenants::Tenants;
use crate::session::Input;
use std::time::{Duration, Instant};

/// A client that wants the end may have sent more before: the two connections are not in step. WinBoard says `quit` in one
/// and this in the other, and closes both at once.
const DRAIN: Duration = Duration::from_secs(2);
/// Where that is not enough, as input waits for its turn.
const AGAIN: Duration = Duration::from_millis(50);

impl Tenants {
    pub(super) fn take_signals(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.connections.get_mut(slot) else { return };
        let Some(visit) = &mut connection.visit else { return };
        let Back::Open(stream) = &mut visit.back else { return };
        let signals = back::read(&mut *stream);
        if signals.closed {
            if let Err(error) = self.registry.deregister(stream) {
                log::debug!("{}: {error}", connection.peer);
            }
            visit.back = Back::None;
        }
        if signals.terminate {
            visit.ends.get_or_insert(now + DRAIN);
        }
        for _ in 0..signals.interrupts {
            self.tell(slot, Input::Interrupt, now);
        }
        self.settle(slot, now);
    }

    /// Hears what a client without a session has read: its last words are told at the same pace as all others.
    pub(in crate::server) fn take_answers(&mut self, slot: usize) {
        if let Some(connection) = self.connections.get_mut(slot)
            && connection.session.is_none()
            && let Some(visit) = connection.visit.as_mut().filter(|visit| !visit.is_arriving())
        {
            while let Some(frame) = connection.lines.next_line() {
                if let Frame::Line(line) = frame {
                    visit.pace.heard(line);
                }
            }
        }
    }

    /// Looks after a client of a remote shell at the time it asked for.
    pub(in crate::server) fn serve_visit(&mut self, slot: usize, now: Instant) {
        let listed = self.ready.contains(slot);
        let Some(connection) = self.connections.get_mut(slot) else { return };
        if let Some(ends) = connection.visit.as_mut().and_then(|visit| visit.ends.as_mut())
            && *ends <= now
        {
            if listed {
                *ends = now + AGAIN;
            } else {
                self.end_visit(slot, now);
            }
        }
        self.settle(slot, now);
    }

    /// All that the client has sent is handled, and it wants the end.
    fn end_visit(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.connections[slot];
        if let Some(visit) = &mut connection.visit {
            visit.ends = None;
        }
        self.take_end(slot, now);
    }
}
