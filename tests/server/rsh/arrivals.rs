//! Connecting: in any pieces, in either order, or only in part.

use super::test_server::{TEST_TIMEOUT, TestServer};
use super::winboard::{self, WinBoard};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

/// Reads to the end of the connection.
fn rest(mut stream: &TcpStream) -> String {
    stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
    let mut text = Vec::new();
    if let Err(error) = stream.read_to_end(&mut text) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "the server does not close");
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Reads lines up to this one.
fn until(mut stream: &TcpStream, line: &str) {
    stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(line.as_bytes()) {
        assert_eq!(stream.read(&mut byte).expect("an answer"), 1, "closed after {text:?}");
        text.push(byte[0]);
    }
}

#[test]
fn a_handshake_may_be_cut_anywhere() {
    let server = TestServer::start();
    let (listener, port) = winboard::listen();
    listener.listen(64).expect("a free port");
    let text = format!("{port}\0root\0Garry K\0club MultiPV=2\0xboard\nping 7\n");
    for cut in 0..text.len() {
        let mut main = TcpStream::connect(server.address).expect("a connection");
        main.set_nodelay(true).expect("an option");
        let (first, second) = text.as_bytes().split_at(cut);
        main.write_all(first).expect("the server reads");
        let has_port = first.contains(&0);
        // The pieces certainly arrive apart if there is something to wait for in between.
        let early = has_port.then(|| listener.accept().expect("a connection back"));
        main.write_all(second).expect("the server reads");
        let _back = early.unwrap_or_else(|| listener.accept().expect("a connection back"));
        until(&main, "pong 7\n");
    }
}

#[test]
fn bytes_may_come_one_by_one() {
    let server = TestServer::start();
    let (listener, port) = winboard::listen();
    let mut main = TcpStream::connect(server.address).expect("a connection");
    main.set_nodelay(true).expect("an option");
    for byte in format!("{port}\0root\0Garry K\0farboard\0xboard\nping 7\n").bytes() {
        main.write_all(&[byte]).expect("the server reads");
    }
    let _back = listener.accept().expect("a connection back");
    until(&main, "pong 7\n");
}

#[test]
fn the_connection_back_is_optional() {
    let server = TestServer::start();
    for port in ["", "0"] {
        let mut main = TcpStream::connect(server.address).expect("a connection");
        main.write_all(format!("{port}\0a\0b\0\0ping 7\n").as_bytes()).expect("the server reads");
        until(&main, "pong 7\n");
    }
}

#[test]
fn other_programs_are_refused_with_the_reason() {
    let server = TestServer::start();
    let long = "x".repeat(600);
    let cases: [(&str, &str); 5] = [
        ("xboard\nprotover 2\n", "not a remote shell client"),
        ("GET / HTTP/1.1\r\n\r\n", "not a remote shell client"),
        ("123456", "not a remote shell client"),
        ("8080\0a\0b\0farboard\0", "connection to its port 8080"),
        (&format!("0\0a\0{long}"), "longer than 512 bytes"),
    ];
    for (text, why) in cases {
        let mut main = TcpStream::connect(server.address).expect("a connection");
        main.write_all(text.as_bytes()).expect("the server reads");
        let said = rest(&main);
        assert!(said.starts_with("tellusererror ") && said.contains(why), "{said:?}");
    }
}

#[test]
fn clients_that_disconnect_early_leave_nothing_behind() {
    let server = TestServer::with(|_, limits| limits.sessions = 1);
    for text in ["", "10", "0\0a", "0\0a\0b\0farboard"] {
        let mut main = TcpStream::connect(server.address).expect("a connection");
        main.write_all(text.as_bytes()).expect("the server reads");
        main.shutdown(Shutdown::Write).expect("a connection");
        assert_eq!(rest(&main), "", "after {text:?}");
    }
    WinBoard::introduced(server.address, "farboard", 2).quit();
}

#[test]
fn silent_clients_are_closed() {
    let server = TestServer::start();
    let main = TcpStream::connect(server.address).expect("a connection");
    assert!(rest(&main).contains("not complete in time"));
}

#[test]
fn features_are_complete_long_before_winboard_gives_up_on_them() {
    let server = TestServer::start();
    let begun = std::time::Instant::now();
    let winboard = WinBoard::introduced(server.address, "farboard", 2);
    // The limit is ten seconds; a busy machine may take longer.
    assert!(begun.elapsed() < TEST_TIMEOUT / 2, "{:?}", begun.elapsed());
    let (corrupted, lines) = winboard.quit();
    assert!(corrupted.is_empty() && lines > 20, "{lines} lines, corrupted: {corrupted:?}");
}
