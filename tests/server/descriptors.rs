//! The program with a low limit of file descriptors.

use crate::program::Program;
use crate::test_server::{Client, TEST_TIMEOUT};
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Command;

/// The limit.
const ALLOWED: usize = 48;

/// Starts the program with the limit.
fn program(arguments: &str) -> Program {
    let script = format!("ulimit -n {ALLOWED}; exec \"$0\" --table 1 {arguments}");
    Program::start(Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_farboard")]))
}

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("farboard-{name}-{}", std::process::id()))
}

/// The reply to the first line: a session's, or the reason for refusing one.
fn first_answer(address: SocketAddr) -> (Client, String) {
    let mut client = Client::connect(address);
    client.send("ping 1\n");
    let line = client.line().expect("a line");
    (client, line)
}

#[test]
fn without_descriptors_new_clients_are_refused_and_the_control_socket_answers() {
    let control = path("descriptors");
    let mut program = program(&format!("--listen 127.0.0.1:0 --control {}", control.display()));
    let address = program.address();
    let answers: Vec<(Client, String)> = (0..2 * ALLOWED).map(|_| first_answer(address)).collect();
    let (served, others): (Vec<_>, Vec<_>) = answers.into_iter().partition(|(_, line)| line == "pong 1");
    assert!(served.len() >= ALLOWED / 2, "only {} were served", served.len());
    for (_, line) in &others {
        assert!(line.starts_with("tellusererror this server is full: its system"), "{line}");
    }
    for _ in 0..2 * ALLOWED {
        let mut asker = UnixStream::connect(&control).expect("a control socket");
        asker.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
        asker.write_all(b"sessions\n").expect("it reads");
        let mut answer = String::new();
        asker.read_to_string(&mut answer).expect("an answer");
        assert_eq!(answer.lines().count(), served.len(), "{answer}");
    }
    let last = served.into_iter().next_back().expect("somebody");
    drop(last);
    // The slot is free as soon as the server has noticed the end.
    while first_answer(address).1 != "pong 1" {}
}

#[test]
fn the_limit_is_raised_as_far_as_the_system_allows() {
    let script =
        "ulimit -n 400; ulimit -Sn 100; exec \"$0\" --table 1 --listen 127.0.0.1:0 --max-sessions 100";
    let mut program = Program::start(Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_farboard")]));
    let address = program.address();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", program.id())).expect("its limits");
    let line = limits.lines().find(|line| line.starts_with("Max open files")).expect("a line");
    let soft: usize = line.split_whitespace().nth(3).and_then(|word| word.parse().ok()).expect("a number");
    assert!(soft > 100 && soft <= 400, "{line}");
    Client::connect(address).ping(1);

    let mut few = self::program("--listen 127.0.0.1:0 --max-sessions 1000");
    few.address();
    let said = few.logged("file descriptors are enough");
    assert!(said.contains("not for 1000 (max_sessions)"), "{said}");
}
