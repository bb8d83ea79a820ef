//! A client of the control socket: one request, one response.

use super::chunks::SESSIONS_PER_TURN;
use super::execute::Execution;
use super::{Overview, Response, SessionRow, StateResponse};
use crate::server::connection::nonblocking;
use crate::server::connections::Connections;
use crate::server::os::panic_guard::guarded;
use mio::Registry;
use mio::net::UnixStream;
use serde::Serialize;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
const READ_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_REQUEST: usize = 2048;
/// Response to any other request.
const UNKNOWN_REQUEST: &str = "{\"error\":\"unknown request; the requests are: overview, sessions, state NUMBER, and commands in JSON\"}\n";

pub(super) struct ControlClient {
    stream: UnixStream,
    state: RequestState,
    output: Vec<u8>,
    /// Whether the socket may have input, or room for output.
    pub(super) ready: bool,
    /// When the client connected, sent its request, or last read something.
    pub(super) active: Instant,
}

enum RequestState {
    Reading(Vec<u8>),
    Executing(Execution),
    /// Sessions are listed, next the one in this slot.
    Listing(usize),
    /// The rest of the response is being sent.
    Responding,
}

impl ControlClient {
    pub(super) fn new(stream: UnixStream, now: Instant) -> ControlClient {
        let state = RequestState::Reading(Vec::new());
        ControlClient { stream, state, output: Vec::new(), ready: true, active: now }
    }

    /// Returns true if the client has not sent a complete request.
    pub(super) fn is_reading_request(&self) -> bool {
        matches!(self.state, RequestState::Reading(_))
    }

    /// Returns when the client is closed unless it sends or reads something before.
    pub(super) fn deadline(&self) -> Instant {
        self.active + if self.is_reading_request() { REQUEST_TIMEOUT } else { READ_TIMEOUT }
    }

    /// Must be called before the client is dropped.
    pub(super) fn deregister(&mut self, registry: &Registry) {
        if let Err(error) = registry.deregister(&mut self.stream) {
            log::debug!("control socket: {error}");
        }
    }

    /// Reads the request, or continues the response. Returns false if the response is complete.
    pub(super) fn turn(
        &mut self,
        connections: &mut Connections,
        started: Instant,
        now: Instant,
    ) -> io::Result<bool> {
        if let RequestState::Reading(request) = &mut self.state {
            if !read_request(&mut self.stream, request)? {
                self.ready = false;
                return Ok(true);
            }
            let request = std::mem::take(request);
            self.begin(&request, connections, started);
            self.active = now;
        }
        if let RequestState::Executing(execution) = &mut self.state {
            // A command is executed to its end, even if the client has disconnected.
            self.active = now;
            let Some(response) = execution.advance(connections, now) else { return Ok(true) };
            self.respond(&response);
        }
        if let RequestState::Listing(first) = self.state
            && self.output.is_empty()
        {
            self.list_sessions(first, connections);
        }
        self.send(now)
    }

    /// Sends what the socket takes. Returns false if the response is complete.
    fn send(&mut self, now: Instant) -> io::Result<bool> {
        while !self.output.is_empty() {
            match nonblocking(|| self.stream.write(&self.output))? {
                Some(0) => return Ok(false),
                Some(written) => {
                    drop(self.output.drain(..written));
                    self.active = now;
                }
                None => {
                    self.ready = false;
                    return Ok(true);
                }
            }
        }
        Ok(matches!(self.state, RequestState::Listing(_)))
    }

    fn begin(&mut self, request: &[u8], connections: &mut Connections, started: Instant) {
        let line = request.split(|&byte| byte == b'\n').next().unwrap_or_default();
        match line.trim_ascii() {
            command if command.starts_with(b"{") => match serde_json::from_slice(command) {
                Ok(command) => {
                    let by = administrator(&self.stream);
                    let execution = Execution::new(connections, command, by, Instant::now());
                    self.state = RequestState::Executing(execution);
                }
                Err(error) => self.respond(&Response::Error(format!("not a command: {error}"))),
            },
            b"sessions" => self.state = RequestState::Listing(0),
            query if query.starts_with(b"state ") => {
                self.respond(&state_of(connections, &query[b"state ".len()..]));
            }
            b"overview" => {
                self.respond(&Overview::of(connections, started.elapsed()));
            }
            _ => {
                self.output.extend_from_slice(UNKNOWN_REQUEST.as_bytes());
                self.state = RequestState::Responding;
            }
        }
    }

    fn list_sessions(&mut self, first: usize, connections: &Connections) {
        let slots = &connections.slots;
        let now = Instant::now();
        let end = slots.capacity().min(first + SESSIONS_PER_TURN);
        for row in (first..end).filter_map(|slot| {
            let connection = slots.get(slot)?;
            guarded(|| SessionRow::of(connection, &connections.searches.pool, now)).flatten()
        }) {
            self.append(&row);
        }
        self.state =
            if end < slots.capacity() { RequestState::Listing(end) } else { RequestState::Responding };
    }

    fn respond(&mut self, response: &impl Serialize) {
        self.append(response);
        self.state = RequestState::Responding;
    }

    fn append(&mut self, value: &impl Serialize) {
        // Writing to memory does not fail, and all responses can be written as JSON.
        if serde_json::to_writer(&mut self.output, value).is_ok() {
            self.output.push(b'\n');
        }
    }
}

/// Reads a part of the request. Returns true once the request is complete.
fn read_request(stream: &mut UnixStream, request: &mut Vec<u8>) -> io::Result<bool> {
    let mut buffer = [0; MAX_REQUEST];
    loop {
        match nonblocking(|| stream.read(&mut buffer))? {
            None => return Ok(false),
            Some(0) => return Ok(true),
            Some(count) => request.extend_from_slice(&buffer[..count]),
        }
        if request.contains(&b'\n') || request.len() > MAX_REQUEST {
            return Ok(true);
        }
    }
}

/// Names the administrator at the other end, for the log.
fn administrator(stream: &UnixStream) -> String {
    #[cfg(target_os = "linux")]
    if let Ok(peer) = rustix::net::sockopt::socket_peercred(stream) {
        return format!("user {} (process {})", peer.uid.as_raw(), peer.pid.as_raw_pid());
    }
    let _ = stream;
    "an unknown user".to_owned()
}

fn state_of(connections: &mut Connections, number: &[u8]) -> StateResponse {
    let number = std::str::from_utf8(number).ok().and_then(|number| number.trim().parse::<u64>().ok());
    let mut sessions = connections.slots.iter_mut().map(|(_, connection)| connection);
    let found = sessions.find(|connection| Some(connection.owner >> 32) == number);
    let state = found.and_then(|connection| {
        let session = connection.session.as_mut()?;
        guarded(|| session.state(Instant::now()).plain_text())
    });
    match (state, number) {
        (Some(text), _) => StateResponse::State(text),
        (None, Some(number)) => {
            StateResponse::Error(format!("there is no session {number}: see farboard sessions"))
        }
        (None, None) => StateResponse::Error("missing session number".to_owned()),
    }
}
