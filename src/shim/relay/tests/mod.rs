//! The relay between a client and servers that a test plays, byte by byte and instant by instant.

mod deaths;
mod endings;
mod foreign;
mod sessions;
mod starts;

use super::{Action, Attempt, ConnectionEnd, Ending, Event, Relay, RelayPlan};
use crate::link::{GREETING, ServerFrame, edits};
use crate::shim::client_protocol::ClientProtocol;
use crate::shim::startup_options::StartupOptions;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A relay, its time, and the actions that it has asked for.
pub(super) struct World {
    pub(super) relay: Relay,
    pub(super) start: Instant,
    pub(super) now: Instant,
    /// The newest attempt, and its server.
    pub(super) attempt: Attempt,
    pub(super) at: usize,
    /// When each server was dialled, in milliseconds.
    pub(super) dialled: Vec<(usize, u128)>,
    /// Bytes sent on each connection and not yet taken.
    sent: BTreeMap<Attempt, Vec<u8>>,
    pub(super) finished: Vec<Attempt>,
    pub(super) dropped: Vec<(Attempt, bool)>,
    shown: Vec<u8>,
    pub(super) recorded: Vec<String>,
    pub(super) ending: Option<Ending>,
    /// The state as the current server knows it.
    state: String,
}

pub(super) fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

impl World {
    pub(super) fn new(servers: &[&str]) -> World {
        World::with(servers, |_| {})
    }

    pub(super) fn with(servers: &[&str], change: impl FnOnce(&mut RelayPlan)) -> World {
        let mut plan = RelayPlan {
            servers: servers.iter().map(|&name| name.to_owned()).collect(),
            give_up: Duration::from_secs(60),
            protocol: None,
            options: StartupOptions::default(),
            is_terminal: false,
        };
        change(&mut plan);
        let now = Instant::now();
        let (relay, actions) = Relay::new(plan, now);
        let mut world = World {
            relay,
            start: now,
            now,
            attempt: 0,
            at: 0,
            dialled: Vec::new(),
            sent: BTreeMap::new(),
            finished: Vec::new(),
            dropped: Vec::new(),
            shown: Vec::new(),
            recorded: Vec::new(),
            ending: None,
            state: String::new(),
        };
        world.execute(actions);
        world
    }

    /// A session on a Farboard in this state after these lines, with no output left to take.
    pub(super) fn in_a_session(servers: &[&str], lines: &str, state: &str) -> World {
        let mut world = World::new(servers);
        world.client(lines);
        world.connect();
        world.greet();
        world.frame(lines.len() as u64, "", state, false);
        world.sent();
        world.recorded.clear();
        world
    }

    fn execute(&mut self, actions: Vec<Action>) {
        for action in actions {
            assert_eq!(self.ending, None, "nothing follows the exit: {action:?}");
            match action {
                Action::Dial { server, attempt } => {
                    (self.attempt, self.at) = (attempt, server);
                    self.dialled.push((server, (self.now - self.start).as_millis()));
                }
                Action::Send(attempt, bytes) => self.sent.entry(attempt).or_default().extend(bytes),
                Action::Finish(attempt) => self.finished.push(attempt),
                Action::Drop { attempt, abort } => self.dropped.push((attempt, abort)),
                Action::Show(bytes) => self.shown.extend(bytes),
                Action::FinishOutput => self.recorded.push("the end of the output".to_owned()),
                Action::RecordClient(bytes) => {
                    self.recorded.push(format!("> {}", String::from_utf8_lossy(&bytes)));
                }
                Action::RecordForClient(bytes) => {
                    self.recorded.push(format!("+ {}", String::from_utf8_lossy(&bytes)));
                }
                Action::Note(text) => self.recorded.push(format!("# {text}")),
                Action::Exit(ending) => self.ending = Some(ending),
            }
        }
    }

    pub(super) fn event(&mut self, event: Event) {
        let actions = self.relay.handle(event, self.now);
        self.execute(actions);
    }

    pub(super) fn client(&mut self, text: &str) {
        self.event(Event::Client(text.as_bytes().to_owned()));
    }

    pub(super) fn connect(&mut self) {
        self.event(Event::Connected(self.attempt));
    }

    pub(super) fn refuse_connection(&mut self) {
        let (attempt, reason) = (self.attempt, "Connection refused".to_owned());
        self.event(Event::Unreachable { attempt, reason, refused: true });
    }

    /// The server answers the greeting as a Farboard.
    pub(super) fn greet(&mut self) {
        self.server(format!("{GREETING}\n").as_bytes());
        self.state = self.relay.state().to_owned();
    }

    pub(super) fn connect_and_greet(&mut self) {
        self.connect();
        assert_eq!(self.sent(), format!("{GREETING}\n"));
        self.greet();
    }

    pub(super) fn server(&mut self, bytes: &[u8]) {
        self.event(Event::Received(self.attempt, bytes.to_owned()));
    }

    pub(super) fn send_frame(&mut self, frame: &ServerFrame) {
        self.server(&bytes(frame));
    }

    /// The server sends output and the state after it.
    pub(super) fn frame(&mut self, accounted: u64, output: &str, state: &str, due: bool) {
        let frame = output_frame(accounted, output, &edits(&self.state, state), due);
        state.clone_into(&mut self.state);
        self.send_frame(&frame);
    }

    pub(super) fn close(&mut self) {
        self.event(Event::Closed(self.attempt, ConnectionEnd::InOrder));
    }

    pub(super) fn reset(&mut self) {
        self.event(Event::Closed(self.attempt, ConnectionEnd::Broken("Connection reset by peer".to_owned())));
    }

    /// Lets time pass, with all deadlines on the way.
    pub(super) fn wait(&mut self, time: Duration) {
        let until = self.now + time;
        for _ in 0..1000 {
            match self.relay.deadline().filter(|&at| at <= until && self.ending.is_none()) {
                None => {
                    self.now = until;
                    return;
                }
                Some(at) => {
                    self.now = self.now.max(at);
                    self.event(Event::Time);
                }
            }
        }
        panic!("a deadline that does not pass");
    }

    /// Takes the bytes sent on the current connection.
    pub(super) fn sent(&mut self) -> String {
        let bytes = self.sent.remove(&self.attempt).unwrap_or_default();
        String::from_utf8(bytes).expect("text")
    }

    /// Takes the output for the client.
    pub(super) fn shown(&mut self) -> String {
        String::from_utf8(std::mem::take(&mut self.shown)).expect("text")
    }

    /// Reads the output to its end, and returns how the relay ended.
    pub(super) fn ending(&mut self) -> Option<Ending> {
        if self.recorded.iter().any(|event| event == "the end of the output") && self.ending.is_none() {
            self.event(Event::AllWritten);
        }
        self.ending.clone()
    }
}

pub(super) fn output_frame(accounted: u64, output: &str, edits: &str, due: bool) -> ServerFrame {
    ServerFrame::Output { accounted, output: output.as_bytes().to_owned(), edits: edits.to_owned(), due }
}

pub(super) fn bytes(frame: &ServerFrame) -> Vec<u8> {
    let mut bytes = Vec::new();
    frame.write(&mut bytes);
    bytes
}
