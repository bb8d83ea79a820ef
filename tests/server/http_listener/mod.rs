//! The HTTP listener: pages, health checks and metrics.

mod access;
mod documented;
mod engines;
mod numbers;
mod probes;
mod rough;
mod scripts;
mod web;

use crate::program::Program;
use crate::test_server::{TEST_TIMEOUT, TestServer};
use farboard::server::{ListenerPolicy, Server, Setup, bind};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Instant;

/// The table size that the servers here report, in bytes.
const TABLE: u64 = 3 << 20;

/// A server with an HTTP listener.
struct Observed {
    server: TestServer,
    http: SocketAddr,
}

/// An HTTP response.
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

    /// A server whose HTTP listener has this policy.
    fn behind(policy: ListenerPolicy, change: impl FnOnce(&mut Setup)) -> Observed {
        Observed::prepared(ListenerPolicy::open(), policy, change, |_| {})
    }

    /// A server with policies for its session and HTTP listeners, modified by `prepare` before it
    /// runs.
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

    /// Repeats the request until the response matches.
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

    /// The value of a metric, with its labels as printed, once it matches.
    fn number_until(&self, name: &str, is_so: impl Fn(f64) -> bool) -> f64 {
        let answer = self.until("/metrics", |answer| number(&answer.body, name).is_some_and(&is_so));
        number(&answer.body, name).expect("it was found")
    }
}

/// A metric's value in a scrape.
fn number(text: &str, name: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

/// The HTTP address that a program logs.
fn http_of(program: &mut Program) -> SocketAddr {
    let log = program.logged("metrics and health checks by HTTP on");
    log.split_whitespace().last().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{log}"))
}

fn ask(stream: &mut TcpStream, request: &str) -> Answer {
    stream.write_all(request.as_bytes()).expect("the server reads");
    answer(stream)
}

/// Reads one response.
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
    let length = if status == 101 { Some(0) } else { length };
    let mut body = vec![0; length.expect("a length")];
    stream.read_exact(&mut body).expect("a body");
    Answer { status, head, body: String::from_utf8(body).expect("text") }
}
