//! The program under a service manager: inherited sockets and notifications.

use crate::program::Program;
use crate::test_server::{Client, TEST_TIMEOUT};
use rustix::process::Signal;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// Starts the program with this socket as descriptor 3, the first one announced.
fn with_socket(socket: impl Into<OwnedFd>, arguments: &[&str]) -> Program {
    let script =
        "export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=test.socket; exec \"$0\" \"$@\" 3<&0 </dev/null";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_farboard"), "--table", "1"]).args(arguments);
    Program::with_stdin(&mut command, Stdio::from(socket.into()))
}

fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let address = listener.local_addr().expect("an address");
    (listener, address)
}

#[test]
fn an_inherited_socket_is_served_and_left_to_its_owner() {
    let (socket, address) = listener();
    let named = address.to_string();
    let start = || {
        let copy = socket.try_clone().expect("a descriptor");
        with_socket(copy, &["--listen", &named, "--listen", "127.0.0.1:0"])
    };
    let mut first = start();
    let log = first.logged("listens on");
    assert!(log.contains(&format!("listens on {named} and 127.0.0.1:")), "{log}");
    assert!(log.contains(&format!("{named} is inherited: test.socket")), "{log}");
    Client::connect(address).ping(1);
    first.signal(Signal::TERM);
    assert!(first.wait().success());
    assert_eq!(first.stdout(), "", "the log has no lines to copy");

    // No server runs: a client waits, and is not refused.
    let mut early = Client::connect(address);
    early.send("ping 2\n");
    let mut second = start();
    early.until("pong 2");
    second.signal(Signal::TERM);
    assert!(second.wait().success());
}

/// The service manager keeps the socket open while a server shuts down, so only that server can
/// reply.
#[test]
fn clients_of_an_inherited_socket_are_notified_of_a_shutdown() {
    let (socket, address) = listener();
    let copy = socket.try_clone().expect("a descriptor");
    let mut program = with_socket(
        copy,
        &["--listen", &address.to_string(), "--listen", "127.0.0.1:0", "--drain-seconds", "3600"],
    );
    let log = program.logged("listens on");
    let own: SocketAddr =
        log.split_whitespace().last().and_then(|word| word.parse().ok()).expect("an address");
    let mut playing = Client::connect(address);
    playing.send("xboard\nprotover 2\noption Book=none\nnew\nst 3600\ngo\n");
    playing.status();
    program.signal(Signal::TERM);
    program.logged("no new sessions");
    for _ in 0..3 {
        let said = Client::connect(address).rest();
        assert_eq!(said, ["tellusererror this server is being replaced, please try again in some seconds"]);
    }
    program.logged("(draining)");
    playing.status();
    // Where no other process listens, no client waits.
    assert!(std::net::TcpStream::connect(own).is_err());
    playing.send("quit\n");
    assert!(program.wait().success());

    let mut late = Client::connect(address);
    late.send("ping 1\n");
    let _second = with_socket(socket, &["--listen", &address.to_string()]);
    late.until("pong 1");
}

#[test]
fn an_inherited_socket_without_a_listener_is_reported_with_the_lines_to_add() {
    let (socket, address) = listener();
    let mut program = with_socket(socket, &["--listen", "127.0.0.1:0"]);
    assert_eq!(program.wait().code(), Some(2));
    let message = program.stderr();
    assert!(
        message.contains("[[listen]]") && message.contains(&format!("address = \"{address}\"")),
        "{message}"
    );
}

#[test]
fn inherited_sockets_must_listen() {
    let (socket, address) = listener();
    let connection = Client::connect(address).stream().try_clone().expect("a descriptor");
    let mut program = with_socket(connection, &[]);
    assert_eq!(program.wait().code(), Some(2));
    let message = program.stderr();
    assert!(message.contains("test.socket") && message.contains("Accept=yes"), "{message}");
    drop(socket);
}

#[test]
fn sockets_meant_for_another_process_are_left_alone() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    command.args(["--listen", "127.0.0.1:0", "--table", "1"]).env("LISTEN_PID", "1").env("LISTEN_FDS", "1");
    let mut program = Program::start(&mut command);
    Client::connect(program.address()).ping(1);
}

#[test]
fn the_service_manager_is_notified_of_readiness_and_shutdown() {
    let path = std::env::temp_dir().join(format!("farboard-notify-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let manager = UnixDatagram::bind(&path).expect("a socket");
    manager.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
    let mut buffer = [0; 100];
    let mut notifications = || {
        let length = manager.recv(&mut buffer).expect("it sends");
        String::from_utf8(buffer[..length].to_vec()).expect("ASCII")
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    command.args(["--listen", "127.0.0.1:0", "--table", "1"]).env("NOTIFY_SOCKET", &path);
    let mut program = Program::start(&mut command);
    assert_eq!(notifications(), "READY=1");
    let mut playing = Client::connect(program.logged_address());
    playing.send("xboard\nprotover 2\noption Book=none\nnew\nst 3600\ngo\n");
    playing.status();
    program.signal(Signal::TERM);
    assert!(notifications().starts_with("STOPPING=1\nEXTEND_TIMEOUT_USEC="));
    playing.status();
    program.signal(Signal::TERM);
    assert!(program.wait().success());
    std::fs::remove_file(&path).expect("a file");
}

/// A manager that reads notifications at once, as the system buffers only a few.
fn manager(name: &str) -> (Receiver<String>, PathBuf) {
    let path = std::env::temp_dir().join(format!("farboard-{name}-{}", std::process::id()));
    let manager = UnixDatagram::bind(&path).expect("a socket");
    let (sender, notifications) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 100];
        while let Ok(length) = manager.recv(&mut buffer) {
            let text = String::from_utf8_lossy(&buffer[..length]).into_owned();
            if sender.send(text).is_err() {
                return;
            }
        }
    });
    (notifications, path)
}

fn next(notifications: &Receiver<String>) -> String {
    notifications.recv_timeout(TEST_TIMEOUT).expect("it sends")
}

#[test]
fn a_watchdog_is_fed_until_the_end() {
    let (notifications, path) = manager("watchdog");
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    command.args(["--listen", "127.0.0.1:0", "--table", "1"]).env("NOTIFY_SOCKET", &path);
    let mut program = Program::start(command.env("WATCHDOG_USEC", "20000"));
    assert_eq!(next(&notifications), "READY=1");
    for _ in 0..5 {
        assert_eq!(next(&notifications), "WATCHDOG=1");
    }
    let mut playing = Client::connect(program.logged_address());
    playing.send("xboard\nprotover 2\noption Book=none\nnew\nst 3600\ngo\n");
    playing.status();
    program.signal(Signal::TERM);
    while next(&notifications) == "WATCHDOG=1" {}
    // The watchdog is also fed while games finish.
    assert_eq!(next(&notifications), "WATCHDOG=1");
    program.signal(Signal::TERM);
    assert!(program.wait().success());
    std::fs::remove_file(&path).expect("a file");
}

#[test]
fn a_watchdog_of_another_process_is_not_fed() {
    let (notifications, path) = manager("no-watchdog");
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    command.args(["--listen", "127.0.0.1:0", "--table", "1"]).env("NOTIFY_SOCKET", &path);
    let mut program = Program::start(command.env("WATCHDOG_USEC", "1").env("WATCHDOG_PID", "1"));
    assert_eq!(next(&notifications), "READY=1");
    // It has sent many notifications by then.
    let mut client = Client::connect(program.logged_address());
    (1..100).for_each(|number| client.ping(number));
    program.signal(Signal::TERM);
    assert!(next(&notifications).starts_with("STOPPING=1"));
    assert!(program.wait().success());
    std::fs::remove_file(&path).expect("a file");
}

#[test]
fn an_unsupported_notification_address_is_reported_at_the_start() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    command.args(["--listen", "127.0.0.1:0", "--table", "1"]).env("NOTIFY_SOCKET", "vsock:2:1");
    let mut program = Program::start(&mut command);
    assert_eq!(program.wait().code(), Some(1));
    let message = program.stderr();
    assert!(message.contains("NOTIFY_SOCKET"), "{message}");
}
