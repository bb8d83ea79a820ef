//! The agent check: the server's load as reported to a balancer.

use crate::program::Program;
use crate::test_server::{Client, TEST_TIMEOUT};
use rustix::process::Signal;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Instant;

/// A server with one core, and its agent's address.
struct Fixture {
    program: Program,
    address: SocketAddr,
    agent: SocketAddr,
    config: PathBuf,
}

impl Fixture {
    fn new(name: &str, settings: &str) -> Fixture {
        let config = std::env::temp_dir().join(format!("farboard-{}-agent-{name}.toml", std::process::id()));
        let text = format!(
            "workers = 1\ntable = 1\ndrain_seconds = 3600\n{settings}\n[[listen]]\naddress = 0\n\
             [[listen]]\naddress = 0\ntransport = \"agent\"\n"
        );
        std::fs::write(&config, text).expect("a file");
        let mut program = Program::farboard(&["--config", config.to_str().expect("a path")]);
        let log = program.logged("listens on");
        let addresses: Vec<SocketAddr> =
            log.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [address, agent] = addresses[..] else { panic!("{log}") };
        Fixture { program, address, agent, config }
    }

    fn check(&self) -> String {
        let mut connection = TcpStream::connect_timeout(&self.agent, TEST_TIMEOUT).expect("a connection");
        connection.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
        // Input from a balancer is ignored and must not cost the answer.
        let _ = connection.write_all(b"hello\n");
        let mut line = String::new();
        connection.read_to_string(&mut line).expect("an answer");
        line
    }

    /// Repeats the check until the answer is `expected`.
    fn until(&self, expected: &str) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            let line = self.check();
            if line == expected {
                return;
            }
            assert!(Instant::now() < deadline, "{line:?} and not {expected:?}");
        }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.config);
    }
}

#[test]
fn the_weight_follows_the_searches_that_wait() {
    let mut server = Fixture::new("weight", "");
    assert_eq!(server.check(), "up ready 100%\n");
    let mut clients: Vec<Client> = (0..4).map(|_| Client::connect(server.address)).collect();
    for client in &mut clients {
        client.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
        client.status();
    }
    server.until("up ready 62%\n");
    for client in clients.drain(1..) {
        client.reset();
    }
    server.until("up ready 100%\n");
    // A game slows the server down: new sessions are not wanted any more.
    clients[0].send("exit\nnew\nst 3600\noption Book=none\ngo\n");
    clients[0].status();
    server.program.signal(Signal::TERM);
    server.program.logged("no new sessions");
    assert_eq!(server.check(), "drain\n");
    clients[0].status();
    assert!(TcpStream::connect(server.address).is_err());
    server.program.signal(Signal::TERM);
    assert!(server.program.wait().success());
    let log = server.program.stderr();
    assert!(!log.contains("refused"), "{log}");
}

#[test]
fn refused_strangers_do_not_keep_a_balancer_from_its_answer() {
    let server = Fixture::new("refused", "max_sessions = 1");
    let mut client = Client::connect(server.address);
    client.ping(1);
    // Each is refused because the server is full, and leaves its connection open.
    let strangers: Vec<TcpStream> = (0..200)
        .map(|_| TcpStream::connect_timeout(&server.address, TEST_TIMEOUT).expect("a connection"))
        .collect();
    for _ in 0..40 {
        assert_eq!(server.check(), "drain\n");
    }
    // Nor do connections of balancers that stay open.
    let open: Vec<TcpStream> = (0..100)
        .map(|_| TcpStream::connect_timeout(&server.agent, TEST_TIMEOUT).expect("a connection"))
        .collect();
    assert_eq!(server.check(), "drain\n");
    drop((strangers, open));
    client.ping(2);
}

#[test]
fn a_full_server_accepts_no_sessions() {
    let server = Fixture::new("full", "max_sessions = 1");
    let mut client = Client::connect(server.address);
    client.ping(1);
    assert_eq!(server.check(), "drain\n");
    client.send("quit\n");
    client.rest();
    server.until("up ready 100%\n");
}
