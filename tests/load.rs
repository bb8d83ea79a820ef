//! `farboard load`, every scenario for a moment: nothing may be lost, starved or leaked. How fast it was does not matter.

mod port;

use serde_json::Value;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What a run has printed.
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

    /// The same if nothing was wrong.
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
fn handshakes_are_answered_and_so_are_pings() {
    let own = std::env::temp_dir().join(format!("farboard-load-{}-own.pem", std::process::id()));
    std::fs::write(&own, include_str!("data/rsa-4096.pem")).expect("a file");
    std::fs::set_permissions(&own, std::fs::Permissions::from_mode(0o600)).expect("a file of ours");
    let file = ["--tls-file", own.to_str().expect("a path")];
    let run = Run::good(
        &[&["handshakes", "--connections", "8", "--seconds", "1", "--table", "1"], &file[..]].concat(),
    );
    run.is_some("handshakes");
    run.is_some("ping p50 during handshakes");
    run.is_zero("pings lost");
    run.is_zero("handshakes that failed");
    std::fs::remove_file(own).expect("a file of ours");
}

#[test]
fn idle_sessions_are_all_there_and_answer() {
    let run = Run::good(&["idle", "--sessions", "300", "--table", "1"]);
    assert_eq!(run.value("sessions"), Some(300.0));
    for name in ["opened", "memory of a session", "ping p99 with 10 sessions", "ping p99 with all sessions"] {
        run.is_some(name);
    }
    run.is_zero("pings lost");
}

#[test]
fn pings_are_answered_while_all_cores_search() {
    let run = Run::good(&["ping", "--seconds", "1", "--table", "1"]);
    run.is_some("searches");
    run.is_some("ping p99 while it searches");
    run.is_zero("pings lost");
    run.is_zero("searches lost");
}

/// What clients may speak.
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

/// A machine that stands still may lose a game on time, and nothing else.
fn no_fault_but_time(run: &Run, when: &str) {
    for name in ["illegal moves", "false claims", "games broken off", "complaints"] {
        run.is_zero(&format!("{name}{when}"));
    }
    run.is_some(&format!("moves{when}"));
    let name = format!("worst overrun of an allotted maximum{when}");
    assert!(run.value(&name).is_some(), "our server tells what it allows itself");
}

#[test]
fn games_are_played_to_their_ends() {
    for protocol in PROTOCOLS {
        let games = ["games", "--games", "4", "--clock", "1+0.01", "--table", "4"];
        let run = Run::of(&[&games[..], &["--protocol", protocol]].concat());
        no_fault_but_time(&run, "");
        assert_eq!(run.value("games ended"), Some(4.0));
        assert_eq!(run.success, run.value("lost on time") == Some(0.0), "{:#}", run.report);
        // Only the server knows what a move has used.
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
fn a_game_goes_on_beside_the_games_of_a_neighbour() {
    let neighbours = ["neighbours", "--games", "6", "--seconds", "2", "--table", "4"];
    for flags in [&[][..], &["--", "--share-by", "session"], &["--protocol", "uci"]] {
        let run = Run::of(&[&neighbours[..], &["--clock", "20+0.1"], flags].concat());
        for when in [", alone", ", beside the neighbour's", ", of the neighbour"] {
            for name in ["illegal moves", "false claims", "games broken off", "complaints"] {
                run.is_zero(&format!("{name}{when}"));
            }
        }
        assert_eq!(run.value("games of the neighbour"), Some(6.0));
        run.is_some("beside the neighbour's / alone");
    }
}

#[test]
fn only_the_last_position_is_searched() {
    let run = Run::good(&["scroll", "--sessions", "20", "--seconds", "1", "--table", "1"]);
    for name in ["lines about another position", "starved", "sessions lost", "errors"] {
        run.is_zero(name);
    }
    run.is_some("first line of the last position p99");
}

#[test]
fn those_who_come_and_go_leave_nothing_behind() {
    let churn = ["churn", "--connections", "800", "--sessions", "8", "--seconds", "1", "--table", "1"];
    let run = Run::good(&churn);
    assert_eq!(run.value("connections"), Some(800.0));
    run.is_zero("connections that failed");
    for name in ["sessions left", "searches left", "tokens held", "tokens lost"] {
        run.is_zero(name);
    }
    assert_eq!(run.value("descriptors after"), run.value("descriptors before"));
}

#[test]
fn a_flood_is_over_when_those_who_made_it_are_gone() {
    let run = Run::good(&["flood", "--sessions", "5", "--seconds", "1", "--table", "4"]);
    for flood in ["force", "go, force", "exclude, include", "setboard"] {
        run.is_zero(&format!("pings lost beside {flood}"));
        assert!(run.value(&format!("idle after {flood}")).is_some());
    }
}

#[test]
fn clients_that_read_nothing_are_closed_and_cost_others_nothing() {
    let run = Run::good(&["deaf", "--sessions", "5", "--seconds", "2", "--table", "4"]);
    run.is_zero("pings lost");
    assert!(run.value("memory added at most").is_some());
}

#[test]
fn strangers_lock_out_no_client_with_the_secret() {
    let run = Run::good(&["strangers", "--sessions", "600", "--seconds", "1", "--table", "4"]);
    assert!(run.value("clients that know the secret") > Some(0.0));
}

#[test]
fn searches_begin_as_soon_as_the_server_is_there() {
    for protocol in PROTOCOLS {
        let start = ["start", "--sessions", "3", "--seconds", "1", "--table", "64"];
        let run = Run::good(&[&start[..], &["--protocol", protocol]].concat());
        assert_eq!(run.value("searches"), Some(3.0));
        for name in
            ["nodes of the first half second", "nodes of half a second later", "first half second / later"]
        {
            run.is_some(name);
        }
        run.is_zero("searches lost");
    }
}

#[test]
fn who_knows_nothing_is_not_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    // Reads, and never says a word.
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
fn who_is_not_there_is_a_problem() {
    let nobody = port::reserve();
    let run = Run::of(&["idle", "--server", &nobody.address.to_string(), "--sessions", "2"]);
    assert!(!run.success);
    assert!(
        run.report["problems"][0].as_str().is_some_and(|problem| problem.contains("refused")),
        "{:#}",
        run.report
    );
}

#[test]
fn mistakes_are_told_with_a_way_out() {
    for (arguments, way_out) in [
        (&["idle", "--server", "nowhere"][..], "HOST:PORT"),
        (&["idle", "--", "--table", "none"], "farboard serve"),
        (&["games", "--clock", "ten"], "SECONDS+INCREMENT"),
        (&["sleep"], "possible values"),
        (&["churn", "--protocol", "uci"], "analysis, games"),
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

/// Whether a process is there, and more than an entry that nobody has read.
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
        // Until the server is one, a copy of the load is on its way to become it.
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

/// Whether a process has made its control socket, which is the last thing a server does before it says that it is there.
fn is_listening(pid: &str) -> bool {
    let arguments = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let arguments = String::from_utf8_lossy(&arguments).into_owned();
    let path = arguments.split('\0').skip_while(|word| *word != "--control").nth(1).map(str::to_owned);
    path.is_some_and(|path| std::path::Path::new(&path).exists())
}
