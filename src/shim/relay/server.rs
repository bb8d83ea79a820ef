//! One connection, from its greeting to its end.

use super::foreign::Foreign;
use super::suspicion::Loss;
use super::{Action, Attempt, ConnectionEnd, Ending, Relay};
use crate::link::{Answer, FrameReader, GREETING, answer};
use crate::shim::client_protocol;
use std::time::{Duration, Instant};

/// The most bytes of a server before its greeting.
const MAX_BEFORE_GREETING: usize = 1 << 16;
/// The most bytes of the client that are kept for a Farboard that was late to answer the greeting.
const MAX_KEPT: usize = 1 << 16;
/// How often each server may close at once before that counts as a refusal: a server that was just killed
/// closes, too.
const MAX_REFUSALS: usize = 2;
/// How much later a server that closed without a word is asked again. The system takes connections for a server that is being
/// killed until its last socket is closed.
const REFUSAL_RETRY: Duration = Duration::from_millis(300);

/// A connection to a server.
#[derive(Debug)]
pub(super) struct Server {
    attempt: Attempt,
    /// When it was made.
    pub(super) since: Instant,
    /// Bytes for it that it has not taken.
    unsent: usize,
    /// It has the end of the client's input.
    is_finished: bool,
    /// It may go on sending without end.
    is_endless: bool,
    pub(super) phase: Phase,
}

/// What is known of a server.
#[derive(Debug)]
pub(super) enum Phase {
    /// It has not answered the greeting, but said this.
    Greeting(Vec<u8>),
    /// It is a Farboard.
    Linked(Linked),
    /// It is another engine.
    Foreign(Foreign),
}

/// A server that speaks the link.
#[derive(Debug)]
pub(super) struct Linked {
    pub(super) reader: FrameReader,
    /// When it got the session.
    pub(super) since: Instant,
    /// The session began elsewhere.
    pub(super) is_resumed: bool,
    /// It has sent a frame.
    pub(super) has_spoken: bool,
    /// It has accounted for something, or given an answer that was due.
    pub(super) has_progressed: bool,
    /// Since when it has had the first of the client's lines that it has not accounted for.
    pub(super) waits_since: Instant,
}

impl Server {
    pub(super) fn attempt(&self) -> Attempt {
        self.attempt
    }

    /// Bytes for it that it has not taken.
    pub(super) fn unsent(&self) -> usize {
        self.unsent
    }

    pub(super) fn sent(&mut self, count: usize) {
        self.unsent = self.unsent.saturating_sub(count);
    }

    /// Whether it has sent something that belongs to a session.
    pub(super) fn has_spoken(&self) -> bool {
        match &self.phase {
            Phase::Greeting(_) => false,
            Phase::Linked(linked) => linked.has_spoken,
            Phase::Foreign(foreign) => foreign.has_spoken,
        }
    }

    pub(super) fn linked(&mut self) -> Option<&mut Linked> {
        match &mut self.phase {
            Phase::Linked(linked) => Some(linked),
            Phase::Greeting(_) | Phase::Foreign(_) => None,
        }
    }
}

impl Relay {
    /// A server is there: it is greeted.
    pub(super) fn greet(&mut self, attempt: Attempt, now: Instant) {
        self.note(format!("connected to {}", self.name()));
        let phase = Phase::Greeting(Vec::new());
        self.server =
            Some(Server { attempt, since: now, unsent: 0, is_finished: false, is_endless: false, phase });
        self.unaccounted.rewind();
        self.send(format!("{GREETING}\n").into_bytes());
    }

    pub(super) fn send(&mut self, bytes: Vec<u8>) {
        if let Some(server) = self.server.as_mut().filter(|_| !bytes.is_empty()) {
            server.unsent += bytes.len();
            self.actions.push(Action::Send(server.attempt, bytes));
        }
    }

    /// The server, if there is one, is left.
    pub(super) fn leave_server(&mut self) {
        if let Some(Server { attempt, is_endless, .. }) = self.server.take() {
            self.actions.push(Action::Drop { attempt, abort: is_endless });
        }
    }

    /// Sends what may be sent of the client's bytes, and their end.
    pub(super) fn send_more(&mut self, now: Instant) {
        // Of a session that its client ends, nothing is left to be found out.
        let is_cautious = !self.said_farewell();
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
                    // Nothing is said twice to engines that cannot resume.
                    self.unaccounted.forget();
                }
                bytes
            }
        };
        self.send(bytes);
        let is_all_sent = self.unaccounted.sent() == self.unaccounted.len();
        if let Some(server) = self.server.as_mut().filter(|server| !server.is_finished)
            && self.input_ended
            && is_all_sent
        {
            server.is_finished = true;
            self.actions.push(Action::Finish(server.attempt));
        }
    }

    pub(super) fn heard_server(&mut self, bytes: &[u8], now: Instant) {
        let Some(server) = &mut self.server else { return };
        match &mut server.phase {
            Phase::Greeting(said) => {
                said.extend_from_slice(bytes);
                match answer(said) {
                    Answer::Farboard { frames_at } => {
                        let mut reader = FrameReader::default();
                        reader.push(&said[frames_at..]);
                        self.begin_link(reader, now);
                        self.read_frames(now);
                    }
                    Answer::Other => self.meet_another_engine(now),
                    Answer::Open if said.len() > MAX_BEFORE_GREETING => {
                        if said.contains(&b'\n') {
                            self.meet_another_engine(now);
                        } else {
                            self.distrust("it says a line without an end", now);
                        }
                    }
                    Answer::Open => {}
                }
            }
            Phase::Linked(linked) => {
                linked.reader.push(bytes);
                self.read_frames(now);
            }
            Phase::Foreign(_) => self.heard_another_engine(bytes, now),
        }
    }

    /// The server sends nonsense, perhaps without end.
    pub(super) fn distrust(&mut self, why: &str, now: Instant) {
        if let Some(server) = &mut self.server {
            server.is_endless = true;
        }
        self.server_closed(ConnectionEnd::Invalid(why.to_owned()), now);
    }

    /// The server's output has ended: decides whether that is in order, another server takes over, or the
    /// relay ends.
    pub(super) fn server_closed(&mut self, end: ConnectionEnd, now: Instant) {
        self.release_another_engine(now);
        let Some(server) = &self.server else { return };
        let name = self.name();
        let reason = match &end {
            ConnectionEnd::InOrder => format!("The connection to {name} was closed"),
            ConnectionEnd::Broken(why) | ConnectionEnd::Invalid(why) => {
                format!("The connection to {name} was lost: {why}")
            }
        };
        let (words, is_silent, is_over) = match &server.phase {
            Phase::Greeting(said) if !said.contains(&b'\n') => (String::new(), true, false),
            Phase::Greeting(said) => (client_protocol::refusal(said), false, false),
            Phase::Linked(_) => {
                let has_all = !self.session.due && self.unaccounted.len() == 0;
                let is_over = self.said_farewell() || (self.input_ended && has_all);
                (String::new(), true, is_over && self.started)
            }
            Phase::Foreign(foreign) => {
                (String::new(), !foreign.has_spoken, foreign.has_spoken || self.input_ended)
            }
        };
        let is_foreign = matches!(server.phase, Phase::Foreign(_));
        if self.leaving.is_some() || is_over {
            let is_expected = self.leaving.is_some() || self.said_farewell() || !is_foreign;
            return self.end(match end {
                ConnectionEnd::Broken(why) | ConnectionEnd::Invalid(why) if !is_expected => {
                    Ending::ConnectionLost(why)
                }
                ConnectionEnd::InOrder | ConnectionEnd::Broken(_) | ConnectionEnd::Invalid(_) => {
                    Ending::ServerClosed
                }
            });
        }
        if matches!(server.phase, Phase::Greeting(_)) {
            if matches!(end, ConnectionEnd::Invalid(_)) {
                return self.refused(reason, now);
            }
            if !words.is_empty() {
                return self.refused(words, now);
            }
        }
        if self.started {
            return self.lost(reason, Loss::Plain, now);
        }
        self.turn_away(if is_silent { end } else { ConnectionEnd::Broken(String::new()) }, reason, now);
    }

    /// No server has sent anything of a session, and this one closed. So does a server that refuses some clients, has no backend or
    /// is being killed.
    fn turn_away(&mut self, end: ConnectionEnd, reason: String, now: Instant) {
        let closed = format!(
            "{} closes the connection without a word: perhaps it does not let this machine in",
            self.name()
        );
        let reason = match end {
            ConnectionEnd::Invalid(_) => reason,
            ConnectionEnd::InOrder | ConnectionEnd::Broken(_) => closed,
        };
        self.turned_away += 1;
        let again = self.untried.is_empty() && self.turned_away < MAX_REFUSALS * self.plan.servers.len();
        if !again {
            return self.refused(reason, now);
        }
        self.lost(reason, Loss::Innocent, now);
        if let Some(outage) = &mut self.outage {
            outage.not_before(now + REFUSAL_RETRY);
        }
    }
}
