//! `farboard stdio` at the end of input.

use super::world::World;
use farboard::book::Books;
use farboard::session::{Input, Profile};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The program's output for this input.
fn answers(input: &str) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_farboard"))
        .args(["stdio", "--table", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    program.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
    let output = program.wait_with_output().expect("it ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("ASCII")
}

#[test]
fn finite_searches_are_finished() {
    for (lines, expected, last) in [
        ("uci\nposition startpos\ngo perft 3\nquit\n", "Nodes searched: 8902", "Nodes searched: "),
        ("position startpos\ngo perft 3\n", "Nodes searched: 8902", "Nodes searched: "),
        ("position startpos\ngo depth 7\n", "info depth 7 ", "bestmove "),
        ("position startpos\ngo infinite\n", "bestmove ", "bestmove "),
    ] {
        let output = answers(lines);
        assert!(output.contains(expected), "{lines}{output}");
        assert!(output.lines().last().is_some_and(|line| line.starts_with(last)), "{lines}{output}");
    }
}

/// A session an hour after this `go` and the end of input, waiting for nothing else.
fn an_hour_later(profile: Profile, go: &str) -> World {
    let mut world = World::of(profile);
    world.bytes(format!("position startpos\n{go}\n").as_bytes());
    world.input(Input::Eof);
    world.wait(Duration::from_secs(3600));
    world
}

#[test]
fn on_the_users_machine_finite_searches_have_no_time_limit() {
    let profile = || Profile::new("Farboard", Books::default());
    for (go, is_finite) in [
        ("go depth 60", true),
        ("go nodes 1000000000000", true),
        ("go perft 9", true),
        ("go mate 3 depth 60", true),
        ("go mate 3", false),
        ("go", false),
        ("go infinite", false),
    ] {
        assert_eq!(an_hour_later(profile().local(), go).closed, !is_finite, "{go}");
        assert!(an_hour_later(profile(), go).closed, "{go} on a server");
    }
}

#[test]
fn quit_waits_for_perft_but_not_for_long() {
    let mut world = World::of(Profile::new("Farboard", Books::default()).local());
    world.bytes(b"position startpos\ngo perft 9\nquit\nisready\n");
    world.wait(Duration::from_secs(20));
    assert!(!world.closed && world.take().is_empty());
    world.wait(Duration::from_secs(20));
    assert!(world.closed && world.search.is_none());
    assert_eq!(world.take(), ["info string the perft was stopped"]);
}
