//! The program itself: signals, limits of the system, messages, standard input and output.

use crate::support::{Client, PATIENCE};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

/// A running program; killed when dropped.
struct Program(Child);

impl Program {
    fn start(command: &mut Command) -> Program {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Program(piped.spawn().expect("the program starts"))
    }

    fn farboard(arguments: &[&str]) -> Program {
        Program::start(Command::new(env!("CARGO_BIN_EXE_farboard")).args(arguments))
    }

    /// The address in the first line it prints.
    fn address(&mut self) -> SocketAddr {
        let mut line = String::new();
        BufReader::new(self.0.stdout.as_mut().expect("piped")).read_line(&mut line).expect("a line");
        line.split_whitespace()
            .last()
            .and_then(|word| word.parse().ok())
            .unwrap_or_else(|| panic!("{line:?}"))
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.0);
        kill_process(pid, signal).expect("it runs");
    }

    fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.0.try_wait().expect("our own child") {
                return status;
            }
            assert!(Instant::now() < deadline, "the program does not end");
            std::thread::yield_now();
        }
    }

    fn stderr(&mut self) -> String {
        let mut text = String::new();
        self.0.stderr.take().expect("piped").read_to_string(&mut text).expect("text");
        text
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const SERVE: [&str; 6] = ["--listen", "127.0.0.1:0", "--table", "1", "--log", "warn"];

#[test]
fn the_first_sigint_drains_and_the_second_stops() {
    let mut program = Program::farboard(&SERVE);
    let address = program.address();
    let mut idle = Client::connect(address);
    idle.ping(1);
    let mut playing = Client::connect(address);
    playing.send("xboard\nprotover 2\nnew\nst 3600\ngo\n");
    playing.ping(1);
    program.signal(Signal::INT);
    idle.rest();
    playing.ping(2);
    program.signal(Signal::INT);
    playing.rest();
    assert!(program.wait().success());
}

#[test]
fn sigterm_ends_an_idle_server() {
    let mut program = Program::farboard(&SERVE);
    let mut client = Client::connect(program.address());
    client.ping(1);
    program.signal(Signal::TERM);
    client.rest();
    assert!(program.wait().success());
}

#[test]
fn without_file_descriptors_newcomers_wait_and_are_served_later() {
    let limited = format!("ulimit -n 24; exec {} {}", env!("CARGO_BIN_EXE_farboard"), SERVE.join(" "));
    let mut program = Program::start(Command::new("sh").args(["-c", &limited]));
    let address = program.address();
    let mut clients: Vec<Client> = (0..40).map(|_| Client::connect(address)).collect();
    let mut last = clients.pop().expect("forty");
    last.send("ping 40\n");
    clients[0].ping(1);
    // Those who are served go, and the last in the line is let in.
    drop(clients);
    last.until("pong 40");
}

#[test]
fn a_port_in_use_is_told_with_a_way_out() {
    let mut first = Program::farboard(&SERVE);
    let address = first.address().to_string();
    let mut second = Program::farboard(&["--listen", &address, "--table", "1"]);
    assert_eq!(second.wait().code(), Some(1));
    let message = second.stderr();
    assert!(message.contains(&address) && message.contains("--listen"), "{message}");
}

#[test]
fn a_wrong_configuration_is_told() {
    let mut program = Program::farboard(&["--listen", "0.0.0.0:0"]);
    assert_eq!(program.wait().code(), Some(2));
    let message = program.stderr();
    assert!(message.contains("other machines"), "{message}");
    let mut program = Program::farboard(&["--config", "no-such-file.toml"]);
    assert_eq!(program.wait().code(), Some(2));
    let message = program.stderr();
    assert!(message.contains("no-such-file.toml") && message.contains("because"), "{message}");
}

#[test]
fn stdio_is_one_session_that_ignores_sigint() {
    let mut program = Program::farboard(&["stdio", "--table", "1"]);
    let mut stdin = program.0.stdin.take().expect("piped");
    let mut stdout = BufReader::new(program.0.stdout.take().expect("piped"));
    let mut answer = |question: &str| {
        stdin.write_all(question.as_bytes()).expect("it reads");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it answers");
        line
    };
    assert_eq!(answer("ping 1\n"), "pong 1\n");
    program.signal(Signal::INT);
    assert_eq!(answer("ping 2\n"), "pong 2\n");
    drop(stdin);
    assert!(program.wait().success());
}

#[test]
fn stdio_ends_at_sigterm() {
    let mut program = Program::farboard(&["stdio", "--table", "1"]);
    let mut stdin = program.0.stdin.take().expect("piped");
    let mut line = String::new();
    stdin.write_all(b"ping 1\n").expect("it reads");
    BufReader::new(program.0.stdout.as_mut().expect("piped")).read_line(&mut line).expect("it answers");
    program.signal(Signal::TERM);
    assert!(program.wait().success());
}
