//! Signals through the connection back, and ends of sessions.

use super::test_server::{TEST_TIMEOUT, TestServer};
use super::winboard::WinBoard;
use farboard::server::control::SessionRow;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::time::Instant;

#[test]
fn interrupts_disturb_nothing() {
    let server = TestServer::start();
    let mut winboard = WinBoard::introduced(server.address, "farboard", 2);
    winboard.send("new\nsd 30\nst 2\n");
    winboard.send_move("e2e4");
    for _ in 0..100 {
        winboard.interrupt();
    }
    winboard.signals().write_all(b"\x03\x01junk").expect("the server reads");
    winboard.until("move ");
    winboard.send("ping 1\n");
    winboard.until("pong 1");
    winboard.quit();
}

#[test]
fn interrupts_are_counted() {
    let control = std::env::temp_dir().join(format!("farboard-{}-interrupts", std::process::id()));
    let server =
        TestServer::prepared(|_, _| {}, |server| server.make_control(&control).expect("a control socket"));
    let mut winboard = WinBoard::introduced(server.address, "farboard", 2);
    for _ in 0..3 {
        winboard.interrupt();
    }
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let mut stream = UnixStream::connect(&control).expect("a control socket");
        stream.write_all(b"sessions\n").expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let row: SessionRow = serde_json::from_str(&answer).expect("one session");
        assert_eq!(row.listener, "rsh");
        if row.status.interrupts == 3 {
            break;
        }
        assert!(row.status.interrupts < 3 && Instant::now() < deadline, "{row:?}");
    }
    winboard.quit();
}

#[test]
fn input_before_the_termination_signal_is_executed() {
    let server = TestServer::start();
    for _ in 0..20 {
        let mut winboard = WinBoard::introduced(server.address, "farboard", 2);
        // In this order: the signal may overtake the commands.
        winboard.signals().write_all(b"\x0f").expect("the server reads");
        winboard.send("new\nsd 3\n");
        winboard.send_move("e2e4");
        winboard.send("ping 1\n");
        winboard.until("move ");
        winboard.until("pong 1");
        assert!(winboard.rest().is_empty());
    }
}

#[test]
fn the_termination_signal_ends_a_silent_session() {
    let server = TestServer::with(|_, limits| limits.sessions = 1);
    let mut winboard = WinBoard::introduced(server.address, "farboard", 2);
    winboard.send("analyze\n");
    winboard.signals().write_all(b"\x0f").expect("the server reads");
    winboard.rest();
    drop(winboard);
    WinBoard::at_last(server.address).quit();
}

#[test]
fn without_the_connection_back_a_game_goes_on() {
    let server = TestServer::start();
    let mut winboard = WinBoard::introduced(server.address, "farboard", 2);
    winboard.signals().shutdown(Shutdown::Both).expect("a connection");
    winboard.send("new\nsd 3\n");
    winboard.send_move("e2e4");
    winboard.until("move ");
    winboard.send("quit\n");
    assert!(winboard.rest().is_empty());
}

/// WinBoard closes with unread output, which resets the connection.
#[test]
fn a_reset_ends_the_session() {
    let server = TestServer::with(|_, limits| limits.sessions = 1);
    for _ in 0..5 {
        let mut winboard = WinBoard::at_last(server.address);
        winboard.send("ping 1\n");
        socket2::SockRef::from(winboard.main())
            .set_linger(Some(std::time::Duration::ZERO))
            .expect("an option");
        winboard.quit();
    }
}
