//! The event loop of thousands of clients: performs the actions of a phase, and passes it the
//! events of connections.

use super::client_stream::{ClientStream, Route};
use super::phase::{Actions, ClientAction, ClientEvent, ClientId, Phase};
use super::source_addresses::SourceAddresses;
use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token};
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::os::fd::AsRawFd;
use std::time::Instant;

/// Maximum number of events per poll.
const EVENTS: usize = 1024;
/// Bytes per read.
const BUFFER: usize = 64 << 10;
/// Maximum length of a line in bytes. No sane engine sends more.
const MAX_LINE: usize = 64 << 10;

/// Clients of one server.
pub struct ClientLoop {
    poll: Poll,
    events: Events,
    address: SocketAddr,
    route: Route,
    sources: SourceAddresses,
    connections: HashMap<ClientId, Connection>,
    actions: Actions,
    buffer: Vec<u8>,
}

struct Connection {
    stream: ClientStream,
    open: bool,
    /// Whether the client reads nothing.
    deaf: bool,
    /// The beginning of an incomplete line.
    partial: Vec<u8>,
    unsent: Vec<u8>,
}

/// Reason for the end of a connection.
type ConnectionError = String;

impl ClientLoop {
    /// A loop without clients.
    ///
    /// # Errors
    /// The system has no resources for an event loop.
    pub fn new(address: SocketAddr, route: Route) -> io::Result<ClientLoop> {
        Ok(ClientLoop {
            poll: Poll::new()?,
            events: Events::with_capacity(EVENTS),
            address,
            route,
            sources: SourceAddresses::of(address),
            connections: HashMap::new(),
            actions: Actions::default(),
            buffer: vec![0; BUFFER],
        })
    }

    /// Runs a phase until it is over or `until` has passed. Returns whether it is over.
    ///
    /// # Errors
    /// The system fails to wait for events.
    pub fn run(&mut self, phase: &mut dyn Phase, until: Instant) -> io::Result<bool> {
        loop {
            let now = Instant::now();
            let next = phase.tick(now, &mut self.actions).unwrap_or(until).min(until);
            self.perform(phase);
            if phase.is_over() || now >= until {
                return Ok(phase.is_over());
            }
            let timeout = next.saturating_duration_since(Instant::now());
            match self.poll.poll(&mut self.events, Some(timeout)) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                other => other?,
            }
            let ready: Vec<(ClientId, bool)> = self
                .events
                .iter()
                .map(|event| (ClientId(event.token().0), event.is_readable() || event.is_read_closed()))
                .collect();
            for (id, readable) in ready {
                self.on_ready(id, readable, phase);
                self.perform(phase);
            }
        }
    }

    /// Opens further connections from another local address. Returns whether there is one.
    pub fn use_next_address(&mut self) -> bool {
        self.sources.use_next()
    }

    /// Closes all connections at once.
    pub fn close_all(&mut self) {
        self.connections.clear();
    }

    fn on_ready(&mut self, id: ClientId, readable: bool, phase: &mut dyn Phase) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let was_open = connection.open;
        let done = connection.establish().and_then(|()| connection.send());
        if connection.open && !was_open {
            phase.on_event(id, ClientEvent::Open, Instant::now(), &mut self.actions);
        }
        if let Err(error) = done {
            // Lines that arrived before the failure still count.
            if was_open {
                let _ = self.read_lines(id, phase);
            }
            return self.drop_client(id, &error, phase);
        }
        if readable && let Err(error) = self.read_lines(id, phase) {
            self.drop_client(id, &error, phase);
        }
    }

    /// Reads what has arrived, and passes complete lines to the phase.
    fn read_lines(&mut self, id: ClientId, phase: &mut dyn Phase) -> Result<(), ConnectionError> {
        loop {
            let Some(connection) = self.connections.get_mut(&id) else { return Ok(()) };
            if connection.deaf || !connection.open {
                return Ok(());
            }
            let count = match connection.stream.socket.read(&mut self.buffer) {
                Ok(0) => return Err("closed by the server".to_owned()),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.to_string()),
            };
            let now = Instant::now();
            let mut text = std::mem::take(&mut connection.partial);
            text.extend_from_slice(&self.buffer[..count]);
            let mut rest = &text[..];
            while let Some(end) = memchr::memchr(b'\n', rest) {
                let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
                phase.on_event(id, ClientEvent::Line(&String::from_utf8_lossy(line)), now, &mut self.actions);
                rest = &rest[end + 1..];
            }
            if rest.len() > MAX_LINE {
                return Err("a line without an end".to_owned());
            }
            connection.partial = rest.to_vec();
        }
    }

    fn drop_client(&mut self, id: ClientId, why: &str, phase: &mut dyn Phase) {
        if self.connections.remove(&id).is_some() {
            phase.on_event(id, ClientEvent::Closed(why), Instant::now(), &mut self.actions);
        }
    }

    fn perform(&mut self, phase: &mut dyn Phase) {
        while let Some(action) = self.actions.take() {
            match action {
                ClientAction::Open(id) => match self.connect(id) {
                    Ok(connection) => drop(self.connections.insert(id, connection)),
                    Err(error) => {
                        let why = error.to_string();
                        phase.on_event(id, ClientEvent::Closed(&why), Instant::now(), &mut self.actions);
                    }
                },
                ClientAction::Send(id, text) => {
                    let Some(connection) = self.connections.get_mut(&id) else { continue };
                    connection.unsent.extend_from_slice(text.as_bytes());
                    if connection.open
                        && let Err(error) = connection.send()
                    {
                        self.drop_client(id, &error, phase);
                    }
                }
                ClientAction::StopReading(id) => {
                    if let Some(connection) = self.connections.get_mut(&id) {
                        connection.deaf = true;
                    }
                }
                ClientAction::Close(id) => drop(self.connections.remove(&id)),
                ClientAction::Reset(id) => {
                    if let Some(connection) = self.connections.remove(&id) {
                        connection.stream.reset_at_end();
                    }
                }
            }
        }
    }

    fn connect(&mut self, id: ClientId) -> io::Result<Connection> {
        let stream = ClientStream::open(&self.route, self.address, &mut self.sources)?;
        let interest = Interest::READABLE | Interest::WRITABLE;
        let descriptor = stream.socket.as_raw_fd();
        self.poll.registry().register(&mut SourceFd(&descriptor), Token(id.0), interest)?;
        Ok(Connection { stream, open: false, deaf: false, partial: Vec::new(), unsent: Vec::new() })
    }
}

impl Connection {
    /// Marks the connection as open once it is established.
    fn establish(&mut self) -> Result<(), ConnectionError> {
        if self.open {
            return Ok(());
        }
        self.open = self.stream.is_open().map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Sends what the socket accepts.
    fn send(&mut self) -> Result<(), ConnectionError> {
        let mut sent = 0;
        while self.open && sent < self.unsent.len() {
            match self.stream.socket.write(&self.unsent[sent..]) {
                Ok(count) => sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        self.unsent.drain(..sent);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use socket2::{Domain, Socket, Type};
    use std::io::{BufRead, BufReader};
    use std::net::{Ipv4Addr, TcpListener};
    use std::time::Duration;

    /// Sends one line on each connection and collects the answers.
    struct Echoes {
        wanted: usize,
        sent: bool,
        received: Vec<String>,
        closed: usize,
    }

    impl Echoes {
        fn new(wanted: usize) -> Echoes {
            Echoes { wanted, sent: false, received: Vec::new(), closed: 0 }
        }
    }

    impl Phase for Echoes {
        fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, _: Instant, actions: &mut Actions) {
            match event {
                ClientEvent::Open => actions.send(id, "hello\nwor"),
                ClientEvent::Line("hello") => actions.send(id, "ld\n"),
                ClientEvent::Line(line) => self.received.push(line.to_owned()),
                ClientEvent::Closed(_) => self.closed += 1,
            }
        }

        fn tick(&mut self, _: Instant, actions: &mut Actions) -> Option<Instant> {
            if !std::mem::replace(&mut self.sent, true) {
                (0..self.wanted).for_each(|_| _ = actions.open());
            }
            None
        }

        fn is_over(&self) -> bool {
            self.received.len() == self.wanted && self.closed == self.wanted
        }
    }

    #[test]
    fn lines_go_there_and_back_and_the_end_is_reported() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = std::thread::spawn(move || {
            for stream in listener.incoming().take(3) {
                let mut stream = stream.unwrap();
                let reader = BufReader::new(stream.try_clone().unwrap());
                for line in reader.lines().take(2) {
                    write!(stream, "{}\r\n", line.unwrap()).unwrap();
                }
            }
        });
        let mut crowd = ClientLoop::new(address, Route::Tcp).unwrap();
        let mut echoes = Echoes::new(3);
        let deadline = Instant::now() + Duration::from_secs(30);
        assert!(crowd.run(&mut echoes, deadline).unwrap(), "{:?}", echoes.received);
        assert_eq!(echoes.received, ["world"; 3]);
        server.join().unwrap();
    }

    #[test]
    fn a_refusal_is_reported() {
        // Bound, so that no other process can listen there.
        let unused = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        unused.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).unwrap();
        let address = unused.local_addr().unwrap().as_socket().unwrap();
        let mut crowd = ClientLoop::new(address, Route::Tcp).unwrap();
        let mut refused = Echoes { received: vec![String::new(); 2], ..Echoes::new(2) };
        let deadline = Instant::now() + Duration::from_secs(30);
        assert!(crowd.run(&mut refused, deadline).unwrap(), "it is over when both are closed");
        assert_eq!(refused.closed, 2);
    }
}
