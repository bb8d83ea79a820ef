//! A server driven by a test turn by turn, with clients in the same thread: no outcome depends on
//! speed.

use crate::book::Books;
use crate::config::Settings;
use crate::pool::{SearchEvent, Size, Task};
use crate::search::{Bound, Done, Gate, Info, Report, Score, Verdict};
use crate::server::{ListenerPolicy, Server, ServerLimits, Setup, Sources, bind};
use crate::session::{Profile, Protocol};
use mio::Events;
use socket2::SockRef;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time limit for everything. Generous: a busy machine must not fail a test.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) struct TestServer {
    pub(super) server: Server,
    address: SocketAddr,
    events: Events,
}

/// A client that never waits.
pub(crate) struct TestClient {
    stream: TcpStream,
    heard: Vec<u8>,
    /// Whether the server has closed.
    pub(super) ended: bool,
}

impl TestServer {
    /// Creates a server with a changed setup.
    pub(crate) fn new(change: impl FnOnce(&mut Setup)) -> TestServer {
        TestServer::speaking(Protocol::Auto, change)
    }

    /// Creates a server of one protocol with a changed setup.
    pub(crate) fn speaking(protocol: Protocol, change: impl FnOnce(&mut Setup)) -> TestServer {
        let config = Settings::default().resolve().expect("the defaults are right");
        let limits = ServerLimits {
            sessions: 100,
            pending_logins: 10,
            login_timeout: TEST_TIMEOUT,
            ..ServerLimits::new(&config)
        };
        let size = Size { workers: 1, searches: 16, niceness: 0 };
        let profile = Arc::new(Profile::new("Farboard", Books::default()));
        let mut setup =
            Setup { limits, sources: Sources::default(), size, search: Box::new(endless), profile, seed: 1 };
        change(&mut setup);
        let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).expect("a free port");
        let server =
            Server::new(vec![(listener, ListenerPolicy { protocol, ..ListenerPolicy::open() })], setup)
                .expect("an event loop");
        let address = server.addresses().expect("an address")[0];
        TestServer { server, address, events: Events::with_capacity(64) }
    }

    pub(crate) fn client(&self) -> TestClient {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_nonblocking(true).expect("an option");
        TestClient { stream, heard: Vec::new(), ended: false }
    }

    /// Returns the slot of an accepted client.
    pub(crate) fn slot_of(&self, client: &TestClient) -> Option<usize> {
        let address = client.stream.local_addr().expect("an address");
        let mut connections = self.server.connections.slots.iter();
        connections.find(|(_, connection)| connection.peer == address).map(|(slot, _)| slot)
    }

    /// Sends text of a client and waits until the server can read it. Makes no turn meanwhile,
    /// except to accept the client.
    pub(crate) fn deliver(&mut self, client: &mut TestClient, text: &str) {
        self.until("the client is accepted", |server| server.slot_of(client).is_some());
        client.send(text);
        let slot = self.slot_of(client).expect("accepted");
        let socket = &self.server.connections.slots[slot].stream.socket;
        let mut seen = vec![0; text.len()];
        let deadline = Instant::now() + TEST_TIMEOUT;
        while socket.peek(&mut seen).map_or(0, |count| count) < text.len() {
            assert!(Instant::now() < deadline, "the system does not deliver");
            std::thread::yield_now();
        }
    }

    /// Runs one turn of the loop, without waiting.
    pub(crate) fn turn(&mut self) {
        self.server.handle().waker().wake().expect("it is there");
        self.server.turn(&mut self.events).expect("it waits for events");
    }

    /// Runs turns until the condition holds.
    pub(crate) fn until(&mut self, what: &str, mut is_so: impl FnMut(&mut TestServer) -> bool) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        while !is_so(self) {
            assert!(Instant::now() < deadline, "in vain: {what}");
            self.turn();
        }
    }

    /// Runs turns until the client receives a line with this beginning.
    pub(crate) fn hear(&mut self, client: &mut TestClient, beginning: &str) -> String {
        let mut found = None;
        self.until(beginning, |_| {
            while let Some(line) = client.line() {
                if line.starts_with(beginning) {
                    found = Some(line);
                    return true;
                }
            }
            assert!(!client.ended, "it closed instead of {beginning:?}");
            false
        });
        found.expect("a line")
    }
}

impl TestClient {
    pub(crate) fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).expect("room for it");
    }

    /// Sends bytes that need not be text.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("room for it");
    }

    /// Takes all received bytes that were not taken as lines.
    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        self.read();
        std::mem::take(&mut self.heard)
    }

    /// Ends the client's input.
    pub(crate) fn end_input(&self) {
        self.stream.shutdown(Shutdown::Write).expect("a connection");
    }

    /// Resets the connection.
    pub(crate) fn reset(self) {
        SockRef::from(&self.stream).set_linger(Some(Duration::ZERO)).expect("an option");
    }

    fn read(&mut self) {
        let mut buffer = [0; 4096];
        match self.stream.read(&mut buffer) {
            Ok(0) => self.ended = true,
            Ok(count) => self.heard.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => panic!("the client's side: {error}"),
        }
    }

    /// Takes all received lines.
    pub(crate) fn lines(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.line()).collect()
    }

    /// Takes the next received line.
    pub(crate) fn line(&mut self) -> Option<String> {
        self.read();
        let end = self.heard.iter().position(|&byte| byte == b'\n')?;
        let line = self.heard.drain(..=end).collect::<Vec<_>>();
        Some(String::from_utf8(line).expect("text").trim_end().to_owned())
    }
}

/// A search that reports its best move at once and goes on until stopped.
pub(crate) fn endless(task: &Task, gate: &mut dyn Gate, reports: &mut dyn FnMut(SearchEvent)) -> Done {
    let request = task.search().expect("a search");
    let best = request.position.legal_moves().last().copied();
    let info = Info {
        again: false,
        table_usage: None,
        depth: 1,
        selective_depth: 1,
        score: Score::DRAW,
        bound: Bound::Exact,
        elapsed: Duration::ZERO,
        nodes: 1,
        line: 1,
        pv: best.into_iter().collect(),
    };
    reports(Report::Info(info).into());
    let mut nodes = 0;
    while gate.poll(nodes) == Verdict::Continue {
        nodes += 1;
        std::thread::park_timeout(Duration::from_micros(100));
    }
    Done { best, ponder: None, score: Score::DRAW, depth: 1, nodes, elapsed: gate.elapsed() }
}
