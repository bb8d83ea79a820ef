//! Thousands of clients in one thread: carries out what a phase orders, and tells it what it hears.

use super::phase::{Event, Id, Order, Orders, Phase};
use super::sources::Sources;
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use socket2::{Domain, SockRef, Socket, Type};
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Events taken in one turn.
const EVENTS: usize = 1024;
/// Bytes read at a time.
const BUFFER: usize = 64 << 10;
/// The longest line. Engines that say more at a time have lost their mind.
const LINE: usize = 64 << 10;

/// Clients of one server.
pub struct Crowd {
    poll: Poll,
    events: Events,
    address: SocketAddr,
    sources: Sources,
    connections: HashMap<Id, Connection>,
    orders: Orders,
    buffer: Vec<u8>,
}

struct Connection {
    stream: TcpStream,
    open: bool,
    deaf: bool,
    /// The beginning of a line.
    partial: Vec<u8>,
    unsent: Vec<u8>,
}

/// Why a connection has ended.
type Broken = String;

impl Crowd {
    /// Nobody yet.
    ///
    /// # Errors
    /// The system has no more of what an event loop needs.
    pub fn new(address: SocketAddr) -> io::Result<Crowd> {
        Ok(Crowd {
            poll: Poll::new()?,
            events: Events::with_capacity(EVENTS),
            address,
            sources: Sources::of(address),
            connections: HashMap::new(),
            orders: Orders::default(),
            buffer: vec![0; BUFFER],
        })
    }

    /// Lets a phase happen until it is over or the time is up. Whether it is over.
    ///
    /// # Errors
    /// The system fails to wait for events.
    pub fn run(&mut self, phase: &mut dyn Phase, until: Instant) -> io::Result<bool> {
        loop {
            let now = Instant::now();
            let next = phase.tick(now, &mut self.orders).unwrap_or(until).min(until);
            self.obey(phase);
            if phase.is_over() || now >= until {
                return Ok(phase.is_over());
            }
            let timeout = next.saturating_duration_since(Instant::now());
            match self.poll.poll(&mut self.events, Some(timeout)) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                other => other?,
            }
            let ready: Vec<(Id, bool)> = self
                .events
                .iter()
                .map(|event| (Id(event.token().0), event.is_readable() || event.is_read_closed()))
                .collect();
            for (id, readable) in ready {
                self.attend(id, readable, phase);
                self.obey(phase);
            }
        }
    }

    /// From now on connections come from another address. Whether there is one.
    pub fn move_on(&mut self) -> bool {
        self.sources.move_on()
    }

    /// Closes all connections at once.
    pub fn disperse(&mut self) {
        self.connections.clear();
    }

    fn attend(&mut self, id: Id, readable: bool, phase: &mut dyn Phase) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let was_open = connection.open;
        let done = connection.establish().and_then(|()| connection.send());
        if connection.open && !was_open {
            phase.heard(id, Event::Open, Instant::now(), &mut self.orders);
        }
        if let Err(broken) = done {
            // What it said before it ended counts all the same.
            if was_open {
                let _ = self.listen(id, phase);
            }
            return self.lose(id, &broken, phase);
        }
        if readable && let Err(broken) = self.listen(id, phase) {
            self.lose(id, &broken, phase);
        }
    }

    /// Reads all there is.
    fn listen(&mut self, id: Id, phase: &mut dyn Phase) -> Result<(), Broken> {
        loop {
            let Some(connection) = self.connections.get_mut(&id) else { return Ok(()) };
            if connection.deaf || !connection.open {
                return Ok(());
            }
            let count = match connection.stream.read(&mut self.buffer) {
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
                phase.heard(id, Event::Line(&String::from_utf8_lossy(line)), now, &mut self.orders);
                rest = &rest[end + 1..];
            }
            if rest.len() > LINE {
                return Err("a line without an end".to_owned());
            }
            connection.partial = rest.to_vec();
        }
    }

    fn lose(&mut self, id: Id, why: &str, phase: &mut dyn Phase) {
        if self.connections.remove(&id).is_some() {
            phase.heard(id, Event::Closed(why), Instant::now(), &mut self.orders);
        }
    }

    fn obey(&mut self, phase: &mut dyn Phase) {
        while let Some(order) = self.orders.take() {
            match order {
                Order::Open(id) => match self.connect(id) {
                    Ok(connection) => drop(self.connections.insert(id, connection)),
                    Err(error) => {
                        let why = error.to_string();
                        phase.heard(id, Event::Closed(&why), Instant::now(), &mut self.orders);
                    }
                },
                Order::Say(id, text) => {
                    let Some(connection) = self.connections.get_mut(&id) else { continue };
                    connection.unsent.extend_from_slice(text.as_bytes());
                    if connection.open
                        && let Err(broken) = connection.send()
                    {
                        self.lose(id, &broken, phase);
                    }
                }
                Order::Deafen(id) => {
                    if let Some(connection) = self.connections.get_mut(&id) {
                        connection.deaf = true;
                    }
                }
                Order::Close(id) => drop(self.connections.remove(&id)),
                Order::Reset(id) => {
                    if let Some(connection) = self.connections.remove(&id) {
                        // Where it cannot be had, an ordinary end will do.
                        let _ = SockRef::from(&connection.stream).set_linger(Some(Duration::ZERO));
                    }
                }
            }
        }
    }

    fn connect(&mut self, id: Id) -> io::Result<Connection> {
        let socket = Socket::new(Domain::for_address(self.address), Type::STREAM, None)?;
        socket.set_nonblocking(true)?;
        socket.set_tcp_nodelay(true)?;
        if let Some(source) = self.sources.next() {
            socket.bind(&source.into())?;
        }
        match socket.connect(&self.address.into()) {
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::INPROGRESS.raw_os_error()) => {}
            other => other?,
        }
        let mut stream = TcpStream::from_std(socket.into());
        let interest = Interest::READABLE | Interest::WRITABLE;
        self.poll.registry().register(&mut stream, Token(id.0), interest)?;
        Ok(Connection { stream, open: false, deaf: false, partial: Vec::new(), unsent: Vec::new() })
    }
}

impl Connection {
    /// Notes that it stands, once it does.
    fn establish(&mut self) -> Result<(), Broken> {
        if self.open {
            return Ok(());
        }
        if let Some(error) = self.stream.take_error().unwrap_or_else(Some) {
            return Err(error.to_string());
        }
        match self.stream.peer_addr() {
            Ok(_) => self.open = true,
            Err(error) if error.kind() == ErrorKind::NotConnected => {}
            Err(error) => return Err(error.to_string()),
        }
        Ok(())
    }

    /// Sends as much as there is room for.
    fn send(&mut self) -> Result<(), Broken> {
        let mut sent = 0;
        while self.open && sent < self.unsent.len() {
            match self.stream.write(&self.unsent[sent..]) {
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
    use std::io::{BufRead, BufReader};
    use std::net::{Ipv4Addr, TcpListener};

    /// Says one line on each connection and remembers what it hears.
    struct Echoes {
        wanted: usize,
        asked: bool,
        heard: Vec<String>,
        closed: usize,
    }

    impl Echoes {
        fn new(wanted: usize) -> Echoes {
            Echoes { wanted, asked: false, heard: Vec::new(), closed: 0 }
        }
    }

    impl Phase for Echoes {
        fn heard(&mut self, id: Id, event: Event<'_>, _: Instant, orders: &mut Orders) {
            match event {
                Event::Open => orders.say(id, "hello\nwor"),
                Event::Line("hello") => orders.say(id, "ld\n"),
                Event::Line(line) => self.heard.push(line.to_owned()),
                Event::Closed(_) => self.closed += 1,
            }
        }

        fn tick(&mut self, _: Instant, orders: &mut Orders) -> Option<Instant> {
            if !std::mem::replace(&mut self.asked, true) {
                (0..self.wanted).for_each(|_| _ = orders.open());
            }
            None
        }

        fn is_over(&self) -> bool {
            self.heard.len() == self.wanted && self.closed == self.wanted
        }
    }

    #[test]
    fn lines_go_there_and_back_and_an_end_is_told() {
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
        let mut crowd = Crowd::new(address).unwrap();
        let mut echoes = Echoes::new(3);
        let deadline = Instant::now() + Duration::from_secs(30);
        assert!(crowd.run(&mut echoes, deadline).unwrap(), "{:?}", echoes.heard);
        assert_eq!(echoes.heard, ["world"; 3]);
        server.join().unwrap();
    }

    #[test]
    fn a_refusal_is_told() {
        // Bound, so that nobody else listens there, either.
        let nobody = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        nobody.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).unwrap();
        let address = nobody.local_addr().unwrap().as_socket().unwrap();
        let mut crowd = Crowd::new(address).unwrap();
        let mut refused = Echoes { heard: vec![String::new(); 2], ..Echoes::new(2) };
        let deadline = Instant::now() + Duration::from_secs(30);
        assert!(crowd.run(&mut refused, deadline).unwrap(), "it is over when both are closed");
        assert_eq!(refused.closed, 2);
    }
}
