//! The programs as a GUI starts them: without arguments unknown to it, and with two pipes.

use super::checkers;
use farboard::draughts::Position;
use farboard::link::GREETING;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Generous: a busy machine must not fail a test.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A running program; killed when dropped.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Program {
    fn start(path: &Path, arguments: &[&str]) -> Program {
        let mut child = Command::new(path)
            .args(arguments)
            .env_remove("FARBOARD_SECRET")
            .env_remove("XDG_RUNTIME_DIR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a program that was built");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.expect("ASCII")).is_err() {
                    return;
                }
            }
        });
        Program { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, text: &str) {
        self.input.as_mut().expect("a pipe").write_all(text.as_bytes()).expect("a program that reads");
    }

    /// The next line other than `INFO`.
    fn line(&self) -> String {
        loop {
            let line = self.lines.recv_timeout(TEST_TIMEOUT).expect("a line");
            if !line.starts_with("INFO ") {
                return line;
            }
        }
    }

    fn best_move(&self, position: &Position) {
        let line = self.line();
        let text = line.strip_prefix("BESTMOVE ").unwrap_or_else(|| panic!("{line}"));
        assert!(position.parse_move(text).is_ok(), "{line}");
    }

    /// Waits for the exit while the input stays open, as the GUI of 2024 needs it.
    fn ends(mut self) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        while self.child.try_wait().expect("a child").is_none() {
            assert!(Instant::now() < deadline, "it does not end");
            thread::yield_now();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Fails if it has exited, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A link to the shim by its other name.
fn link(test: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("checkers-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let link = folder.join("farboard-checkers");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_farboard-connect"), &link).expect("a link");
    link
}

#[test]
fn the_shim_by_its_other_name_relays_and_ends_after_quit() {
    let server = checkers();
    let mut shim = Program::start(&link("quit"), &[&server.address.to_string()]);
    assert_eq!(shim.line(), "READY");
    shim.say("NEWGAME\nINIT\nSETPARAMETER seconds 0.01\nGETPARAMETER seconds\nGO\n");
    assert_eq!(shim.line(), "PARAMETER seconds 0.01");
    shim.best_move(&Position::start());
    shim.say("QUIT\n");
    shim.ends();
}

#[test]
fn a_session_outlives_its_server() {
    let (first, second) = (checkers(), checkers());
    let servers = format!("{},{}", first.address, second.address);
    let mut shim = Program::start(&link("outlives"), &[&servers, "farboard", "depth=9"]);
    assert_eq!(shim.line(), "READY");
    shim.say("INIT\nMOVE 9x13\nSETPARAMETER infinite true\nGO dontplaymove\nGETPARAMETER depth\n");
    assert_eq!(shim.line(), "PARAMETER depth 9");
    shim.say("SETPARAMETER depth 0\nSTOP\n");
    let mut position = Position::start();
    position.play(position.parse_move("9x13").expect("a move"));
    shim.best_move(&position);
    shim.say("GO\nGETPARAMETER infinite\n");
    assert_eq!(shim.line(), "PARAMETER infinite true");
    drop(first);
    shim.say("STOP\nGETPARAMETER depth\n");
    shim.best_move(&position);
    assert_eq!(shim.line(), "PARAMETER depth 0");
    shim.say("QUIT\n");
    shim.ends();
}

#[test]
fn an_unreachable_server_is_reported_in_an_alert() {
    let shim = Program::start(&link("absent"), &["127.0.0.1:1"]);
    let line = shim.line();
    assert!(line.starts_with("ALERT "), "{line}");
    shim.ends();
}

#[test]
fn an_optional_listener_is_skipped_if_its_address_is_in_use() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = taken.local_addr().expect("an address").port();
    let file = link("optional").with_file_name("farboard.toml");
    let with = |optional: bool| {
        let text = format!(
            "table = 1\n[[listen]]\naddress = 0\n\
             [[listen]]\naddress = {port}\nprotocol = \"checkers\"\noptional = {optional}\n"
        );
        std::fs::write(&file, text).expect("a file");
        let path = file.to_str().expect("text");
        Program::start(Path::new(env!("CARGO_BIN_EXE_farboard")), &["serve", "--config", path])
    };
    let line = with(true).line();
    assert!(line.contains("listens on 127.0.0.1:") && !line.contains(" and "), "{line}");
    with(false).ends();
}

#[test]
fn one_session_without_a_server() {
    let farboard = Path::new(env!("CARGO_BIN_EXE_farboard"));
    let mut engine = Program::start(farboard, &["stdio", "--protocol", "checkers", "--dialect", "late"]);
    assert_eq!(engine.line(), "READY");
    engine.say("INIT\nGETPARAMETER depth\nGO maxtime 0.01\n");
    assert_eq!(engine.line(), "PARAMETER depth int 0");
    engine.best_move(&Position::start());
    engine.say("QUIT\n");
    engine.ends();
}

#[test]
fn nothing_follows_a_first_line_that_ends_the_session() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    let mut shim = Program::start(&link("quits"), &[&address, "farboard", "depth=9"]);
    let (mut server, _) = listener.accept().expect("the shim");
    server.write_all(format!("no such command: {GREETING}\n").as_bytes()).expect("a shim that reads");
    shim.say("QUIT\n");
    shim.ends();
    server.set_read_timeout(Some(TEST_TIMEOUT)).expect("an option");
    let mut received = String::new();
    server.read_to_string(&mut received).expect("the end");
    assert_eq!(received, format!("{GREETING}\nQUIT\n"));
}

#[test]
fn a_silent_server_is_left_for_the_next() {
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let second = checkers();
    let servers = format!("{},{}", silent.local_addr().expect("an address"), second.address);
    let mut shim = Program::start(&link("silent"), &[&servers]);
    shim.say("INIT\nGETPARAMETER depth\n");
    assert_eq!(shim.line(), "READY");
    assert_eq!(shim.line(), "PARAMETER depth 0");
    shim.say("QUIT\n");
    shim.ends();
}

#[test]
fn a_mistake_in_the_command_line_is_reported_in_an_alert() {
    let shim = Program::start(&link("mistake"), &["--nonsense"]);
    let line = shim.line();
    assert!(line.starts_with("ALERT ") && line.contains("--nonsense"), "{line}");
    shim.ends();
}
