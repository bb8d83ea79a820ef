//! A real server, and clients that wait with a deadline.

use crate::running_server::{RunningServer, limits};
use farboard::book::Books;
use farboard::chess::Move;
use farboard::pool::{SearchEvent, Size, Task};
use farboard::search::{Bound, Done, Gate, Info, Report, Score, Verdict};
use farboard::server::{Handle, ListenerPolicy, Server, ServerLimits, Setup, Sources, bind};
use farboard::session::Profile;
use socket2::{Domain, SockRef, Socket, Type};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// Generous: a busy machine must not fail a test.
pub const TEST_TIMEOUT: Duration = Duration::from_secs(30);

/// A server for one test.
pub struct TestServer {
    pub address: SocketAddr,
    pub handle: Handle,
    running: RunningServer,
}

impl TestServer {
    pub fn start() -> TestServer {
        TestServer::with(|_| {})
    }

    /// A server with a modified setup.
    pub fn with(change: impl FnOnce(&mut Setup)) -> TestServer {
        TestServer::prepared(ListenerPolicy::open(), change, |_| {})
    }

    /// A server with this policy and a modified setup.
    pub fn behind(policy: ListenerPolicy, change: impl FnOnce(&mut Setup)) -> TestServer {
        TestServer::prepared(policy, change, |_| {})
    }

    /// The same, with the server modified by `prepare` before it runs.
    pub fn prepared(
        policy: ListenerPolicy,
        change: impl FnOnce(&mut Setup),
        prepare: impl FnOnce(&mut Server),
    ) -> TestServer {
        let limits = ServerLimits { sessions: 2000, ..limits(TEST_TIMEOUT) };
        let size = Size { workers: 2, searches: 16, niceness: 0 };
        let profile = Arc::new(Profile::new("Farboard", Books::default()));
        let mut setup =
            Setup { limits, sources: Sources::default(), size, search: Box::new(stand_in), profile, seed: 1 };
        change(&mut setup);
        let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).expect("a free port");
        let mut server = Server::new(vec![(listener, policy)], setup).expect("an event loop");
        prepare(&mut server);
        let running = RunningServer::new(server);
        TestServer { address: running.address, handle: running.handle.clone(), running }
    }

    pub fn client(&self) -> Client {
        Client::connect(self.address)
    }

    /// Waits until it has ended by itself.
    pub fn join(mut self) {
        self.running.join(TEST_TIMEOUT);
    }
}

/// The report of a variation of one move.
pub fn report(depth: u8, best: Option<Move>, elapsed: Duration) -> Report {
    Report::Info(Info {
        again: false,
        table_usage: None,
        depth,
        selective_depth: depth,
        score: Score::DRAW,
        bound: Bound::Exact,
        elapsed,
        nodes: 1000 * u64::from(depth),
        line: 1,
        pv: best.into_iter().collect(),
    })
}

/// A search that plays the first legal move at the time or depth limit, and reports at every poll.
pub fn stand_in(task: &Task, gate: &mut dyn Gate, reports: &mut dyn FnMut(SearchEvent)) -> Done {
    let request = task.search().expect("a search");
    let best = request.position.legal_moves().first().copied();
    let mut depth = 0;
    while gate.poll(1000 * u64::from(depth)) == Verdict::Continue && !gate.past_optimum(1.0) {
        if request.limits.depth.is_some_and(|limit| depth >= limit) {
            break;
        }
        depth = depth.saturating_add(1);
        reports(report(depth, best, gate.elapsed()).into());
        std::thread::park_timeout(Duration::from_micros(500));
    }
    Done { best, ponder: None, score: Score::DRAW, depth, nodes: 0, elapsed: gate.elapsed() }
}

/// A client of a server. Anything slower than [`TEST_TIMEOUT`] fails the test.
pub struct Client {
    reader: BufReader<TcpStream>,
}

impl Client {
    pub fn connect(address: SocketAddr) -> Client {
        Client::on(TcpStream::connect_timeout(&address, TEST_TIMEOUT).expect("a connection"))
    }

    /// Connects from another address of this machine.
    pub fn connect_from(source: IpAddr, address: SocketAddr) -> Client {
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, None).expect("a socket");
        socket.bind(&SocketAddr::new(source, 0).into()).expect("an address of this machine");
        socket.connect_timeout(&address.into(), TEST_TIMEOUT).expect("a connection");
        Client::on(socket.into())
    }

    fn on(stream: TcpStream) -> Client {
        stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
        stream.set_write_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
        stream.set_nodelay(true).expect("an option");
        Client { reader: BufReader::new(stream) }
    }

    pub fn stream(&self) -> &TcpStream {
        self.reader.get_ref()
    }

    pub fn send(&mut self, text: impl AsRef<[u8]>) {
        self.reader.get_mut().write_all(text.as_ref()).expect("the server reads");
    }

    /// The next line without its end; `None` at the end of the stream.
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(line.trim_end_matches('\n').to_owned()),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => None,
            Err(error) => panic!("waited for a line: {error}"),
        }
    }

    /// Returns true if something can be read at once.
    pub fn has_more_output(&self) -> bool {
        let stream = self.stream();
        stream.set_nonblocking(true).expect("a connection");
        let found = !self.reader.buffer().is_empty() || stream.peek(&mut [0]).is_ok();
        stream.set_nonblocking(false).expect("a connection");
        found
    }

    /// Reads up to the first line that begins so.
    pub fn until(&mut self, beginning: &str) -> String {
        let mut others = Vec::new();
        while let Some(line) = self.line() {
            if line.starts_with(beginning) {
                return line;
            }
            others.push(line);
        }
        panic!("the server closed before it said {beginning:?}; it said {others:?}");
    }

    /// Reads to the end.
    pub fn rest(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.line()).collect()
    }

    /// Checks that the session answers.
    pub fn ping(&mut self, number: u32) {
        self.send(format!("ping {number}\n"));
        self.until(&format!("pong {number}"));
    }

    /// Checks that the session answers while it thinks: a `ping` would be answered after the move.
    pub fn status(&mut self) {
        self.send(".\n");
        self.until("stat01: ");
    }

    pub fn half_close(&self) {
        self.stream().shutdown(Shutdown::Write).expect("a connection");
    }

    /// Closes so that the other side sees a reset.
    pub fn reset(self) {
        SockRef::from(self.stream()).set_linger(Some(Duration::ZERO)).expect("an option");
    }
}

/// Raises the limit of open files to its maximum: the tests hold both ends.
pub fn allow_many_connections() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::Nofile).maximum;
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
}
