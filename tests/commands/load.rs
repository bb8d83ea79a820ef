//! `farboard load`, every scenario for a moment: nothing may be lost or starved. Speed does
//! not matter.

use crate::support::reserved_port;
use serde_json::Value;
use std::io::Read;
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The output of a run.
struct Run {
    success: bool,
    report: Value,
}

impl Run {
    fn of(arguments: &[&str]) -> Run {
        let output = farboard_load(&[&["--json"], arguments].concat());
        let text = String::from_utf8_lossy(&output.stdout);
        let report = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{error}: {text:?} {}", String::from_utf8_lossy(&output.stderr)));
        Run { success: output.status.success(), report }
    }

    /// Runs a scenario in which nothing may be wrong.
    fn good(arguments: &[&str]) -> Run {
        let run = Run::of(arguments);
        assert!(run.success, "{:#}", run.report);
        assert_eq!(run.report["problems"], Value::Array(Vec::new()));
        run
    }

    /// A figure; `None` for n/a.
    fn value(&self, name: &str) -> Option<f64> {
        let figures = self.report["figures"].as_array().expect("figures");
        let figure = figures.iter().find(|figure| figure["name"] == name);
        figure.unwrap_or_else(|| panic!("no {name} in {:#}", self.report))["value"].as_f64()
    }

    fn is_zero(&self, name: &str) {
        assert_eq!(self.value(name), Some(0.0), "{name} in {:#}", self.report);
    }

    fn is_some(&self, name: &str) {
        assert!(self.value(name).is_some_and(|value| value > 0.0), "{name} in {:#}", self.report);
    }
}

fn farboard_load(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    command.arg("load").args(arguments).output().expect("the program starts")
}

#[test]
fn idle_sessions_all_stay_and_answer() {
    for protocol in PROTOCOLS {
        let run = Run::good(&["idle", "--sessions", "300", "--table", "1", "--protocol", protocol]);
        assert_eq!(run.value("sessions"), Some(300.0));
        for name in
            ["opened", "memory of a session", "ping p99 with 10 sessions", "ping p99 with all sessions"]
        {
            run.is_some(name);
        }
        run.is_zero("pings lost");
    }
}

#[test]
fn clients_connect_through_programs() {
    let through = concat!(env!("CARGO_BIN_EXE_farboard"), " connect {host}:{port}");
    for route in [&["--shims"][..], &["--through", through]] {
        let run = Run::good(&[&["idle", "--sessions", "5", "--table", "1"], route].concat());
        assert_eq!(run.value("sessions"), Some(5.0));
        run.is_zero("pings lost");
    }
}

#[test]
fn pings_are_answered_while_all_cores_search() {
    let run = Run::good(&["ping", "--seconds", "1", "--table", "1"]);
    run.is_some("searches");
    run.is_some("ping p99 while it searches");
    run.is_zero("pings lost");
    run.is_zero("searches lost");
}

/// The clients' protocols.
const PROTOCOLS: [&str; 2] = ["xboard", "uci"];

#[test]
fn no_analysis_starves() {
    for protocol in PROTOCOLS {
        let analysis = ["analysis", "--sessions", "40", "--seconds", "2", "--table", "4"];
        let run = Run::good(&[&analysis[..], &["--protocol", protocol]].concat());
        assert_eq!(run.value("analyses"), Some(40.0));
        run.is_zero("starved");
        run.is_zero("analyses lost");
        for name in [
            "nodes of two at a time",
            "nodes of all together",
            "fairness of time (Jain's index)",
            "fairness of nodes (Jain's index)",
            "memory of an analysis",
        ] {
            run.is_some(name);
        }
    }
}

/// A stalled machine may lose a game on time; no other fault is allowed.
fn no_fault_but_time(run: &Run, when: &str) {
    for name in ["illegal moves", "false claims", "games aborted", "errors"] {
        run.is_zero(&format!("{name}{when}"));
    }
    run.is_some(&format!("moves{when}"));
    let name = format!("worst overrun of an allotted maximum{when}");
    assert!(run.value(&name).is_some(), "the server reports its maximum time");
}

#[test]
fn games_are_played_to_their_ends() {
    for protocol in PROTOCOLS {
        let games = ["games", "--games", "4", "--clock", "1+0.01", "--table", "4"];
        let run = Run::of(&[&games[..], &["--protocol", protocol]].concat());
        no_fault_but_time(&run, "");
        assert_eq!(run.value("games ended"), Some(4.0));
        assert_eq!(run.success, run.value("lost on time") == Some(0.0), "{:#}", run.report);
        // Only the server knows how much time a move used.
        run.is_some("clock beside thinking worst");
    }
}

#[test]
fn games_go_on_beside_analyses() {
    for protocol in PROTOCOLS {
        let mixed = ["mixed", "--games", "4", "--sessions", "10", "--seconds", "2", "--table", "4"];
        let run = Run::of(&[&mixed[..], &["--clock", "20+0.1", "--protocol", protocol]].concat());
        let parts = [", alone", ", beside analyses"];
        parts.iter().for_each(|when| no_fault_but_time(&run, when));
        let in_time = parts.iter().all(|when| run.value(&format!("lost on time{when}")) == Some(0.0));
        assert_eq!(run.success, in_time, "{:#}", run.report);
        run.is_zero("starved");
        run.is_some("nodes of the games beside analyses");
    }
}

#[test]
fn games_and_analyses_of_all_variants_go_on_together() {
    let mixed =
        ["mixed", "--variants", "--games", "16", "--sessions", "16", "--seconds", "2", "--table", "4"];
    for protocol in PROTOCOLS {
        let run = Run::of(&[&mixed[..], &["--clock", "20+0.1", "--protocol", protocol]].concat());
        [", alone", ", beside analyses"].iter().for_each(|when| no_fault_but_time(&run, when));
        run.is_zero("starved");
        run.is_zero("analyses lost");
    }
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    // Reads without ever sending anything.
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(|| stream.map(|mut stream| stream.read_to_end(&mut Vec::new())));
        }
    });
    let run = Run::good(&["idle", "--server", &address, "--sessions", "3"]);
    assert_eq!(run.value("sessions"), Some(3.0));
    for name in ["ping p99 with all sessions", "memory of a session"] {
        assert_eq!(run.value(name), None);
    }
}

#[test]
fn an_unreachable_server_is_a_problem() {
    let nobody = reserved_port::reserve();
    let run = Run::of(&["idle", "--server", &nobody.address.to_string(), "--sessions", "2"]);
    assert!(!run.success);
    assert!(
        run.report["problems"][0].as_str().is_some_and(|problem| problem.contains("refused")),
        "{:#}",
        run.report
    );
}

#[test]
fn mistakes_are_reported_with_a_remedy() {
    for (arguments, way_out) in [
        (&["idle", "--server", "nowhere"][..], "HOST:PORT"),
        (&["idle", "--", "--table", "none"], "farboard serve"),
        (&["games", "--clock", "ten"], "SECONDS+INCREMENT"),
        (&["sleep"], "possible values"),
        (&["churn"], "possible values"),
    ] {
        let output = farboard_load(arguments);
        assert!(!output.status.success());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(way_out), "{said}");
    }
}

#[test]
fn a_table_is_for_people() {
    let output = farboard_load(&["idle", "--sessions", "20", "--table", "1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.starts_with("idle\n  sessions  "), "{text}");
    assert!(text.contains(" KiB\n") && !text.contains("WRONG"), "{text}");
}

/// Returns true if a process exists and is not a zombie.
fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

#[test]
fn a_load_that_is_killed_leaves_no_server() {
    let deadline = Instant::now() + Duration::from_secs(30);
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    command.args(["load", "analysis", "--sessions", "2", "--seconds", "600", "--table", "1"]);
    let mut load = command.stdout(Stdio::null()).spawn().expect("the program starts");
    let children = format!("/proc/{0}/task/{0}/children", load.id());
    let server = loop {
        let children = std::fs::read_to_string(&children).unwrap_or_default();
        // Until it executes the server, the child is a copy of the load generator.
        let server = children.trim().to_owned();
        let name = std::fs::read(format!("/proc/{server}/cmdline")).unwrap_or_default();
        if name.windows(7).any(|word| word == b"\0serve\0") && is_listening(&server) {
            break server;
        }
        assert!(Instant::now() < deadline, "the server does not start");
        std::thread::yield_now();
    };
    load.kill().expect("it runs");
    load.wait().expect("it ends");
    while is_alive(&server) {
        assert!(Instant::now() < deadline, "the server is left");
        std::thread::yield_now();
    }
}

/// Returns true if a process has created its control socket, the last step before a server is
/// ready.
fn is_listening(pid: &str) -> bool {
    let arguments = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let arguments = String::from_utf8_lossy(&arguments).into_owned();
    let path = arguments.split('\0').skip_while(|word| *word != "--control").nth(1).map(str::to_owned);
    path.is_some_and(|path| std::path::Path::new(&path).exists())
}
