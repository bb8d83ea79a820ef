//! The control socket, which tells administrators about the server, and takes their orders.
//!
//! A client sends one line, a question in a word or an [`Command`] in JSON, and gets the answer, JSON objects on lines of their own; then the
//! connection is closed. The answer about thousands of sessions is made in chunks as the client reads them, and thousands
//! of sessions get a message or are kicked in chunks, so that the games do not wait. A client that sends no command, or does not read, is closed after some
//! seconds; when there are too many clients, the one that has been idle longest.

mod chunks;
mod command;
mod execute;
mod overview;
mod paths;
mod session_row;
mod socket;

pub use command::{Command, Response, StateResponse, Target};
pub use overview::Overview;
pub(super) use overview::of_status as memory_in;
pub use paths::ControlPaths;
pub use session_row::SessionRow;
pub use socket::ControlError;

use crate::server::connections::Connections;
use crate::server::listen::acceptor::Acceptor;
use crate::server::os::panic_guard::guarded;
use chunks::SESSIONS_PER_TURN;
use execute::Execution;
use mio::event::Event;
use mio::net::{UnixListener, UnixStream};
use mio::{Interest, Registry, Token};
use serde::Serialize;
use slab::Slab;
use socket::SocketFile;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The socket itself; its clients have the tokens from [`FIRST_CLIENT`] on.
pub(super) const CONTROL: Token = Token(usize::MAX >> 1);
const FIRST_CLIENT: usize = CONTROL.0 + 1;

/// Clients at one time. A further one takes the place of a client that has sent no command; if all have, it
/// is refused.
pub(super) const MAX_CLIENTS: usize = 16;
/// How long a client may take to send its command.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a client may leave its answer unread.
const READ_TIMEOUT: Duration = Duration::from_secs(30);
/// The same when another client wants its place.
const READ_TIMEOUT_WHEN_FULL: Duration = Duration::from_secs(1);
/// The longest command line, in bytes.
const MAX_COMMAND: usize = 2048;
/// The answer to any other command.
const UNKNOWN_COMMAND: &str = "{\"error\":\"unknown command; the commands are: overview, sessions, state NUMBER, and orders in JSON\"}\n";

/// The answer to a client that finds no place.
const TOO_MANY_CLIENTS: &[u8] = b"{\"error\":\"too many ask at the same time; ask again\"}\n";

/// The socket and its clients.
pub(super) struct Control {
    listener: UnixListener,
    acceptor: Acceptor,
    clients: Slab<ControlClient>,
    /// When the server started, nearly.
    since: Instant,
    /// Removes the file at the end.
    _file: SocketFile,
}

struct ControlClient {
    stream: UnixStream,
    command: Vec<u8>,
    answer: Vec<u8>,
    /// Its order, until that is obeyed.
    execution: Option<Execution>,
    /// The next slot to be written; `None` before the command is known, and after the last.
    next: Option<usize>,
    /// The socket may have input, or room for output.
    ready: bool,
    answered: bool,
    /// When it connected, sent its command, or last read something.
    active: Instant,
}

impl Control {
    pub(super) fn new(path: &Path, registry: &Registry) -> Result<Control, ControlError> {
        let (listener, file) = socket::listen(path)?;
        let mut listener = UnixListener::from_std(listener);
        registry
            .register(&mut listener, CONTROL, Interest::READABLE)
            .map_err(|error| ControlError::of(path, error))?;
        let acceptor = Acceptor::new();
        Ok(Control { listener, acceptor, clients: Slab::new(), since: Instant::now(), _file: file })
    }

    /// Notes what is ready: the socket or one of its clients.
    pub(super) fn note(&mut self, event: &Event) {
        let Token(token) = event.token();
        if event.token() == CONTROL {
            return self.acceptor.set_ready();
        }
        let client = token.checked_sub(FIRST_CLIENT).and_then(|index| self.clients.get_mut(index));
        if let Some(client) = client {
            client.ready = true;
        }
    }

    /// When there is something to do although no event comes.
    pub(super) fn next_wakeup(&self, now: Instant) -> Option<Instant> {
        let busy = self.clients.iter().any(|(_, client)| client.ready);
        if busy {
            return Some(now);
        }
        self.clients.iter().map(|(_, client)| client.deadline()).chain(self.acceptor.next_wakeup(now)).min()
    }

    fn accept(&mut self, registry: &Registry, now: Instant) {
        for _ in 0..MAX_CLIENTS {
            let Some((mut stream, _)) = self.acceptor.next(now, || self.listener.accept()) else { return };
            if self.clients.len() >= MAX_CLIENTS && !self.make_room(registry, now) {
                log::warn!("the control socket has {MAX_CLIENTS} clients already");
                // A new connection has room for a line, and a client that is gone need not hear it.
                let _ = stream.write(TOO_MANY_CLIENTS);
            } else if let Err(error) = self.admit(stream, registry, now) {
                log::warn!("the control socket: {error}");
            }
        }
    }

    /// Closes the client that has been connected longest without a command, or else the one that has not read
    /// for longest. False if none of them is idle.
    fn make_room(&mut self, registry: &Registry, now: Instant) -> bool {
        let idle = |client: &ControlClient| now.saturating_duration_since(client.active);
        let useless = |client: &ControlClient| !client.answered || idle(client) >= READ_TIMEOUT_WHEN_FULL;
        let useless = self.clients.iter().filter(|(_, client)| useless(client));
        let Some((key, _)) = useless.min_by_key(|(_, client)| (client.answered, client.active)) else {
            return false;
        };
        self.clients.remove(key).leave(registry);
        true
    }

    fn admit(&mut self, mut stream: UnixStream, registry: &Registry, now: Instant) -> io::Result<()> {
        let entry = self.clients.vacant_entry();
        let token = Token(FIRST_CLIENT + entry.key());
        registry.register(&mut stream, token, Interest::READABLE | Interest::WRITABLE)?;
        let (command, answer) = (Vec::new(), Vec::new());
        entry.insert(ControlClient {
            stream,
            command,
            answer,
            execution: None,
            next: None,
            ready: true,
            answered: false,
            active: now,
        });
        Ok(())
    }

    /// Accepts clients, and gives each that is ready a turn.
    pub(super) fn serve(&mut self, connections: &mut Connections, registry: &Registry) {
        let now = Instant::now();
        self.accept(registry, now);
        let since = self.since;
        self.clients.retain(|_, client| {
            let goes_on = !client.ready || client.turn(connections, since, now).unwrap_or(false);
            let stays = goes_on && client.deadline() > now;
            if !stays {
                client.leave(registry);
            }
            stays
        });
    }
}

/// Target is at the other end, for the log.
fn by_whom(stream: &UnixStream) -> String {
    #[cfg(target_os = "linux")]
    if let Ok(peer) = rustix::net::sockopt::socket_peercred(stream) {
        return format!("user {} (process {})", peer.uid.as_raw(), peer.pid.as_raw_pid());
    }
    let _ = stream;
    "somebody".to_owned()
}

/// The state of the session with this number.
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
            StateResponse::Error(format!("there is no session {number}: farboard sessions lists them"))
        }
        (None, None) => StateResponse::Error("missing session number".to_owned()),
    }
}

impl ControlClient {
    /// When it is closed, unless it sends its command or reads before.
    fn deadline(&self) -> Instant {
        self.active + if self.answered { READ_TIMEOUT } else { COMMAND_TIMEOUT }
    }

    /// To be called before it is dropped.
    fn leave(&mut self, registry: &Registry) {
        if let Err(error) = registry.deregister(&mut self.stream) {
            log::debug!("the control socket: {error}");
        }
    }

    /// Reads the command, or goes on with the answer. False if the answer is complete.
    fn turn(&mut self, connections: &mut Connections, since: Instant, now: Instant) -> io::Result<bool> {
        if !self.answered {
            if !self.read_command()? {
                self.ready = false;
                return Ok(true);
            }
            self.run_command(connections, since);
            self.active = now;
        }
        if let Some(mut execution) = self.execution.take() {
            // What is begun is done to the end, also if nobody waits for the answer any more.
            self.active = now;
            match execution.go_on(connections, now) {
                Some(answer) => self.append(&answer),
                None => {
                    self.execution = Some(execution);
                    return Ok(true);
                }
            }
        }
        if self.answer.is_empty() {
            self.append_sessions(connections);
        }
        while !self.answer.is_empty() {
            match self.stream.write(&self.answer) {
                Ok(0) => return Ok(false),
                Ok(written) => {
                    drop(self.answer.drain(..written));
                    self.active = now;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.ready = false;
                    return Ok(true);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.next.is_some())
    }

    /// True once the command is complete.
    fn read_command(&mut self) -> io::Result<bool> {
        let mut buffer = [0; MAX_COMMAND];
        loop {
            let end = match self.stream.read(&mut buffer) {
                Ok(0) => true,
                Ok(count) => {
                    self.command.extend_from_slice(&buffer[..count]);
                    self.command.contains(&b'\n') || self.command.len() > MAX_COMMAND
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => false,
                Err(error) => return Err(error),
            };
            if end {
                self.answered = true;
                return Ok(true);
            }
        }
    }

    fn run_command(&mut self, connections: &mut Connections, since: Instant) {
        let line = self.command.split(|&byte| byte == b'\n').next().unwrap_or_default();
        match line.trim_ascii() {
            order if order.starts_with(b"{") => match serde_json::from_slice(order) {
                Ok(order) => {
                    let by = by_whom(&self.stream);
                    self.execution = Some(Execution::new(connections, order, by, Instant::now()));
                }
                Err(error) => self.append(&Response::Error(format!("this is no order: {error}"))),
            },
            b"sessions" => self.next = Some(0),
            question if question.starts_with(b"state ") => {
                self.append(&state_of(connections, &question[b"state ".len()..]));
            }
            b"overview" => self.append(&Overview::of(connections, since, Instant::now())),
            _ => self.answer.extend_from_slice(UNKNOWN_COMMAND.as_bytes()),
        }
    }

    fn append_sessions(&mut self, connections: &Connections) {
        let Some(first) = self.next else { return };
        let slots = &connections.slots;
        let now = Instant::now();
        let end = slots.capacity().min(first + SESSIONS_PER_TURN);
        for row in (first..end).filter_map(|slot| {
            let connection = slots.get(slot)?;
            guarded(|| SessionRow::of(connection, &connections.searches.pool, now)).flatten()
        }) {
            self.append(&row);
        }
        self.next = (end < slots.capacity()).then_some(end);
    }

    fn append(&mut self, what: &impl Serialize) {
        // Writing to memory does not fail, and everything here can be written as JSON.
        if serde_json::to_writer(&mut self.answer, what).is_ok() {
            self.answer.push(b'\n');
        }
    }
}
