//! The control socket.

use crate::test_server::{TEST_TIMEOUT, TestServer, allow_many_connections};
use farboard::monitor::Snapshot;
use farboard::server::ListenerPolicy;
use farboard::server::control::{ControlError, Overview, SessionRow};
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A separate path for each test.
fn path(test: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("farboard-{}-{test}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// Leaves a socket as a killed server does. A process that another test starts at the same time may
/// inherit it for a moment.
pub fn leave_socket(path: &Path) {
    drop(UnixListener::bind(path).expect("a socket"));
    let deadline = Instant::now() + TEST_TIMEOUT;
    while UnixStream::connect(path).is_ok() {
        assert!(Instant::now() < deadline, "it stays open");
    }
}

fn server(path: &Path) -> TestServer {
    TestServer::prepared(
        ListenerPolicy::open(),
        |_| {},
        |server| server.make_control(path).expect("a control socket"),
    )
}

fn ask(path: &Path, question: &[u8]) -> String {
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        // A client that stalls for seconds is closed. If the machine caused that, the client asks
        // again.
        match ask_once(path, question) {
            Ok(answer) if !answer.is_empty() || Instant::now() > deadline => return answer,
            Err(error) if Instant::now() > deadline => panic!("no answer: {error}"),
            _ => {}
        }
    }
}

fn ask_once(path: &Path, question: &[u8]) -> io::Result<String> {
    let mut stream = UnixStream::connect(path)?;
    stream.set_read_timeout(Some(TEST_TIMEOUT))?;
    // Byte by byte: the request is complete at the end of the line.
    question.iter().try_for_each(|byte| stream.write_all(&[*byte]))?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

fn rows(path: &Path) -> Vec<SessionRow> {
    let answer = ask_once(path, b"sessions\n").expect("an answer");
    answer.lines().map(|line| serde_json::from_str(line).expect("a row")).collect()
}

/// The matching session, once it exists.
fn until(path: &Path, found: impl Fn(&SessionRow) -> bool) -> SessionRow {
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let rows = rows(path);
        if let Some(row) = rows.iter().find(|row| found(row)) {
            return row.clone();
        }
        assert!(Instant::now() < deadline, "{rows:?}");
    }
}

#[test]
fn sessions_are_listed_with_their_activity() {
    let path = path("told");
    let server = server(&path);
    assert!(rows(&path).is_empty());
    let mut idle = server.client();
    idle.send(b"xboard\nname A \"B\"\n\x03\xff\xf4");
    idle.ping(1);
    let mut analysing = server.client();
    analysing.send("xboard\npost\nanalyze\n");
    let mut pondering = server.client();
    pondering.send("xboard\nvariant fischerandom\nhard\nst 0.1\ne2e4\n");
    pondering.until("move ");
    let silent = server.client();

    let row = until(&path, |row| row.status.opponent == "A \"B\"");
    assert_eq!(
        (row.status.activity.word(), row.status.interrupts, row.status.moves, row.status.depth),
        ("idle", 2, 0, None)
    );
    assert_eq!((row.listener.as_str(), row.status.variant.as_str(), row.queued), ("xboard", "normal", 0));
    assert_eq!(row.peer, idle.stream().local_addr().unwrap().to_string());
    until(&path, |row| {
        row.status.activity.word() == "analysing"
            && row.status.depth.is_some()
            && row.status.nodes > 0
            && row.status.speed.is_some()
    });
    let row =
        until(&path, |row| row.status.activity.word() == "pondering" && row.status.variant == "fischerandom");
    assert_eq!(row.status.moves, 1);
    until(&path, |row| row.status.activity.word() == "silent");
    drop(silent);
    let mut numbers: Vec<u64> = rows(&path).iter().map(|row| row.session).collect();
    numbers.dedup();
    assert!(numbers.len() >= 3, "{numbers:?}");
}

#[test]
fn lag_is_the_clock_time_beyond_the_engines_thinking() {
    let path = path("lag");
    let server = server(&path);
    let mut client = server.client();
    client.send("xboard\nnew\nlevel 0 10 0\ntime 60000\ne2e4\n?\n");
    client.until("move ");
    // The engine had to move at once, and the clock shows more than four seconds less.
    client.send("time 59520\n");
    client.ping(1);
    let row = rows(&path).remove(0);
    assert_eq!(row.status.moves, 1);
    assert!(
        (1..=4800).contains(&row.status.lag_mean) && row.status.lag_mean == row.status.lag_worst,
        "{row:?}"
    );
}

#[test]
fn clocks_and_nodes_are_those_of_the_session() {
    let path = path("clocks");
    let server = server(&path);
    let mut client = server.client();
    client.send("xboard\n");
    client.ping(1);
    assert_eq!(rows(&path)[0].status.clock, None, "none is set");
    client.send("level 0 10 0\nsd 3\ntime 60000\ne2e4\n");
    client.until("move ");
    client.ping(2);
    let before = rows(&path).remove(0);
    assert!((1..=600_000).contains(&before.status.clock.unwrap()) && before.status.nodes > 0, "{before:?}");
    assert_eq!((before.status.speed, before.wait), (None, None), "nothing is searched");
    client.send("time 1234\nd2d4\n");
    client.until("move ");
    client.ping(3);
    let after = rows(&path).remove(0);
    assert!(after.status.clock.unwrap() <= 12_340 && after.status.nodes > before.status.nodes, "{after:?}");
}

#[test]
fn the_overview_counts_searches_and_tokens() {
    let path = path("overview");
    let server = server(&path);
    let overview = || {
        let answer = ask(&path, b"overview\n");
        serde_json::from_str::<Overview>(&answer).expect("an overview")
    };
    let empty = overview();
    assert_eq!((empty.sessions, empty.running, empty.process), (0, 0, std::process::id()));
    assert!(empty.tokens > 0 && empty.searches.values().all(|&count| count == 0), "{empty:?}");
    let mut clients: Vec<_> = (0..empty.tokens + 1).map(|_| server.client()).collect();
    for client in &mut clients {
        client.send("xboard\nanalyze\n");
        client.ping(1);
    }
    let busy = overview();
    assert_eq!((busy.sessions, busy.running), (empty.tokens + 1, empty.tokens));
    assert_eq!(busy.searches["analysis"], empty.tokens + 1);
    until(&path, |row| row.wait.is_some());
    clients.clear();
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let left = overview();
        if (left.sessions, left.running) == (0, 0) {
            break;
        }
        assert!(Instant::now() < deadline, "{left:?}");
    }
}

#[test]
fn the_state_of_a_session_is_shown() {
    let path = path("state");
    let server = server(&path);
    let mut client = server.client();
    client.send("xboard\nnew\nforce\ne2e4\n");
    client.ping(1);
    let number = until(&path, |row| row.status.activity.word() != "silent").session;
    let state = farboard::monitor::ask::state(&path, number).expect("a state");
    assert!(state.contains("game.moves e2e4\n") && state.contains("mode force\n"), "{state}");
    let error = farboard::monitor::ask::state(&path, number + 1).expect_err("no such session");
    assert!(error.to_string().contains(&format!("no session {}", number + 1)), "{error}");
    assert!(ask(&path, b"state x\n").contains("missing session number"));
}

#[test]
fn an_unknown_command_gets_the_list_of_commands() {
    let path = path("questions");
    let server = server(&path);
    let long = [b'x'; 2049];
    for question in [&b"what?\n"[..], b"\n", b"\xff\x00\n", &long] {
        let answer = ask(&path, question);
        assert!(answer.contains("\"error\"") && answer.contains("sessions"), "{answer}");
    }
    // Clients that send nothing, or disconnect before the answer, do no harm.
    let _mute = UnixStream::connect(&path).expect("a control socket");
    UnixStream::connect(&path).expect("a control socket").write_all(b"sessions\n").expect("it reads");
    server.client().ping(1);
    assert!(rows(&path).len() <= 1);
}

#[test]
fn silent_clients_are_closed_and_take_no_slot_from_others() {
    let path = path("silent");
    let server = server(&path);
    let connect = || UnixStream::connect(&path).expect("a control socket");
    let mut silent: Vec<_> = (0..16).map(|_| connect()).collect();
    for _ in 0..20 {
        assert!(ask(&path, b"overview\n").contains("\"sessions\""));
    }
    // The oldest were closed to make room for later ones; the rest time out.
    for stream in &mut silent {
        stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an end");
        assert_eq!(answer, "");
    }
    assert!(ask(&path, b"overview\n").contains("\"sessions\""));
    drop(server);
}

#[test]
fn many_sessions_are_listed_in_chunks() {
    allow_many_connections();
    let path = path("many");
    let server = server(&path);
    let mut clients: Vec<_> = (0..300).map(|_| server.client()).collect();
    for client in &mut clients {
        client.send(format!("xboard\nname {}\n", "x".repeat(4000)));
        client.ping(1);
    }
    let mut slow = UnixStream::connect(&path).expect("a control socket");
    slow.write_all(b"sessions\n").expect("it reads");
    // The answer exceeds the system's buffers and is not read: other clients are served all the
    // same.
    clients[0].ping(2);
    assert_eq!(rows(&path).len(), 300);
    let mut answer = String::new();
    slow.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
    slow.read_to_string(&mut answer).expect("an answer");
    assert_eq!(answer.lines().count(), 300);
}

#[test]
fn the_socket_is_for_this_user_and_goes_with_the_server() {
    let path = path("file");
    // Left by a killed server.
    leave_socket(&path);
    assert!(path.exists());
    let first = server(&path);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let mut second = None;
    let other = TestServer::prepared(
        ListenerPolicy::open(),
        |_| {},
        |server| second = server.make_control(&path).err(),
    );
    let error = second.expect("it is taken");
    assert!(matches!(error, ControlError::Taken(_)) && error.to_string().contains("--control"), "{error}");
    drop(other);
    assert!(rows(&path).is_empty(), "the first one answers on");
    drop(first);
    assert!(!path.exists());
}

#[test]
fn a_file_that_is_no_socket_is_left_alone() {
    let path = path("precious");
    fs::write(&path, "precious").unwrap();
    let mut error = None;
    drop(TestServer::prepared(
        ListenerPolicy::open(),
        |_| {},
        |server| error = server.make_control(&path).err(),
    ));
    assert!(matches!(error, Some(ControlError::NoSocket(_))), "{error:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    fs::remove_file(&path).unwrap();
}

#[test]
fn an_unusable_path_is_reported_on_one_line_with_a_remedy() {
    let file = path("no-directory");
    fs::write(&file, "").unwrap();
    let cases = [
        (path("missing").join("control"), "there is no directory"),
        (file.join("control"), "there is no directory"),
        (path(&"x".repeat(200)), "too many for the system"),
    ];
    for (path, why) in cases {
        let mut error = None;
        drop(TestServer::prepared(
            ListenerPolicy::open(),
            |_| {},
            |server| error = server.make_control(&path).err(),
        ));
        let text = error.expect("it fails").to_string();
        assert!(text.contains(why) && text.contains("--control") && !text.contains('\n'), "{text}");
    }
    fs::remove_file(&file).unwrap();
}

#[test]
fn the_program_prints_a_table_or_the_lines() {
    let path = path("program");
    let server = server(&path);
    let program = |name: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
        let output = command.arg(name).arg("--control").arg(&path).args(more).output().expect("it runs");
        (
            output.status.success(),
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
        )
    };
    let mut client = server.client();
    client.send("xboard\nname Opponent Else\n");
    client.ping(1);
    let (success, table) = program("sessions", &[]);
    assert!(success && table.lines().count() == 2, "{table}");
    assert!(
        table.starts_with("number") && table.contains("idle") && table.ends_with("Opponent Else\n"),
        "{table}"
    );
    let (success, lines) = program("sessions", &["--json"]);
    let mut row: SessionRow = serde_json::from_str(&lines).expect("a row");
    assert!(success && row.status.opponent == "Opponent Else");
    let (success, view) = program("top", &["--times", "2", "--interval", "0.1"]);
    assert!(success && view.matches("Opponent Else").count() == 2, "{view}");
    let (success, look) = program("top", &["--json"]);
    let look: Snapshot = serde_json::from_str(&look).expect("a look");
    // The snapshot was taken later.
    row.seconds = look.sessions[0].seconds;
    assert!(success && look.sessions == [row] && look.overview.sessions == 1, "{look:?}");
    drop(server);
    for name in ["sessions", "top"] {
        let (success, error) = program(name, &[]);
        assert!(!success && error.contains("was it started with --control"), "{error}");
    }
}
