//! The side of the current server.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::admitted::Opened;
use super::super::gui_message;
use super::super::server_link::{Link, LinkEvent};
use super::{Ending, Relay, RelayEvent};

/// How long a server may go on talking after the end of the input, when nothing is due.
const TALK_TIMEOUT: Duration = Duration::from_millis(700);

/// How often each server may close at once before that counts as a refusal: a server that was just killed
/// closes, too.
const MAX_REFUSALS: usize = 2;
/// How much later a server that closed without a word is asked again. The system takes connections for a server that is being
/// killed until its last socket is closed.
const REFUSAL_RETRY: Duration = Duration::from_millis(300);

impl Relay {
    pub(super) fn connect(&mut self, opened: Opened) -> io::Result<()> {
        self.number += 1;
        let (number, events, gate) = (self.number, self.events.clone(), Arc::clone(&self.from_server));
        let report = move |news: LinkEvent| {
            if let LinkEvent::Received(bytes) = &news {
                gate.wait();
                gate.enter(bytes.len());
            }
            drop(events.send(RelayEvent::Link(number, news)));
        };
        self.link = Some(Link::start(number, self.order.servers[self.at].clone(), opened, report)?);
        self.up_since = Instant::now();
        Ok(())
    }

    pub(super) fn tell_server(&mut self, bytes: &[u8]) {
        if let Some(link) = &mut self.link
            && !bytes.is_empty()
        {
            self.last_words.note(bytes);
            // A failure ends the link, and its reader reports it.
            let _ = link.send(bytes);
        }
    }

    pub(super) fn on_the_way_up(&self) -> usize {
        match &self.link {
            Some(link) if self.journal.is_passed_up() => link.unsent(),
            _ => self.journal.waiting(),
        }
    }

    pub(super) fn hear_link(&mut self, number: u64, news: LinkEvent, now: Instant) {
        let current = self.link.as_ref().is_some_and(|link| link.number() == number);
        match news {
            LinkEvent::Received(bytes) => {
                let count = bytes.len();
                if current && self.ending.is_none() {
                    self.heard_server(bytes, now);
                }
                self.from_server.leave(count, self.outlet.waiting());
            }
            LinkEvent::Sent(count) => {
                if let Some(link) = self.link.as_mut().filter(|_| current) {
                    link.sent(count);
                }
                self.from_client.leave(0, self.on_the_way_up());
            }
            LinkEvent::Ended(end) if current && self.ending.is_none() => {
                let end = self.link.as_ref().map_or(Ok(()), |link| link.ended(end));
                self.link_ended(end, now);
            }
            LinkEvent::Ended(_) => {}
        }
    }

    pub(super) fn heard_server(&mut self, bytes: Vec<u8>, now: Instant) {
        let Some(link) = &mut self.link else { return };
        let words = match link.received(bytes) {
            Ok(words) => words,
            Err(error) => return self.link_ended(Err(error), now),
        };
        let before = self.journal.is_passed_up();
        let passed = self.journal.server(&words, now);
        if passed.endless {
            if let Some(link) = &self.link {
                link.abort_at_end();
            }
            self.tell_client(passed.down);
            let error = io::Error::new(io::ErrorKind::InvalidData, "it says a line without an end");
            return self.link_ended(Err(error), now);
        }
        self.started |= !words.is_empty() && !self.journal.is_refused();
        self.tell_server(&passed.up);
        self.tell_client(passed.down);
        self.go_on_since(before, now);
        self.lose_patience(now);
    }

    /// After the end of the input the server sends what is due, and closes. A server that goes on and on is
    /// left.
    fn lose_patience(&mut self, now: Instant) {
        let nothing_due = self.journal.knows_what_is_due() && !self.journal.owes();
        let over = self.input_ended && (nothing_due || self.journal.said_quit());
        self.patience_until = over.then(|| self.patience_until.unwrap_or(now + TALK_TIMEOUT));
    }

    /// If the server now has the whole state, the client's lines go to it again.
    pub(super) fn go_on_since(&mut self, passed_up_before: bool, now: Instant) {
        if !passed_up_before && self.journal.is_passed_up() {
            self.note("the session goes on", now);
            self.finish_if_over();
            self.from_client.leave(0, self.on_the_way_up());
        }
    }

    pub(super) fn finish_if_over(&mut self) {
        if let Some(link) = self.link.as_mut().filter(|_| self.input_ended) {
            link.finish();
        }
    }

    /// The server's output has ended: decides whether that is in order, another server takes over, or the
    /// relay ends.
    pub(super) fn link_ended(&mut self, end: io::Result<()>, now: Instant) {
        let satisfied = self.input_ended && (!self.journal.owes() || self.journal.is_hopeless());
        if self.leaving.is_some() || self.journal.said_quit() || satisfied {
            let rest = self.journal.rest();
            self.tell_client(rest);
            return self.end(match end {
                Err(error) if !self.journal.said_quit() && self.leaving.is_none() => {
                    Ending::ConnectionLost(error)
                }
                _ => Ending::ServerClosed,
            });
        }
        let server = &self.order.servers[self.at];
        let reason = match &end {
            Ok(()) => format!("The connection to {server} was closed"),
            Err(error) => format!("The connection to {server} was lost: {}", gui_message::reason(error)),
        };
        if self.is_turned_away(now) {
            let nonsense = end.is_err_and(|error| error.kind() == io::ErrorKind::InvalidData);
            let closed = format!(
                "{server} closes the connection without a word: perhaps it does not let this machine in"
            );
            let reason = if nonsense { reason } else { closed };
            self.turned_away += 1;
            let again = self.untried.is_empty() && self.turned_away < MAX_REFUSALS * self.order.servers.len();
            if !again {
                return self.refused(reason, now);
            }
            self.lost(reason, now);
            if let Some(outage) = &mut self.outage {
                outage.not_before(now + REFUSAL_RETRY);
            }
            return;
        }
        if self.journal.can_be_resumed() {
            self.started = true;
            return self.lost(reason, now);
        }
        if self.journal.is_refused() && !self.started {
            return self.refused(reason, now);
        }
        let rest = self.journal.rest();
        self.tell_client(rest);
        self.end(end.map_or_else(Ending::ConnectionLost, |()| Ending::ServerClosed));
    }
}
