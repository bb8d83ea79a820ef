//! The listener for HTTP: probes and numbers.

mod access;
mod documented;
mod engines;
mod numbers;
mod probes;
mod rough;

use crate::program::Program;
use crate::support::{TEST_TIMEOUT, TestServer};
use farboard::server::{ListenerPolicy, Server, Setup, bind};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Instant;

/// The size of the table that the servers here claim to have, in bytes.
const TABLE: u64 = 3 << 20;

/// A server that answers requests of HTTP.
struct Observed {
    server: TestServer,
    http: SocketAddr,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Observed {
    fn new(change: impl FnOnce(&mut Setup)) -> Observed {
        Observed::behind(ListenerPolicy::open(), change)
    }

    /// One whose requests of HTTP meet this policy.
    fn behind(policy: ListenerPolicy, change: impl FnOnce(&mut Setup)) -> Observed {
        Observed::prepared(ListenerPolicy::open(), policy, change, |_| {})
    }

    /// One whose players meet the first policy and whose requests of HTTP the second, with something done to the server before it runs.
    fn prepared(
        players: ListenerPolicy,
        requests: ListenerPolicy,
        change: impl FnOnce(&mut Setup),
        prepare: impl FnOnce(&mut Server),
    ) -> Observed {
        let mut http = None;
        let server = TestServer::prepared(players, change, |server| {
            prepare(server);
            let socket = bind((Ipv4Addr::LOCALHOST, 0).into()).expect("a free port");
            let configured = socket.local_addr().expect("an address");
            http = Some(server.serve_http(socket, configured, requests, TABLE).expect("a thread"));
        });
        Observed { server, http: http.expect("it was prepared") }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.http).expect("a connection");
        stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
        stream.set_write_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
        stream
    }

    fn get(&self, path: &str) -> Answer {
        ask(&mut self.connect(), &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    }

    /// Asks until the answer is like this.
    fn until(&self, path: &str, is_so: impl Fn(&Answer) -> bool) -> Answer {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            let answer = self.get(path);
            if is_so(&answer) {
                return answer;
            }
            assert!(Instant::now() < deadline, "{answer:?}");
            std::thread::yield_now();
        }
    }

    /// The value of this number, with its labels as they are printed, once it is like this.
    fn number_until(&self, name: &str, is_so: impl Fn(f64) -> bool) -> f64 {
        let answer = self.until("/metrics", |answer| number(&answer.body, name).is_some_and(&is_so));
        number(&answer.body, name).expect("it was found")
    }
}

/// A number of a text of numbers.
fn number(text: &str, name: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

/// The address for HTTP that a program logs.
fn http_of(program: &mut Program) -> SocketAddr {
    let log = program.logged("metrics and health checks by HTTP on");
    log.split_whitespace().last().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{log}"))
}

fn ask(stream: &mut TcpStream, request: &str) -> Answer {
    stream.write_all(request.as_bytes()).expect("the server reads");
    answer(stream)
}

/// Reads one answer.
fn answer(stream: &mut impl Read) -> Answer {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        assert_eq!(stream.read(&mut byte).expect("an answer"), 1, "the answer ends: {head:?}");
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).expect("text");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")?.parse().ok());
    let mut body = vec![0; length.expect("a length")];
    stream.read_exact(&mut body).expect("a body");
    Answer { status, head, body: String::from_utf8(body).expect("text") }
}
