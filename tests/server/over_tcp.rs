//! A server with the built-in engine, and a client that reads line by line.

use crate::running_server::{RunningServer, limits};
use farboard::book::Books;
use farboard::pool::{Size, engine};
use farboard::search::Table;
use farboard::server::{ListenerPolicy, Server, ServerLimits, Setup, Sources, bind};
use farboard::session::{Profile, Protocol};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// Generous: a busy machine must not fail a test.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A server whose clients speak this protocol, with limits modified by `change`.
pub fn server(protocol: Protocol, change: impl FnOnce(&mut ServerLimits)) -> RunningServer {
    let mut limits = limits(TEST_TIMEOUT);
    change(&mut limits);
    let setup = Setup {
        limits,
        sources: Sources::default(),
        size: Size { workers: 2, searches: 16, niceness: 0 },
        search: engine(Table::new(1).expect("a table")),
        profile: Arc::new(Profile::new("Farboard", Books::default())),
        seed: 1,
    };
    let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).expect("a free port");
    let policy = ListenerPolicy { protocol, ..ListenerPolicy::open() };
    RunningServer::new(Server::new(vec![(listener, policy)], setup).expect("an event loop"))
}

pub struct Client(BufReader<TcpStream>);

impl Client {
    pub fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect_timeout(&address, TEST_TIMEOUT).expect("a connection");
        stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
        Client(BufReader::new(stream))
    }

    pub fn send(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).expect("the server reads");
    }

    /// Closes the client's side of the connection.
    pub fn end(&mut self) {
        self.0.get_ref().shutdown(Shutdown::Write).expect("half a connection");
    }

    /// The next line, with its end.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("a line");
        line
    }

    /// Reads up to a line with this beginning, and returns the rest of it.
    pub fn until(&mut self, beginning: &str) -> String {
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "the end before {beginning}");
            if let Some(rest) = line.strip_prefix(beginning) {
                return rest.trim_end().to_owned();
            }
        }
    }

    /// Reads to the end of the connection.
    pub fn rest(mut self) -> String {
        let mut rest = String::new();
        self.0.read_to_string(&mut rest).expect("the end");
        rest
    }
}
