//! `farboard match` with engines in process, by command, over TCP, and on two boards; engines that
//! fail lose.

mod bughouse;
mod draughts;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

const FARBOARD: &str = env!("CARGO_BIN_EXE_farboard");

/// Writes a shell script.
fn script(name: &str, text: &str) -> PathBuf {
    let path = file(name);
    fs::write(&path, format!("#!/bin/sh\n{text}")).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a script");
    path
}

/// Runs a match and returns its report.
fn play(arguments: &[&str]) -> String {
    let output = Command::new(FARBOARD).arg("match").args(arguments).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The value of a line of a report.
fn value<'a>(report: &'a str, name: &str) -> &'a str {
    let line = report.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {report}")).trim()
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("farboard-matches-{}-{name}", std::process::id()))
}

#[test]
fn an_engine_is_as_strong_as_itself() {
    let arguments = ["farboard", "farboard", "--variant", "atomic", "--nodes", "300", "--games", "40"];
    let report = play(&arguments);
    assert_eq!(value(&report, "games"), "40");
    let elo = value(&report, "score").split("Elo ").nth(1).expect("a difference");
    let (difference, error) = elo.split_once(" ± ").expect("an error");
    let number = |text: &str| text.trim().parse::<f64>().expect("a number");
    assert!(number(difference).abs() <= number(error), "{report}");
    assert_eq!(report, play(&arguments), "nodes make a match the same everywhere");
    assert_eq!(report, play(&[&arguments[..], &["--concurrency", "2"]].concat()), "in any number of threads");
}

#[test]
fn variants_are_played_by_command_and_the_games_are_saved() {
    let by_command = format!("xboard:{FARBOARD} stdio --table 1");
    let pgn = file("games.pgn");
    let variants = ["fischerandom", "crazyhouse", "giveaway", "3check", "horde"];
    for variant in variants {
        let report = play(&[
            "farboard",
            &by_command,
            "--variant",
            variant,
            "--games",
            "2",
            "--seconds",
            "0.02",
            "--margin",
            "60000",
            "--max-plies",
            "60",
            "--pgn",
            pgn.to_str().expect("a path"),
        ]);
        assert_eq!(value(&report, "games"), "2");
        assert!(!report.contains("failure"), "{variant}: {report}");
    }
    let games = fs::read_to_string(&pgn).expect("games");
    assert_eq!(games.matches("[Termination ").count(), 10);
    assert!(games.contains("[Variant \"giveaway\"]") && games.contains("[Black \"farboard 2\"]"), "{games}");
    fs::remove_file(pgn).expect("a file");
}

#[test]
fn kriegspiel_is_played_by_sessions_with_an_umpire() {
    let report = play(&[
        "farboard",
        "farboard",
        "--variant",
        "kriegspiel",
        "--games",
        "2",
        "--seconds",
        "0.05",
        "--margin",
        "60000",
        "--max-plies",
        "40",
    ]);
    assert_eq!(value(&report, "games"), "2");
    assert!(!report.contains("failure"), "{report}");
}

#[test]
fn engines_that_fail_lose_and_the_report_says_why() {
    let script = file("engine");
    for (said, failure) in [
        ("move e2e5", "illegal: e2e5 (illegal move)"),
        ("1/2-1/2 {bored}", "illegal: the claim 1/2-1/2 {bored}"),
        ("Error (unknown command): go", "it reports an error: Error (unknown command): go"),
    ] {
        let text = format!(
            "#!/bin/sh\nwhile read -r line; do case $line in\n\
             protover*) echo 'feature usermove=1 done=1';;\n\
             go*|usermove*) echo '{said}';; esac; done\n"
        );
        fs::write(&script, text).expect("a script");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a script");
        let spec = format!("xboard:{}", script.display());
        let report = play(&["farboard", &spec, "--games", "2", "--seconds", "0.01", "--margin", "60000"]);
        assert!(value(&report, "score").starts_with("+2 =0 -0"), "{report}");
        assert!(report.contains(failure), "{report}");
    }
    fs::remove_file(script).expect("a file");
}

#[test]
fn a_uci_engine_receives_the_commands_it_needs() {
    let script = file("uci");
    // It plays one move, whatever the position; the game is over at its second.
    let text = "#!/bin/sh\nwhile read -r line; do case $line in\n\
                uci) echo 'option name UCI_Variant type combo default chess'; echo uciok;;\n\
                isready) echo readyok;;\n\
                go*) echo 'info depth 1'; echo 'bestmove a7a6 ponder a2a3';; esac; done\n";
    fs::write(&script, text).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a script");
    let openings = file("openings.epd");
    fs::write(&openings, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n").expect("a file");
    let spec = format!("uci:{}", script.display());
    let report = play(&[
        &spec,
        "farboard",
        "--games",
        "2",
        "--nodes",
        "50",
        "--openings",
        openings.to_str().expect("a path"),
    ]);
    assert!(value(&report, "score").starts_with("+0 =0 -2"), "{report}");
    assert!(report.contains("illegal: a7a6"), "{report}");
    [script, openings].iter().for_each(|path| fs::remove_file(path).expect("a file"));
}

#[test]
fn a_plain_difference_ends_a_test_early() {
    // The second engine resigns at once.
    let script = file("resigns");
    let text = "#!/bin/sh\nwhile read -r line; do case $line in\n\
                protover*) echo 'feature usermove=1 ping=0 done=1';;\n\
                go*|usermove*) echo resign;; esac; done\n";
    fs::write(&script, text).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a script");
    let spec = format!("xboard:{}", script.display());
    let report = play(&[
        "farboard",
        &spec,
        "--games",
        "2000",
        "--seconds",
        "0.001",
        "--margin",
        "60000",
        "--sprt",
        "0,50",
    ]);
    assert!(value(&report, "test").ends_with("more than 0"), "{report}");
    let games: u32 = value(&report, "games").parse().expect("a number");
    assert!(games < 1000, "{report}");
    fs::remove_file(script).expect("a file");
}

#[test]
fn impossible_matches_are_reported() {
    let by_command = format!("xboard:{FARBOARD} stdio --table 1");
    let script = file("normal");
    let text = "#!/bin/sh\nwhile read -r line; do case $line in\n\
                protover*) echo 'feature ping=0 variants=\"normal,nocastle\" done=1';; esac; done\n";
    fs::write(&script, text).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a script");
    let normal = format!("xboard:{}", script.display());
    for (arguments, complaint) in [
        (&["farboard", "xboard:/nonexistent/engine"][..], "cannot be started"),
        (&["farboard", "stockfish"], "is none of farboard"),
        (&["farboard", "farboard", "--variant", "shogi"], "no variant is named \"shogi\""),
        (&["farboard", "farboard", "--openings", "/nonexistent/file"], "/nonexistent/file"),
        (&["farboard", "uci:cat", "--variant", "bughouse"], "xboard's protocol only"),
        (&["farboard", "farboard", "--variant", "bughouse", "--nodes", "9"], "with a clock on the wall"),
        (&["farboard", "farboard", "--nodes", "9", "--games", "1000"], "100 openings"),
        (&["farboard", "tcp:localhost:1", "--cpu-time"], "leave out --cpu-time"),
        (&["farboard", "farboard", "--first-option", "Elo=1000"], "has no options"),
        (&["farboard", &normal, "--variant", "atomic"], "it does not play atomic"),
        (&["farboard", &by_command, "--nodes", "9"], "no command for nodes"),
        (&["farboard", &by_command, "--draughts"], "it does not play draughts"),
        (&["farboard", "tcp:localhost:1", "--draughts"], "it does not play draughts"),
        (&["farboard", "checkers:cat", "--variant", "atomic"], "it does not play atomic"),
        (&["farboard", "checkers:/nonexistent/engine", "--draughts"], "cannot be started"),
        (&["farboard", "checkers-late:cat", "--draughts"], "is none of farboard"),
        (&["farboard", "farboard", "--draughts", "--variant", "atomic"], "cannot be used with"),
        (&["farboard", "farboard", "--draughts", "--nodes", "9", "--games", "1000"], "174 openings"),
    ] {
        let output = Command::new(FARBOARD).arg("match").args(arguments).output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && text.contains(complaint), "{text}");
    }
    fs::remove_file(script).expect("a file");
}
