//! One connection, from its greeting to its end.

use super::foreign::Foreign;
use super::suspicion::Loss;
use super::{Action, Attempt, ConnectionEnd, Ending, Relay};
use crate::link::{FrameReader, GREETING, GreetingReply, greeting_reply};
use crate::shim::client_protocol;
use std::time::{Duration, Instant};

/// Maximum number of bytes of a server before its greeting.
const MAX_BEFORE_GREETING: usize = 1 << 16;
/// Maximum number of the client's bytes kept for a Farboard that was late to answer the greeting.
const MAX_KEPT: usize = 1 << 16;
/// Number of times that each server may close at once before that counts as a refusal: a server
/// that was just killed closes, too.
const MAX_SILENT_CLOSES: usize = 2;
/// Delay before a server that closed without a word is tried again. The system accepts connections
/// for a server that is being killed until its last socket is closed.
const SILENT_CLOSE_RETRY: Duration = Duration::from_millis(300);

/// A connection to a server.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) attempt: Attempt,
    /// When the connection was made.
    pub(super) since: Instant,
    /// Whether the server got the end of the client's input.
    is_finished: bool,
    /// Whether the server may go on sending without end.
    is_endless: bool,
    pub(super) phase: Phase,
}

/// The kind of a server, as far as it is known.
#[derive(Debug)]
pub(super) enum Phase {
    /// The server has not answered the greeting, but sent these bytes.
    Greeting(Vec<u8>),
    /// A Farboard.
    Linked(Linked),
    /// A foreign engine.
    Foreign(Foreign),
}

/// A server that speaks the link.
#[derive(Debug)]
pub(super) struct Linked {
    pub(super) reader: FrameReader,
    /// When the server got the session.
    pub(super) since: Instant,
    /// Whether the session began elsewhere.
    pub(super) is_resumed: bool,
    /// Whether the server has sent a frame.
    pub(super) has_spoken: bool,
    /// Whether the server has accounted for something, or given an answer that was due.
    pub(super) has_progressed: bool,
    /// Since when the server has had the first line that it has not accounted for.
    pub(super) waits_since: Instant,
}

impl Server {
    /// Returns true if the server has sent something that belongs to a session.
    pub(super) fn has_spoken(&self) -> bool {
        match &self.phase {
            Phase::Greeting(_) => false,
            Phase::Linked(linked) => linked.has_spoken,
            Phase::Foreign(foreign) => foreign.has_spoken,
        }
    }
}

impl Relay {
    /// Greets a server on a new connection.
    pub(super) fn greet(&mut self, attempt: Attempt, now: Instant) {
        self.note(format!("connected to {}", self.name()));
        let phase = Phase::Greeting(Vec::new());
        self.server = Some(Server { attempt, since: now, is_finished: false, is_endless: false, phase });
        self.unaccounted.rewind();
        self.send(format!("{GREETING}\n").into_bytes());
    }

    pub(super) fn send(&mut self, bytes: Vec<u8>) {
        if let Some(server) = self.server.as_ref().filter(|_| !bytes.is_empty()) {
            self.actions.push(Action::Send(server.attempt, bytes));
        }
    }

    /// Drops the connection, if there is one.
    pub(super) fn leave_server(&mut self) {
        if let Some(Server { attempt, is_endless, .. }) = self.server.take() {
            self.actions.push(Action::Drop { attempt, abort: is_endless });
        }
    }

    /// Sends as many of the client's bytes as the server may get now, and their end.
    pub(super) fn send_more(&mut self, now: Instant) {
        // If the client ends the session, it no longer matters which line kills servers.
        let is_cautious = !self.has_quit();
        let Some(server) = &mut self.server else { return };
        let bytes = match &mut server.phase {
            Phase::Greeting(_) => return,
            Phase::Linked(linked) => {
                let limit = if is_cautious { self.suspicion.limit(&self.unaccounted) } else { usize::MAX };
                if self.unaccounted.first_line().is_none_or(|length| length > self.unaccounted.sent()) {
                    linked.waits_since = now;
                }
                self.unaccounted.send_until(limit, now)
            }
            Phase::Foreign(foreign) => {
                let bytes = self.unaccounted.send_plain();
                if foreign.has_spoken || self.unaccounted.len() > MAX_KEPT {
                    // Engines that cannot resume get nothing twice.
                    self.unaccounted.forget();
                }
                bytes
            }
        };
        self.send(bytes);
        let is_all_sent = self.unaccounted.sent() == self.unaccounted.len();
        if let Some(server) = self.server.as_mut().filter(|server| !server.is_finished)
            && self.client.input_ended
            && is_all_sent
        {
            server.is_finished = true;
            self.actions.push(Action::Finish(server.attempt));
        }
    }

    pub(super) fn server_sent(&mut self, bytes: &[u8], now: Instant) {
        let Some(server) = &mut self.server else { return };
        match &mut server.phase {
            Phase::Greeting(output) => {
                output.extend_from_slice(bytes);
                match greeting_reply(output) {
                    GreetingReply::Farboard { frames_at } => {
                        let mut reader = FrameReader::default();
                        reader.push(&output[frames_at..]);
                        self.begin_link(reader, now);
                        self.read_frames(now);
                    }
                    GreetingReply::Foreign => self.begin_foreign(now),
                    GreetingReply::None if output.len() <= MAX_BEFORE_GREETING => {}
                    GreetingReply::None if output.contains(&b'\n') => self.begin_foreign(now),
                    GreetingReply::None => self.distrust("it sends a line without an end", now),
                }
            }
            Phase::Linked(linked) => {
                linked.reader.push(bytes);
                self.read_frames(now);
            }
            Phase::Foreign(_) => self.foreign_sent(bytes, now),
        }
    }

    /// Leaves a server that sends invalid data, perhaps without end.
    pub(super) fn distrust(&mut self, why: &str, now: Instant) {
        if let Some(server) = &mut self.server {
            server.is_endless = true;
        }
        self.server_closed(ConnectionEnd::Invalid(why.to_owned()), now);
    }

    /// Decides after the end of the server's output whether the session is over, another server
    /// takes over, or there is no session.
    pub(super) fn server_closed(&mut self, end: ConnectionEnd, now: Instant) {
        self.release_foreign(now);
        let Some(server) = &self.server else { return };
        let name = self.name();
        let is_invalid = matches!(end, ConnectionEnd::Invalid(_));
        let (reason, why) = match end {
            ConnectionEnd::InOrder => (format!("The connection to {name} was closed"), None),
            ConnectionEnd::Broken(why) | ConnectionEnd::Invalid(why) => {
                (format!("The connection to {name} was lost: {why}"), Some(why))
            }
        };
        let has_quit = self.has_quit();
        let (is_over, is_expected) = match &server.phase {
            Phase::Greeting(_) => (false, true),
            Phase::Linked(_) => {
                let nothing_is_due = !self.session.due && self.unaccounted.len() == 0;
                let is_over = has_quit || (self.client.input_ended && nothing_is_due);
                (is_over && self.session.started, true)
            }
            Phase::Foreign(foreign) => (foreign.has_spoken || self.client.input_ended, has_quit),
        };
        let is_terminating = self.client.terminate_at.is_some();
        if is_over || is_terminating {
            let why = why.filter(|_| !is_expected && !is_terminating);
            return self.end(why.map_or(Ending::ServerClosed, Ending::ConnectionLost));
        }
        if let Phase::Greeting(output) = &server.phase {
            let refusal = self.web_page(output).unwrap_or_else(|| client_protocol::refusal(output));
            if is_invalid || !refusal.is_empty() {
                return self.refused(if is_invalid { reason } else { refusal }, now);
            }
        }
        if self.session.started {
            return self.lost(reason, Loss::Plain, now);
        }
        if self.failover.is_greeted {
            return self.lost(reason, Loss::Innocent, now);
        }
        let silence =
            format!("{name} closes the connection without a word: perhaps it does not accept this machine");
        self.closed_at_start(if is_invalid { reason } else { silence }, now);
    }

    /// Returns the error of a server whose output is that of a web server, which no engine begins
    /// with.
    pub(super) fn web_page(&self, output: &[u8]) -> Option<String> {
        let output = output.trim_ascii_start();
        let port = self.protocol.unwrap_or_default().default_port();
        (output.starts_with(b"HTTP/") || output.starts_with(b"<"))
            .then(|| format!("{} is a web server: name the port for engines, by default {port}", self.name()))
    }

    /// Tries again if a server closes before any has sent something of a session. So does a server
    /// that refuses some clients, has no backend or is being killed.
    fn closed_at_start(&mut self, reason: String, now: Instant) {
        self.failover.silent_closes += 1;
        let is_refusal = self.failover.silent_closes >= MAX_SILENT_CLOSES * self.plan.servers.len();
        if is_refusal || !self.failover.untried.is_empty() {
            return self.refused(reason, now);
        }
        self.lost(reason, Loss::Innocent, now);
        if let Some(outage) = &mut self.failover.outage {
            outage.not_before(now + SILENT_CLOSE_RETRY);
        }
    }
}
