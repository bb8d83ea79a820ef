//! Clients with a shim: the greeting, and frames in both directions.
//!
//! The session made at connect gives way to one that waits for the first frame, which begins a new
//! session or resumes one of another server.

use super::Connections;
use crate::link::{ClientFrame, GREETING, LinkError};
use crate::protocol::framing::LineSplitter;
use crate::server::connection::{Connection, Linked, Parting};
use crate::server::outcome::{CloseReason, Refusal};
use crate::server::sessions::factory::{NO_PROFILE, SessionFactory};
use crate::session::{Input, Protocol, Takeover};
use std::io;
use std::time::{Duration, Instant};

/// Message to a client that left too much output unread.
const UNREAD: &str = "the session has ended because too much of its output was not read";

impl Connections {
    /// Answers the greeting. Earlier output is not for a shim and is dropped.
    pub(super) fn begin_link(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        for job in connection.take_searches() {
            self.searches.stop(job);
        }
        self.timers.main.set(slot, None);
        let (policy, user) = (&connection.policy, connection.user.as_deref());
        let Some(profile) = self.sessions.profile_for(policy, user) else {
            self.observer.refused(connection.peer, Refusal::Fault, &NO_PROFILE);
            connection.send(policy.protocol.refusal(NO_PROFILE));
            return self.close(slot, now);
        };
        let session = self.sessions.conversation(policy, user, profile);
        connection.session = Some(session);
        connection.output.drop_unsent();
        connection.output.push_bytes(format!("{GREETING}\n").into_bytes());
        let limit = connection.policy.protocol.line_limit(self.limits.line);
        let mut link = Linked::new(self.limits.output);
        link.push(&connection.input.lines.take_held());
        connection.input.lines = LineSplitter::new(limit);
        connection.link = Some(Box::new(link));
        self.run_effects(slot, now);
    }

    /// Handles the next frame of a shim, if complete, once the lines of the previous one are
    /// handled.
    pub(super) fn serve_link(&mut self, slot: usize, now: Instant) -> bool {
        let Some(connection) = self.slots.get_mut(slot) else { return false };
        let Some(link) = connection.link.as_mut().filter(|_| connection.session.is_some()) else {
            return false;
        };
        match link.next(&mut connection.input.lines, now) {
            Ok(Some(frame)) => {
                self.serve_frame(slot, frame, now);
                true
            }
            Ok(None) => false,
            Err(error) => {
                self.drop_link(slot, error);
                false
            }
        }
    }

    /// Closes a connection whose bytes are not frames.
    fn drop_link(&mut self, slot: usize, error: LinkError) {
        let connection = &mut self.slots[slot];
        log::warn!("{}: link closed: {error}", connection.peer);
        connection.close_reason = CloseReason::Lost(io::ErrorKind::InvalidData);
        self.remove(slot);
    }

    fn serve_frame(&mut self, slot: usize, frame: ClientFrame, now: Instant) {
        match frame {
            ClientFrame::New => self.open_linked(slot, now),
            ClientFrame::Resume { state, warm, age, away, calm } => {
                let warm = (self.limits.warm > 0 && !warm.is_empty()).then(|| warm.into());
                self.resume(slot, &state, age, Takeover { away, calm, warm }, now);
            }
            ClientFrame::Input { bytes, .. } => self.slots[slot].input.lines.push(&bytes),
            ClientFrame::Refuse { bytes, .. } => self.refuse_line(slot, &bytes, now),
        }
    }

    fn open_linked(&mut self, slot: usize, now: Instant) {
        if let Some(session) = &mut self.slots[slot].session {
            session.open(&mut self.effects);
            self.run_effects(slot, now);
        }
    }

    /// Resumes a session of another server.
    fn resume(&mut self, slot: usize, state: &str, age: Duration, takeover: Takeover, now: Instant) {
        let connection = &mut self.slots[slot];
        let (policy, user) = (&connection.policy, connection.user.as_deref());
        let session = match self.sessions.restored(policy, user, state, age, now) {
            Ok(session) => session,
            Err(error) => {
                log::info!("{}: the session cannot continue here: {error}", connection.peer);
                connection.part(Parting::Unfit(error.to_string()));
                connection.close_reason = CloseReason::Fault;
                return self.close(slot, now);
            }
        };
        if session.protocol() == Protocol::Auto {
            // The client has not spoken yet.
            return self.open_linked(slot, now);
        }
        self.observer.resumes(connection.name(), takeover.away);
        connection.input.lines.raise_limit(session.protocol().line_limit(self.limits.line));
        let session = connection.session.insert(session);
        // Input from before the loss follows: its send times may be earlier than now.
        session.handle(Input::Resumed(takeover), now, &mut self.effects);
        self.run_effects(slot, now);
    }

    /// Makes the session refuse a line that has crashed several servers.
    fn refuse_line(&mut self, slot: usize, bytes: &[u8], now: Instant) {
        let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let connection = &mut self.slots[slot];
        let (Some(link), Some(session)) = (&mut connection.link, &mut connection.session) else { return };
        log::warn!(
            "{}: a line of the client was refused: two servers were lost right after it",
            connection.peer
        );
        let sent = link.send_time(now);
        session.handle_late(Input::Refused(line), sent, now, &mut self.effects);
        connection.input.lines.raise_limit(session.protocol().line_limit(self.limits.line));
        self.run_effects(slot, now);
    }

    /// Sends what can be sent, with a frame for what a session has said as soon as there is room
    /// for one.
    pub(super) fn write(&mut self, slot: usize, now: Instant) -> io::Result<()> {
        self.leave_if_wanted(slot, now);
        let Some(connection) = self.slots.get_mut(slot) else { return Ok(()) };
        connection.write(now)?;
        while connection.write_frame(&self.sessions, now) {
            connection.write(now)?;
        }
        Ok(())
    }

    /// Moves the session to another server, if the server drains and this is a good moment.
    fn leave_if_wanted(&mut self, slot: usize, now: Instant) {
        let connection = &self.slots[slot];
        if connection.close_reason == CloseReason::Drained
            && connection.session.as_ref().is_some_and(|session| session.may_move(now))
        {
            self.leave(slot, now);
        }
    }

    fn leave(&mut self, slot: usize, now: Instant) {
        if self.slots[slot].link.is_some() {
            let connection = &mut self.slots[slot];
            connection.write_output(&self.sessions, now);
            connection.part(Parting::Leave);
            self.close(slot, now);
        }
    }

    /// Sends the shim to another server at an immediate shutdown, if its socket has room.
    pub(super) fn leave_at_once(&mut self, slot: usize, now: Instant) {
        if self.slots[slot].link.is_some() && self.slots[slot].session.is_some() {
            self.leave(slot, now);
            self.flush(slot, now);
        }
    }

    /// Ends a linked session for good because too much output is unread. Returns false if there is
    /// none.
    pub(super) fn end_unread_link(&mut self, slot: usize, now: Instant) -> bool {
        let connection = &mut self.slots[slot];
        let protocol = connection.protocol();
        let Some(link) = connection.link.as_mut().filter(|link| link.is_open()) else { return false };
        link.drop_pending();
        connection.send(protocol.refusal(UNREAD));
        self.close(slot, now);
        true
    }
}

impl Connection {
    /// Writes a frame if everything before it is sent and there is something to send.
    fn write_frame(&mut self, sessions: &SessionFactory, now: Instant) -> bool {
        self.is_written()
            && (self.write_output(sessions, now)
                || self.write_findings(sessions, now)
                || self.write_warm(sessions, now))
    }

    /// Writes what the search for an answer that is due has found, if it has found something.
    fn write_findings(&mut self, sessions: &SessionFactory, now: Instant) -> bool {
        let (Some(link), Some(session)) = (&mut self.link, &mut self.session) else { return false };
        let due = session.is_due();
        let state = || sessions.state_text(session, now);
        due && link.write_findings(&mut self.output, &self.input.lines, now, state)
    }

    /// Writes the warm part of a search, if there is a new one, with its state.
    fn write_warm(&mut self, sessions: &SessionFactory, now: Instant) -> bool {
        let (Some(link), Some(session)) = (&mut self.link, &mut self.session) else { return false };
        let due = session.is_due();
        let state = || sessions.state_text(session, now);
        link.write_warm(&mut self.output, &self.input.lines, due, now, state)
    }

    /// Writes a frame for the session's output and handled input, if any.
    fn write_output(&mut self, sessions: &SessionFactory, now: Instant) -> bool {
        let (Some(link), Some(session)) = (&mut self.link, &mut self.session) else { return false };
        let due = session.is_due();
        link.write_frame(&mut self.output, &self.input.lines, due, || sessions.state_text(session, now))
    }
}

#[cfg(test)]
mod tests;
