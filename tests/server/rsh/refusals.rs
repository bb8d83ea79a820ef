//! Refused clients see the reason; a requested profile is used.

use super::test_server::{TEST_TIMEOUT, TestServer};
use super::winboard::{self, WinBoard};
use farboard::config::Transport;
use socket2::{Domain, Socket, Type};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Command, Stdio};

/// Expects a message, then a line that makes WinBoard give up the engine without waiting for
/// features.
fn assert_refused(mut winboard: WinBoard, why: &str) {
    let said = winboard.rest();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("tellusererror ") && said[0].contains(why), "{said:?}");
    assert_eq!(said[1], "Permission denied");
}

#[test]
fn an_unknown_profile_is_refused_with_the_list_of_profiles() {
    let server = TestServer::start();
    let winboard = WinBoard::start(server.address, "gnuchess -x");
    assert_refused(
        winboard,
        "no profile \"gnuchess\" here; the command must begin with one of: farboard, club, strong",
    );
    assert_refused(WinBoard::start(server.address, "club -x"), "\"-x\" is not one");
    assert_refused(WinBoard::start(server.address, "club Elo=9"), "Elo cannot be set");
}

#[test]
fn a_full_server_says_so() {
    let server = TestServer::with(|_, limits| limits.sessions = 1);
    let first = WinBoard::introduced(server.address, "farboard", 2);
    assert_refused(WinBoard::start(server.address, "farboard"), "at most 1 games at one time");
    first.quit();
}

#[test]
fn strangers_receive_nothing() {
    let server =
        TestServer::with(|listen, _| listen.allow = vec!["192.0.2.0/24".parse().expect("a network")]);
    let mut main = TcpStream::connect(server.address).expect("a connection");
    main.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
    let mut said = Vec::new();
    let _ = main.read_to_end(&mut said);
    assert_eq!(said, b"");
}

#[test]
fn an_http_request_is_not_a_remote_shell() {
    let server = TestServer::start();
    let mut main = TcpStream::connect(server.address).expect("a connection");
    main.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
    main.write_all(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nping 1\n").expect("the server reads");
    let mut said = String::new();
    main.read_to_string(&mut said).expect("an answer");
    assert!(said.starts_with("tellusererror ") && said.contains("not a remote shell client"), "{said:?}");
    assert!(said.ends_with("\nPermission denied\n") && said.lines().count() == 2, "{said:?}");
}

#[test]
fn a_client_that_refuses_the_connection_back_is_notified() {
    let server = TestServer::start();
    // The socket is bound, but does not listen.
    let (_bound, port) = winboard::reserved(1023);
    let mut main = TcpStream::connect(server.address).expect("a connection");
    main.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
    main.write_all(format!("{port}\0a\0b\0farboard\0").as_bytes()).expect("the server reads");
    let mut said = String::new();
    main.read_to_string(&mut said).expect("an answer");
    assert!(said.contains(&format!("cannot connect back to port {port} of the client")), "{said:?}");
    assert!(said.contains("farboard-connect"), "{said:?}");
}

/// A firewall that drops packets, or a listener whose backlog is full: the connection stays
/// pending.
#[test]
fn an_unreachable_client_is_notified() {
    let server = TestServer::start();
    let (full, port) = winboard::reserved(1023);
    full.listen(0).expect("a free port");
    let mut waiting = Vec::new();
    for _ in 0..8 {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        socket.set_nonblocking(true).expect("an option");
        let _ = socket.connect(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)).into());
        waiting.push(socket);
    }
    let mut main = TcpStream::connect(server.address).expect("a connection");
    main.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
    main.write_all(format!("{port}\0a\0b\0farboard\0").as_bytes()).expect("the server reads");
    let mut said = String::new();
    main.read_to_string(&mut said).expect("an answer");
    assert!(
        said.contains(&format!("cannot connect back to port {port} of the client: timed out")),
        "{said:?}"
    );
}

#[test]
fn the_command_chooses_a_profile() {
    let server = TestServer::start();
    for (command, name, setting, banner) in [
        ("", "Farboard", "Limit Strength 0", false),
        ("farboard LimitStrength=1", "Farboard", "Limit Strength 1", false),
        ("club", "Farboard club", "Limit Strength 1", true),
        ("\"club\" LimitStrength=0", "Farboard club", "Limit Strength 0", true),
        ("strong", "Farboard strong", "Limit Strength 0", true),
    ] {
        let mut winboard = WinBoard::start(server.address, command);
        winboard.send("xboard\nprotover 2\n");
        let line = winboard.until("feature myname=");
        assert!(line.contains(&format!("myname=\"{name}\"")), "{command:?}: {line:?}");
        winboard.until("feature done=1");
        winboard.send("option ShowSettings\n");
        let settings = winboard.until("telluser Settings:");
        assert!(settings.contains(setting), "{command:?}: {settings:?}");
        winboard.send("new\n");
        winboard.send("new\n");
        winboard.send("ping 1\n");
        let mut welcomes = 0;
        while let Some(line) = winboard.line().filter(|line| line != "pong 1") {
            welcomes += usize::from(line.starts_with("telluser Welcome to "));
        }
        assert_eq!(welcomes, usize::from(banner), "{command:?}");
        winboard.quit();
    }
}

#[test]
fn a_listener_may_have_a_profile_of_its_own() {
    let server = TestServer::with(|listen, _| listen.profile = Some("club".to_owned()));
    for (command, name) in
        [("", "Farboard club"), ("farboard", "Farboard club"), ("strong", "Farboard strong")]
    {
        let mut winboard = WinBoard::start(server.address, command);
        winboard.send("xboard\nprotover 2\n");
        let line = winboard.until("feature myname=");
        assert!(line.contains(&format!("myname=\"{name}\"")), "{command:?}: {line:?}");
        winboard.quit();
    }
}

#[test]
fn other_listeners_may_have_one_as_well() {
    let server = TestServer::with(|listen, _| {
        listen.transport = Transport::Plain;
        listen.profile = Some("club".to_owned());
    });
    let mut main = TcpStream::connect(server.address).expect("a connection");
    main.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
    main.write_all(b"xboard\nprotover 2\nquit\n").expect("the server reads");
    let mut said = String::new();
    main.read_to_string(&mut said).expect("an end");
    assert!(said.contains("myname=\"Farboard club\""), "{said:?}");
}

#[test]
fn the_shims_command_chooses_a_profile() {
    let server = TestServer::with(|listen, _| listen.transport = Transport::Plain);
    let (port, mut shim) =
        (server.address.port().to_string(), Command::new(env!("CARGO_BIN_EXE_farboard-connect")));
    shim.args(["--port", &port, "127.0.0.1", "club", "MultiPV=2", ""]).env_remove("FARBOARD_SECRET");
    let mut shim = shim.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the shim");
    let script = b"xboard\nprotover 2\noption ShowSettings\nquit\n";
    shim.stdin.take().expect("piped").write_all(script).expect("it reads");
    let said = shim.wait_with_output().expect("it ends").stdout;
    let said = String::from_utf8(said).expect("text");
    for expected in ["myname=\"Farboard club\"", "Limit Strength 1", "MultiPV 2"] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}
