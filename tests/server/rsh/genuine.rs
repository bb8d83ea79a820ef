//! The genuine client's half of the protocol (`rcmd(3)`): it sends the port, waits for the
//! connection back, checks its source, sends the rest, and expects a NUL first.

use super::test_server::{TEST_TIMEOUT, TestServer};
use super::winboard;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

/// Both connections and the server's first byte, already read.
fn rcmd(address: SocketAddr, command: &str) -> (BufReader<TcpStream>, TcpStream, u8) {
    let mut main = winboard::connect(address);
    main.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
    let (listener, port) = winboard::listen();
    main.write_all(format!("{port}\0").as_bytes()).expect("the server reads");
    let (back, from) = listener.accept().expect("a connection back");
    let from = from.as_socket().expect("an address").port();
    assert!((512..1024).contains(&from), "the connection back comes from port {from}");
    main.write_all(format!("root\0bob\0{command}\0").as_bytes()).expect("the server reads");
    let mut main = BufReader::new(main);
    let mut status = [1];
    main.read_exact(&mut status).expect("a byte");
    (main, back.into(), status[0])
}

fn server() -> TestServer {
    TestServer::with(|listen, _| listen.status_byte = true)
}

#[test]
fn a_session_begins_with_a_nul() {
    let server = server();
    let (mut main, mut back, status) = rcmd(server.address, "club MultiPV=2");
    assert_eq!(status, 0);
    assert!(main.buffer().is_empty(), "it comes alone");
    main.get_mut().write_all(b"xboard\nprotover 2\nping 7\n").expect("the server reads");
    let mut said = String::new();
    while !said.ends_with("pong 7\n") {
        assert!(main.read_line(&mut said).expect("an answer") > 0, "closed after {said:?}");
    }
    assert!(said.starts_with("feature done=0\n") && said.contains("Farboard club"), "{said:?}");
    back.write_all(b"\x0f").expect("the server reads");
    said.clear();
    main.read_to_string(&mut said).expect("an end");
    assert_eq!(said, "");
}

#[test]
fn a_refusal_is_reported_by_the_command() {
    let server = server();
    let (mut main, _back, status) = rcmd(server.address, "ls -l");
    assert_eq!(status, 0);
    let mut said = String::new();
    main.read_to_string(&mut said).expect("an end");
    assert!(said.starts_with("tellusererror there is no profile \"ls\" here"), "{said:?}");
    assert!(said.ends_with("\nPermission denied\n"), "{said:?}");
}
