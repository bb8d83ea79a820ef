//! Output, and the end of a connection.

use super::Connections;
use crate::link::MAX_STATE;
use crate::protocol::framing::LineSplitter;
use crate::server::connection::Parting;
use crate::server::outcome::{CloseReason, Refusal};
use std::io;
use std::time::{Duration, Instant};

/// Time for a closing connection to read its last lines.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for the client to close, once everything is sent.
const LINGER_TIMEOUT: Duration = Duration::from_secs(2);

impl Connections {
    /// Sends what can be sent, and removes the connection if it is finished. To be called after
    /// everything that may have changed its output.
    pub(in crate::server) fn flush(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.slots.get_mut(slot) else { return };
        if connection.is_rsh_login() {
            // Nothing is sent before the login is complete.
            if connection.input.eof {
                self.remove(slot);
            } else {
                self.update_buffer_total(slot);
            }
            return;
        }
        let written = self.write(slot, now);
        self.update_buffer_total(slot);
        if let Err(error) = written {
            return self.drop_broken(slot, &error);
        }
        let Some(connection) = self.slots.get_mut(slot) else { return };
        // Link frames hold more than the client's output.
        let overhead = if connection.link.is_some() { 2 * MAX_STATE + self.limits.warm } else { 0 };
        if connection.unsent() > self.limits.output.hard.saturating_add(overhead) {
            connection.close_reason = CloseReason::NotReading;
            if !self.end_unread_link(slot, now) {
                return self.remove(slot);
            }
        }
        let Some(connection) = self.slots.get_mut(slot) else { return };
        if connection.is_sent() && connection.is_closing() && !connection.stream.is_shut() {
            if let Err(error) = connection.stream.linger() {
                log::debug!("{}: shutdown: {error}", connection.peer);
            }
            if connection.stream.is_shut() {
                // A busy window reads late, and must not meet a closed connection meanwhile.
                let timeout = if connection.rsh.is_some() { CLOSE_TIMEOUT } else { LINGER_TIMEOUT };
                self.timers.main.set(slot, Some(now + timeout));
            }
        }
        if connection.input.eof && connection.stream.is_shut() {
            return self.remove(slot);
        }
        if let Some(rsh) = &connection.rsh {
            self.timers.rsh.set(slot, rsh.next_wakeup(now));
        }
        if let Err(error) = self.slots.await_writable(slot) {
            self.drop_broken(slot, &error);
        }
    }

    /// Ends the session. Queued output is still sent.
    pub(in crate::server) fn close(&mut self, slot: usize, now: Instant) {
        self.slots[slot].part(Parting::End);
        self.end_session(slot);
        let connection = &mut self.slots[slot];
        connection.login = None;
        self.admission.pending_logins.remove(slot);
        // No session is left to handle these lines.
        connection.input.lines = LineSplitter::new(self.limits.line);
        for job in connection.take_searches() {
            self.searches.stop(job);
        }
        self.timers.main.set(slot, Some(now + CLOSE_TIMEOUT));
    }

    pub(in crate::server) fn drop_broken(&mut self, slot: usize, error: &io::Error) {
        if let Some(connection) = self.slots.get_mut(slot) {
            connection.close_reason = CloseReason::Lost(error.kind());
            connection.log_missing_proof(&self.observer);
            if connection.stream.is_handshaking() && error.kind() == io::ErrorKind::InvalidData {
                self.observer.refused(connection.peer, Refusal::NoTls, error);
            }
            log::debug!("{}: lost: {error}", connection.peer);
        }
        self.remove(slot);
    }
}
