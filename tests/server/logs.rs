//! The log: nobody waits for it, no client fills it, and programs can read it.

use crate::program::Program;
use crate::support::Client;
use rustix::process::Signal;
use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

/// A log into which nothing more fits, and the other end of it.
fn full() -> (UnixStream, Stdio) {
    let (reader, mut writer) = UnixStream::pair().expect("a pair");
    // The flag holds for every process that shares this end, so it is cleared again.
    writer.set_nonblocking(true).expect("an option");
    for size in [4096, 1] {
        while writer.write(&[b'\n'; 4096][..size]).is_ok() {}
    }
    writer.set_nonblocking(false).expect("an option");
    (reader, Stdio::from(OwnedFd::from(writer)))
}

fn serve(log: &str, arguments: &[&str], stderr: Stdio) -> (Program, SocketAddr) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    command.args(["--listen", "127.0.0.1:0", "--table", "1", "--log", log]).args(arguments);
    let mut program = Program::with_stderr(command.stdin(Stdio::null()), stderr);
    let address = program.address();
    (program, address)
}

/// Connects this often, and waits each time for the refusal; a client that comes too often is closed without a word.
fn be_refused(address: SocketAddr, times: usize) {
    for _ in 0..times {
        Client::connect(address).rest();
    }
}

#[test]
fn a_log_that_nobody_reads_holds_nobody_up() {
    let (mut reader, stderr) = full();
    let (mut program, address) = serve("trace", &["--max-sessions", "1"], stderr);
    let mut client = Client::connect(address);
    client.ping(1);
    be_refused(address, 500);
    client.ping(2);
    // Not even its end is held up.
    client.send("quit\n");
    client.rest();
    program.signal(Signal::TERM);
    assert!(program.wait().success());
    let mut rest = String::new();
    reader.read_to_string(&mut rest).expect("what was there before");
    assert_eq!(rest.trim(), "");
}

#[test]
fn a_log_that_is_read_late_tells_what_happened() {
    let (mut reader, stderr) = full();
    let (mut program, address) = serve("info", &["--max-sessions", "1"], stderr);
    let mut client = Client::connect(address);
    client.ping(1);
    be_refused(address, 500);
    client.send("quit\n");
    client.rest();
    let late = std::thread::spawn(move || {
        let mut log = String::new();
        reader.read_to_string(&mut log).map(|_| log)
    });
    // The end waits a moment for what is to be told, but a busy machine may take longer: so the reader comes first.
    program.signal(Signal::TERM);
    assert!(program.wait().success());
    let log = late.join().expect("a log").expect("text");
    let log = log.trim_start();
    let mut told = 0;
    for line in log.lines().filter(|line| line.contains("] refused ")) {
        assert!(
            line.contains(" WARN ] refused 127.0.0.1 port ") && line.contains(" (full): this server"),
            "{line}"
        );
        let others = line.split_once("(and ").map_or("0", |(_, rest)| rest.split(' ').next().unwrap_or(""));
        told += 1 + others.parse::<usize>().expect("a number");
    }
    assert_eq!(told, 500, "{log}");
    assert!(log.lines().count() < 50, "{log}");
    let ends = log.lines().find(|line| line.contains(" ends: ")).expect("the end of the session");
    assert!(ends.contains(" INFO ] session 1 ends: 127.0.0.1 port ") && ends.ends_with(" s: quit"), "{ends}");
}

#[test]
fn sessions_are_told_with_why_they_end() {
    let (mut program, address) = serve("info", &[], Stdio::piped());
    for (last_words, reason) in [("quit\n", "quit"), ("", "the client closed")] {
        let mut client = Client::connect(address);
        client.ping(1);
        let begins = program.logged(" begins: ");
        let port = client.stream().local_addr().expect("an address").port();
        // How many there are in all depends on whether the server has noticed that the one before is gone.
        assert!(begins.contains(&format!(": 127.0.0.1 port {port} (auto), ")), "{begins}");
        assert!(begins.ends_with(" in all\n"), "{begins}");
        client.send(last_words);
        client.half_close();
        client.rest();
        let ends = program.logged(" ends: ");
        assert!(ends.contains(&format!(": 127.0.0.1 port {port} after ")) && ends.contains(reason), "{ends}");
    }
    let mut client = Client::connect(address);
    client.ping(1);
    client.reset();
    let ends = program.logged(" ends: ");
    assert!(ends.contains("the connection was lost ("), "{ends}");
    let mut client = Client::connect(address);
    client.ping(1);
    program.signal(Signal::TERM);
    let ends = program.logged(" ends: ");
    assert!(ends.contains("the server ends"), "{ends}");
    assert!(program.wait().success());
}

#[test]
fn refusals_say_what_was_not_shown() {
    let secret = std::env::temp_dir().join(format!("farboard-{}-log-secret", std::process::id()));
    fs::write(&secret, "the secret of these tests").expect("a file");
    fs::set_permissions(&secret, Permissions::from_mode(0o600)).expect("a file of ours");
    let flags = ["--secret-file", secret.to_str().expect("a path")];
    let (mut program, address) = serve("info", &flags, Stdio::piped());
    // What a client says is not in it, let alone a line of its own.
    let mut client = Client::connect(address);
    client.send("xboard\r[2026-11-06T12:00:00Z WARN ] refused 192.0.2.7 port 1 (wrong-secret): x\x1b[2J\n");
    client.rest();
    let log = program.logged("refused");
    assert!(log.contains("] refused 127.0.0.1 port ") && log.contains(" (no-secret): "), "{log}");
    assert!(!log.contains("192.0.2.7") && !log.contains('\x1b'), "{log}");
    let mut client = Client::connect(address);
    client.send(format!("farboard-connect 1 {}\n", "00".repeat(32)));
    client.line().expect("a challenge");
    client.send(format!("proof {}\n", "00".repeat(32)));
    client.rest();
    let log = program.logged("refused");
    assert!(log.contains(" (wrong-secret): "), "{log}");
    // A shim with another secret goes as soon as it has heard the challenge.
    let mut client = Client::connect(address);
    client.send(format!("farboard-connect 1 {}\n", "00".repeat(32)));
    client.line().expect("a challenge");
    client.half_close();
    client.rest();
    let log = program.logged("refused");
    assert!(log.contains(" (no-proof): "), "{log}");
    fs::remove_file(secret).expect("a file of ours");
}
