//! The log: it delays no client, no client can flood it, and programs can parse it.

use crate::program::Program;
use crate::test_server::Client;
use rustix::process::Signal;
use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

/// A full log pipe, and its other end.
fn full() -> (UnixStream, Stdio) {
    let (reader, mut writer) = UnixStream::pair().expect("a pair");
    // The flag applies to every process that shares this end, so it is cleared again.
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

/// Connects this often, waiting for each refusal; a client that connects too often is closed
/// without a message.
fn be_refused(address: SocketAddr, times: usize) {
    for _ in 0..times {
        Client::connect(address).rest();
    }
}

#[test]
fn a_log_that_is_not_read_delays_no_client() {
    let (mut reader, stderr) = full();
    let (mut program, address) = serve("trace", &["--max-sessions", "1"], stderr);
    let mut client = Client::connect(address);
    client.ping(1);
    be_refused(address, 500);
    client.ping(2);
    // Not even shutdown is delayed.
    client.send("quit\n");
    client.rest();
    program.signal(Signal::TERM);
    assert!(program.wait().success());
    let mut rest = String::new();
    reader.read_to_string(&mut rest).expect("the previous contents");
    assert_eq!(rest.trim(), "");
}

#[test]
fn a_log_that_is_read_late_is_complete() {
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
    // Shutdown waits a moment for pending output, but a busy machine may take longer: so the reader
    // comes first.
    program.signal(Signal::TERM);
    assert!(program.wait().success());
    let log = late.join().expect("a log").expect("text");
    let log = log.trim_start();
    let mut logged = 0;
    for line in log.lines().filter(|line| line.contains("] refused ")) {
        assert!(
            line.contains(" WARN  farboard::server::access_log] refused 127.0.0.1 port ")
                && line.contains(" (full): this server"),
            "{line}"
        );
        let others = line.split_once("(and ").map_or("0", |(_, rest)| rest.split(' ').next().unwrap_or(""));
        logged += 1 + others.parse::<usize>().expect("a number");
    }
    assert_eq!(logged, 500, "{log}");
    assert!(log.lines().count() < 50, "{log}");
    let ends = log.lines().find(|line| line.contains(" ends: ")).expect("the end of the session");
    assert!(
        ends.contains(" INFO  farboard::server::access_log] session 1 ends: 127.0.0.1 port ")
            && ends.ends_with(" s: quit"),
        "{ends}"
    );
}

#[test]
fn ends_of_sessions_are_logged_with_their_reasons() {
    let (mut program, address) = serve("info", &[], Stdio::piped());
    for (last_words, reason) in [("quit\n", "quit"), ("", "the client closed")] {
        let mut client = Client::connect(address);
        client.ping(1);
        let begins = program.logged(" begins: ");
        let port = client.stream().local_addr().expect("an address").port();
        // The total depends on whether the server has noticed that the previous client is gone.
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
    assert!(ends.contains("the server shut down"), "{ends}");
    assert!(program.wait().success());
}

#[test]
fn refusals_count_suppressed_lines() {
    let secret = std::env::temp_dir().join(format!("farboard-{}-log-secret", std::process::id()));
    fs::write(&secret, "the secret of these tests").expect("a file");
    fs::set_permissions(&secret, Permissions::from_mode(0o600)).expect("a file");
    let flags = ["--secret-file", secret.to_str().expect("a path")];
    let (mut program, address) = serve("info", &flags, Stdio::piped());
    // Input of clients is not logged, let alone as a line of its own.
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
    // A shim with another secret disconnects as soon as it has received the challenge.
    let mut client = Client::connect(address);
    client.send(format!("farboard-connect 1 {}\n", "00".repeat(32)));
    client.line().expect("a challenge");
    client.half_close();
    client.rest();
    let log = program.logged("refused");
    assert!(log.contains(" (no-proof): "), "{log}");
    fs::remove_file(secret).expect("a file");
}

#[test]
fn the_json_format_has_one_object_per_line() {
    let (mut program, address) =
        serve("info", &["--max-sessions", "1", "--log-format", "json"], Stdio::piped());
    let mut client = Client::connect(address);
    client.ping(1);
    be_refused(address, 20);
    client.send("quit\n");
    client.rest();
    program.signal(Signal::TERM);
    assert!(program.wait().success());
    let log = program.stderr();
    let object =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|_| panic!("{log}"));
    let lines: Vec<_> = log.lines().map(object).collect();
    for line in &lines {
        for field in ["time", "level", "target", "message"] {
            assert!(line[field].is_string(), "{field}: {line}");
        }
        assert!(line["target"].as_str().is_some_and(|target| target.starts_with("farboard")), "{line}");
    }
    let with = |field: &str| lines.iter().filter(move |line| !line[field].is_null()).collect::<Vec<_>>();
    let [begins, ends] = with("session")[..] else { panic!("{log}") };
    assert_eq!(
        (&begins["session"], &begins["sessions"], &begins["from"]),
        (&1.into(), &1.into(), &"127.0.0.1".into())
    );
    assert_eq!((&ends["session"], &ends["level"]), (&1.into(), &"INFO".into()));
    assert!(ends["seconds"].is_u64(), "{ends}");
    let refused = with("reason");
    assert!(refused.iter().all(|line| line["reason"] == "full" && line["level"] == "WARN"), "{log}");
    // Ten, and one that stands for the rest.
    let more: u64 = refused.iter().filter_map(|line| line["more"].as_u64()).sum();
    assert_eq!(refused.len() as u64 + more, 20, "{log}");
    assert!(more > 0, "{log}");
    assert!(with("more").iter().all(|line| line["more_seconds"].is_u64()), "{log}");
}

#[test]
fn a_filter_may_name_modules_and_come_from_the_environment() {
    let start = |flags: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
        command.args(["--listen", "127.0.0.1:0", "--table", "1"]).args(flags);
        command.env_remove("RUST_LOG").env_remove("FARBOARD_LOG").envs(variables.iter().copied());
        let mut program = Program::with_stdin(&mut command, Stdio::null());
        let mut client = Client::connect(program.address());
        client.send("quit\n");
        client.rest();
        program.signal(Signal::TERM);
        assert!(program.wait().success());
        program.stderr()
    };
    let log = start(&["--log", "off,farboard::server::access_log=info"], &[]);
    assert!(log.contains(" session 1 begins") && !log.contains("listens on"), "{log}");
    let log = start(&[], &[("RUST_LOG", "warn")]);
    assert_eq!(log, "");
    let log = start(&[], &[("RUST_LOG", "warn"), ("FARBOARD_LOG", "info,farboard::server=off")]);
    assert!(log.contains("listens on") && !log.contains("session 1"), "{log}");
    let log = start(&["--log", "info"], &[("FARBOARD_LOG", "off")]);
    assert!(log.contains("session 1"), "{log}");
    let log = start(&[], &[("RUST_LOG", "quite loud")]);
    assert!(log.contains("session 1"), "{log}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    let mut program = Program::start(command.args(["--listen", "127.0.0.1:0"]).env("FARBOARD_LOG", "loud"));
    assert_eq!(program.wait().code(), Some(2));
    let error = program.stderr();
    assert!(error.contains("FARBOARD_LOG: \"loud\""), "{error}");
}
