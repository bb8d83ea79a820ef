//! The relay between a client and whichever server has its session: a value without sockets, threads and clocks.
//!
//! [`Relay::handle`] takes one [`Event`] at an instant that the caller names, and adds what is to be done. [`Relay::deadline`] is
//! the instant at which it wants [`Event::Time`] if nothing else happens before. `rim` has the threads.
//!
//! `client`: what the client sends. `server`: one connection, from its greeting to its end. `frames`: what a Farboard sends.
//! `foreign`: another engine behind the port. `failover`: which server is next. `suspicion`: lines that end servers.
//! `unaccounted`: the client's bytes that no state contains. `timing`: all the deadlines.

mod client;
mod failover;
mod foreign;
mod frames;
mod server;
mod suspicion;
#[cfg(test)]
mod tests;
mod timing;
mod unaccounted;

use super::client_protocol::ClientProtocol;
use super::last_line::LastWords;
use super::outage::Outage;
use super::wishes::Wishes;
use server::Server;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use suspicion::Suspicion;
use unaccounted::Unaccounted;

/// The most bytes of the client that no server has accounted for, and the most output that the client has not read, beyond which
/// no more is read of either.
pub const MAX_AHEAD: usize = 1 << 20;

/// The number of an attempt to connect, and of the connection that it makes.
pub type Attempt = u64;

/// Plan of a relay.
#[derive(Clone, Debug)]
pub struct RelayPlan {
    /// The servers as users know them, at least one, in the order in which they are tried.
    pub servers: Vec<String>,
    /// Time limit for finding a server during a session.
    pub give_up: Duration,
    /// The client's protocol; `None` if its first line decides.
    pub protocol: Option<ClientProtocol>,
    /// Lines that are sent for the client after its first line.
    pub wishes: Wishes,
    /// A person reads the output.
    pub is_terminal: bool,
}

/// Something that has happened.
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
        /// Which.
        attempt: Attempt,
        /// Why, in words for a user.
        reason: String,
        /// The machine is there and refuses connections: the server does not run.
        refused: bool,
    },
    /// The server has sent these bytes.
    Received(Attempt, Vec<u8>),
    /// The server has taken this many of the bytes for it.
    Sent(Attempt, usize),
    /// The server sends no more.
    Closed(Attempt, ConnectionEnd),
    /// The client has taken this many bytes of output.
    Written(usize),
    /// The client has taken everything since [`Action::FinishOutput`].
    AllWritten,
    /// The client takes no more output.
    OutputClosed,
    /// The deadline has come.
    Time,
}

/// How a connection has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConnectionEnd {
    /// The server has closed it.
    InOrder,
    /// It has broken, for this reason.
    Broken(String),
    /// The server has sent what cannot be decoded, as this says.
    Invalid(String),
}

/// Something to do, in the order given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Connect to a server. The outcome is [`Event::Connected`] or [`Event::Unreachable`].
    Dial {
        /// Its place in [`RelayPlan::servers`].
        server: usize,
        /// The number of the attempt.
        attempt: Attempt,
    },
    /// Send bytes to the server.
    Send(Attempt, Vec<u8>),
    /// End the stream to the server. It may still answer.
    Finish(Attempt),
    /// Drop the connection; no more of its events are wanted.
    Drop {
        /// Which.
        attempt: Attempt,
        /// Reset it, since the server may go on sending without end.
        abort: bool,
    },
    /// Send bytes to the client, and record them.
    Show(Vec<u8>),
    /// End the output after what was sent. [`Event::AllWritten`] follows.
    FinishOutput,
    /// Record bytes of the client.
    RecordClient(Vec<u8>),
    /// Record whole lines that the shim has sent for the client.
    RecordForClient(Vec<u8>),
    /// Record an event of the connection.
    Note(String),
    /// Leave. Nothing follows.
    Exit(Ending),
}

/// Why a relay ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The session ended, or the server closed the connection after everything was said.
    ServerClosed,
    /// The process was asked to terminate, or the client had said farewell.
    Dismissed,
    /// The output is closed.
    OutputClosed,
    /// The connection to another engine broke, for this reason.
    ConnectionLost(String),
    /// There is no server; the client has been told.
    NoServer,
}

/// What is known of the session at a server that may be lost any moment.
#[derive(Debug, Default)]
struct Session {
    /// Its last state; empty before the first.
    state: String,
    /// When that came.
    state_at: Option<Instant>,
    /// Table entries of its search.
    warm: Vec<u8>,
    /// The client waits for a move or another answer.
    due: bool,
}

/// The relay.
#[derive(Debug)]
pub struct Relay {
    plan: RelayPlan,
    protocol: Option<ClientProtocol>,
    session: Session,
    unaccounted: Unaccounted,
    suspicion: Suspicion,
    /// The current connection.
    server: Option<Server>,
    /// The place of its server, or of the one that is dialled.
    at: usize,
    /// The number of the newest attempt.
    attempts: Attempt,
    /// The running attempt.
    dialling: Option<Attempt>,
    /// The running attempt is to find another server for a session that has one.
    is_moving: bool,
    /// The session has left a server for the current one.
    has_moved: bool,
    /// Until a server has proved itself.
    outage: Option<Outage>,
    /// Servers that have not been tried since the start.
    untried: VecDeque<usize>,
    /// The server that was lost last, if none was dialled since.
    lost_at: Option<usize>,
    /// Servers that cannot go on with the state.
    unfit: Vec<bool>,
    /// How often a server has closed at once before any had sent something.
    turned_away: usize,
    /// A server has sent something other than a refusal.
    started: bool,
    /// The client's first line as far as it has come, until it is complete.
    first_line: Option<Vec<u8>>,
    /// When the client sent something first.
    spoke_at: Option<Instant>,
    last_words: LastWords,
    input_ended: bool,
    /// Output that the client has not taken.
    unread: usize,
    /// The farewell was the last line: when the server must have closed.
    quit_until: Option<Instant>,
    /// The process is to terminate: when it does.
    leaving: Option<Instant>,
    /// Why there is no server, and until when to wait for a first line that shows how to say that.
    hopeless: Option<(String, Instant)>,
    ending: Option<Ending>,
    /// Nothing is to be done any more.
    is_over: bool,
    actions: Vec<Action>,
}

impl Relay {
    /// A relay, and what it does first.
    ///
    /// # Panics
    /// The plan has no servers.
    pub fn new(plan: RelayPlan, now: Instant) -> (Relay, Vec<Action>) {
        assert!(!plan.servers.is_empty(), "a relay without servers");
        let protocol = plan.protocol;
        let mut relay = Relay {
            protocol,
            session: Session::default(),
            unaccounted: Unaccounted::default(),
            suspicion: Suspicion::default(),
            server: None,
            at: 0,
            attempts: 0,
            dialling: None,
            is_moving: false,
            has_moved: false,
            outage: None,
            untried: (1..plan.servers.len()).collect(),
            lost_at: None,
            unfit: vec![false; plan.servers.len()],
            turned_away: 0,
            started: false,
            first_line: Some(Vec::new()),
            spoke_at: protocol.filter(|protocol| protocol.servers_speak_first()).map(|_| now),
            last_words: LastWords::new(protocol.unwrap_or_default().farewell()),
            input_ended: false,
            unread: 0,
            quit_until: None,
            leaving: None,
            hopeless: None,
            ending: None,
            is_over: false,
            actions: Vec::new(),
            plan,
        };
        relay.dial(0);
        let actions = std::mem::take(&mut relay.actions);
        (relay, actions)
    }

    /// Takes an event. Returns what is to be done.
    pub fn handle(&mut self, event: Event, now: Instant) -> Vec<Action> {
        if !self.is_over {
            self.take(event, now);
            self.keep_time(now);
        }
        std::mem::take(&mut self.actions)
    }

    /// Bytes that are on their way to a server, or wait for one. More of the client's are read while they are fewer than
    /// [`MAX_AHEAD`].
    pub fn on_the_way_up(&self) -> usize {
        self.unaccounted.len().max(self.server.as_ref().map_or(0, Server::unsent))
    }

    /// Output that the client has not taken. More of the server's is read while it is less than [`MAX_AHEAD`].
    pub fn on_the_way_down(&self) -> usize {
        self.unread
    }

    /// The last state of the session; empty before the first.
    pub fn state(&self) -> &str {
        &self.session.state
    }

    fn take(&mut self, event: Event, now: Instant) {
        match event {
            Event::Client(bytes) => {
                if self.ending.is_none() {
                    self.heard_client(&bytes, now);
                }
            }
            Event::ClientEnd => self.input_over(now),
            Event::Terminate => self.terminate(now),
            Event::Connected(attempt) => self.connected(attempt, now),
            Event::Unreachable { attempt, reason, refused } => {
                self.unreachable(attempt, &reason, refused, now);
            }
            Event::Received(attempt, bytes) => {
                if self.is_current(attempt) {
                    self.heard_server(&bytes, now);
                }
            }
            Event::Sent(attempt, count) => {
                if let Some(server) = self.server.as_mut().filter(|server| server.attempt() == attempt) {
                    server.sent(count);
                }
            }
            Event::Closed(attempt, end) => {
                if self.is_current(attempt) {
                    self.server_closed(end, now);
                }
            }
            Event::Written(count) => self.unread = self.unread.saturating_sub(count),
            Event::AllWritten => {
                let ending = self.ending.take().unwrap_or(Ending::Dismissed);
                self.exit(ending);
            }
            Event::OutputClosed => self.exit(Ending::OutputClosed),
            Event::Time => {}
        }
    }

    /// Whether this is the connection of the session, which is not over.
    fn is_current(&self, attempt: Attempt) -> bool {
        self.ending.is_none() && self.server.as_ref().is_some_and(|server| server.attempt() == attempt)
    }

    fn name(&self) -> &str {
        &self.plan.servers[self.at]
    }

    fn note(&mut self, text: impl Into<String>) {
        self.actions.push(Action::Note(text.into()));
    }

    fn show(&mut self, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.unread += bytes.len();
            self.actions.push(Action::Show(bytes));
        }
    }

    /// Ends the session. What was shown is still written.
    fn end(&mut self, ending: Ending) {
        self.leave_server();
        if self.ending.replace(ending).is_none() {
            self.actions.push(Action::FinishOutput);
        }
    }

    fn exit(&mut self, ending: Ending) {
        self.is_over = true;
        self.actions.push(Action::Exit(ending));
    }
}
