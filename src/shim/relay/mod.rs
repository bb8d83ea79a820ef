//! The relay between a client and whichever server has its session: a value without sockets,
//! threads and clocks.
//!
//! [`Relay::handle`] takes an [`Event`] with its time and returns the [`Action`]s to perform.
//! [`Relay::deadline`] is when it wants [`Event::Time`] if nothing else happens first.

mod client;
mod failover;
mod foreign;
mod frames;
mod outage;
mod server;
mod suspicion;
#[cfg(test)]
mod tests;
mod timing;
mod unaccounted;

use super::client_protocol::ClientProtocol;
use super::startup_options::StartupOptions;
use client::ClientSide;
use failover::Failover;
use server::Server;
use std::time::{Duration, Instant};
use suspicion::Suspicion;
use unaccounted::Unaccounted;

/// The number of an attempt to connect, and of the connection that it makes.
pub type Attempt = u64;

/// Plan of a relay.
#[derive(Clone, Debug)]
pub struct RelayPlan {
    /// Names of the servers for users, at least one, in the order in which to try them.
    pub servers: Vec<String>,
    /// Time limit for finding a server during a session.
    pub give_up: Duration,
    /// The client's protocol; `None` if its first line decides.
    pub protocol: Option<ClientProtocol>,
    /// Options to set after the client's first line.
    pub options: StartupOptions,
    /// Whether the output is a terminal.
    pub is_terminal: bool,
}

/// An input of the relay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The client has sent these bytes.
    Client(Vec<u8>),
    /// The client's input has ended.
    ClientEnd,
    /// The process is to terminate.
    Terminate,
    /// The attempt has succeeded: the server has admitted the client.
    Connected(Attempt),
    /// The attempt has failed.
    Unreachable {
        /// The attempt.
        attempt: Attempt,
        /// The reason, for a user.
        reason: String,
        /// Whether the machine is up and refuses connections: the server does not run.
        refused: bool,
    },
    /// The server has sent these bytes.
    Received(Attempt, Vec<u8>),
    /// The server's output has ended.
    Closed(Attempt, ConnectionEnd),
    /// All output before [`Action::FinishOutput`] has been written.
    AllWritten,
    /// The client has closed the output.
    OutputClosed,
    /// The deadline has come.
    Time,
}

/// End of a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConnectionEnd {
    /// The server has closed it.
    InOrder,
    /// It has broken, for this reason.
    Broken(String),
    /// The server has sent invalid data, for this reason.
    Invalid(String),
}

/// An output of the relay. Actions are performed in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Connect to a server. The outcome is [`Event::Connected`] or [`Event::Unreachable`].
    Dial {
        /// Its index in [`RelayPlan::servers`].
        server: usize,
        /// The number of the attempt.
        attempt: Attempt,
    },
    /// Send bytes to the server.
    Send(Attempt, Vec<u8>),
    /// End the stream to the server, which may still answer.
    Finish(Attempt),
    /// Drop the connection and its events.
    Drop {
        /// The connection.
        attempt: Attempt,
        /// Whether to reset it, since the server may go on sending without end.
        abort: bool,
    },
    /// Send bytes to the client, and record them.
    Show(Vec<u8>),
    /// End the output after the bytes so far. [`Event::AllWritten`] follows.
    FinishOutput,
    /// Record bytes of the client.
    RecordClient(Vec<u8>),
    /// Record whole lines that the shim has sent for the client.
    RecordForClient(Vec<u8>),
    /// Record an event of the connection.
    Note(String),
    /// Leave. No actions follow.
    Exit(Ending),
}

/// Reason for the end of a relay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The session ended, or the server closed the connection when nothing was due.
    ServerClosed,
    /// The process was asked to terminate, or the client had quit.
    Dismissed,
    /// The client closed the output.
    OutputClosed,
    /// The connection to a foreign engine broke, for this reason.
    ConnectionLost(String),
    /// There is no server; the client has been informed.
    NoServer,
}

/// State of the session, with which it can go on at any server.
#[derive(Debug, Default)]
struct Session {
    /// Its last state; empty before the first.
    state: String,
    /// When that came.
    state_at: Option<Instant>,
    /// Table entries of its search.
    warm: Vec<u8>,
    /// Whether the client waits for a move or another answer.
    due: bool,
    /// Whether a server has sent something other than a refusal.
    started: bool,
}

/// The relay.
#[derive(Debug)]
pub struct Relay {
    plan: RelayPlan,
    protocol: Option<ClientProtocol>,
    session: Session,
    unaccounted: Unaccounted,
    suspicion: Suspicion,
    client: ClientSide,
    /// The current connection.
    server: Option<Server>,
    failover: Failover,
    ending: Option<Ending>,
    has_exited: bool,
    actions: Vec<Action>,
}

impl Relay {
    /// A relay, and its first actions.
    ///
    /// # Panics
    /// The plan has no servers.
    pub fn new(plan: RelayPlan, now: Instant) -> (Relay, Vec<Action>) {
        assert!(!plan.servers.is_empty(), "a relay without servers");
        let mut relay = Relay {
            protocol: plan.protocol,
            session: Session::default(),
            unaccounted: Unaccounted::default(),
            suspicion: Suspicion::default(),
            client: ClientSide::new(plan.protocol, now),
            server: None,
            failover: Failover::new(plan.servers.len()),
            ending: None,
            has_exited: false,
            actions: Vec::new(),
            plan,
        };
        relay.dial(0, false);
        let actions = std::mem::take(&mut relay.actions);
        (relay, actions)
    }

    /// Handles an event. Returns the actions to perform.
    pub fn handle(&mut self, event: Event, now: Instant) -> Vec<Action> {
        if !self.has_exited {
            self.react(event, now);
            self.keep_time(now);
        }
        std::mem::take(&mut self.actions)
    }

    /// Returns the number of the client's bytes for which no server has accounted.
    pub fn unaccounted(&self) -> usize {
        self.unaccounted.len()
    }

    /// Returns the last state of the session; empty before the first.
    pub fn state(&self) -> &str {
        &self.session.state
    }

    fn react(&mut self, event: Event, now: Instant) {
        match event {
            Event::Client(bytes) => self.client_sent(&bytes, now),
            Event::ClientEnd => self.input_ended(now),
            Event::Terminate => self.terminate(now),
            Event::Connected(attempt) => self.connected(attempt, now),
            Event::Unreachable { attempt, reason, refused } => {
                self.unreachable(attempt, &reason, refused, now);
            }
            Event::Received(attempt, bytes) => {
                if self.is_current(attempt) {
                    self.server_sent(&bytes, now);
                }
            }
            Event::Closed(attempt, end) => {
                if self.is_current(attempt) {
                    self.server_closed(end, now);
                }
            }
            Event::AllWritten => self.exit(),
            Event::OutputClosed => {
                self.ending = Some(Ending::OutputClosed);
                self.exit();
            }
            Event::Time => {}
        }
    }

    /// Returns true if this is the connection of the session, which has not ended.
    fn is_current(&self, attempt: Attempt) -> bool {
        self.ending.is_none() && self.server.as_ref().is_some_and(|server| server.attempt == attempt)
    }

    /// Returns the name of the current server.
    fn name(&self) -> &str {
        &self.plan.servers[self.failover.at]
    }

    fn note(&mut self, text: impl Into<String>) {
        self.actions.push(Action::Note(text.into()));
    }

    fn show(&mut self, bytes: Vec<u8>) {
        match self.actions.last_mut() {
            _ if bytes.is_empty() => {}
            Some(Action::Show(shown)) => shown.extend(bytes),
            Some(_) | None => self.actions.push(Action::Show(bytes)),
        }
    }

    /// Ends the session. The output so far is still written.
    fn end(&mut self, ending: Ending) {
        self.leave_server();
        if self.ending.replace(ending).is_none() {
            self.actions.push(Action::FinishOutput);
        }
    }

    fn exit(&mut self) {
        self.has_exited = true;
        self.actions.push(Action::Exit(self.ending.take().unwrap_or(Ending::Dismissed)));
    }
}
