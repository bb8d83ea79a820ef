//! `farboard match` with engines in process, by command, over TCP, and on two boards; engines that
//! fail lose.

mod bughouse;
mod draughts;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FARBOARD: &str = env!("CARGO_BIN_EXE_farboard");
/// The engine's name for itself.
const NAME: &str = concat!("Farboard ", env!("CARGO_PKG_VERSION"));

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
fn an_interrupted_match_prints_its_report_and_leaves_no_engine() {
    let (asked, started) = (file("asked"), file("started"));
    // It loses the first two games at once, and then thinks forever.
    let engine = script(
        "thinker",
        &format!(
            "while read -r line; do case $line in\nuci) echo uciok;;\nisready) echo readyok;;\n\
             go*) echo >>{asked}; [ $(wc -l <{asked}) -le 2 ] && echo bestmove 0000 || \
             {{ echo $$ >{started}; exec sleep 1000; }};;\nesac; done",
            asked = asked.display(),
            started = started.display()
        ),
    );
    let mut running = Command::new(FARBOARD)
        .args(["match", "farboard", &format!("uci:{}", engine.display()), "--nodes", "100", "--games", "4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    let id = loop {
        match fs::read_to_string(&started) {
            Ok(text) if text.ends_with('\n') => break text.trim().to_owned(),
            _ => assert!(Instant::now() < deadline && running.try_wait().expect("a child").is_none()),
        }
        std::thread::yield_now();
    };
    let sent = Command::new("kill").args(["-INT", &running.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let output = running.wait_with_output().expect("a child");
    let report = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(value(&report, "games"), "2");
    let is_left = || {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    };
    while is_left() {
        assert!(Instant::now() < deadline, "the engine is left");
        std::thread::yield_now();
    }
    [engine, asked, started].iter().for_each(|path| fs::remove_file(path).expect("a file"));
}

#[test]
fn an_engine_is_as_strong_as_itself() {
    let arguments = ["farboard", "farboard", "--variant", "atomic", "--nodes", "300", "--games", "40"];
    let report = play(&arguments);
    assert_eq!(value(&report, "games"), "40");
    let elo = value(&report, "score").split("Elo ").nth(1).expect("a difference");
    let (difference, error) = elo.split_once(',').expect("more").0.split_once(" ± ").expect("an error");
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
    assert!(
        games.contains("[Variant \"giveaway\"]") && games.contains(&format!("[Black \"{NAME} (2)\"]")),
        "{games}"
    );
    fs::remove_file(pgn).expect("a file");
}

#[test]
fn games_end_early_by_scores_and_known_endings() {
    let pgn = file("early.pgn");
    let openings = file("early.epd");
    fs::write(&openings, "8/8/8/3k4/8/8/8/R3K3 w - -\n8/8/3k4/3b4/8/3K4/3N4/8 w - -\n").expect("a file");
    let [pgn_path, openings_path] = [&pgn, &openings].map(|path| path.to_str().expect("a path"));
    let common = ["farboard", "farboard", "--nodes", "100", "--games", "4", "--pgn", pgn_path];
    let early = |rules: &[&str]| {
        let report = play(&[&common[..], rules].concat());
        value(&report, "endings").to_owned()
    };
    assert_eq!(early(&["--draw", "2,3,20000"]), "4 adjudication: even scores");
    let known = ["--known-endings", "--openings", openings_path];
    assert_eq!(early(&known), "4 adjudication: known ending");
    let lost = early(&["--resign", "2,1,one-sided"]);
    assert!(lost.contains("adjudication: decisive scores"), "{lost}");
    let games = fs::read_to_string(&pgn).expect("games");
    assert_eq!(games.matches("[Termination \"adjudication: even scores\"]").count(), 4);
    assert_eq!(games.matches("[Termination \"adjudication: known ending\"]").count(), 4);
    assert_eq!(games.matches("[TimeControl \"-\"]").count(), 12);
    let drawn = games.split("[Event ").nth(1).expect("a game");
    assert_eq!(drawn.matches("s, n=").count(), 6, "three moves of each side: {drawn}");
    [pgn, openings].iter().for_each(|path| fs::remove_file(path).expect("a file"));
}

#[test]
fn one_engine_plays_against_several() {
    let arguments = [
        "farboard",
        "farboard",
        "farboard",
        "--nodes",
        "400,200,300",
        "--games",
        "4",
        "--max-plies",
        "30",
        "--option",
        "3:Skill Level=0",
        "--first-option",
        "Contempt=10",
    ];
    let report = play(&arguments);
    assert!(report.starts_with(&format!("{NAME} (1) against 2 engines: normal, 400, 200, 300")), "{report}");
    assert_eq!(value(&report, "games"), "8");
    for opponent in ["(2)", "(3)"] {
        let row = format!("against   {NAME} {opponent}      4 games  +");
        assert!(report.contains(&row), "{report}");
    }
    assert_eq!(report, play(&[&arguments[..], &["--concurrency", "2"]].concat()));
}

#[test]
fn openings_may_be_games() {
    let (openings, pgn) = (file("openings.pgn"), file("games-from-openings.pgn"));
    fs::write(&openings, "[Event \"a\"]\n\n1. e4 {best} e5 2. Nf3 1-0\n\n[Event \"b\"]\n\n1. d4 d5 0-1\n")
        .expect("a file");
    let [openings_path, pgn_path] = [&openings, &pgn].map(|path| path.to_str().expect("a path"));
    let arguments = [
        "farboard",
        "farboard",
        "--nodes",
        "50",
        "--games",
        "4",
        "--max-plies",
        "6",
        "--openings",
        openings_path,
        "--plies",
        "2",
        "--pgn",
        pgn_path,
    ];
    assert_eq!(value(&play(&arguments), "games"), "4");
    let games = fs::read_to_string(&pgn).expect("games");
    for fen in ["rnbqkbnr/pppp1ppp/8/4p3/4P3/8", "rnbqkbnr/ppp1pppp/8/3p4/3P4/8"] {
        assert_eq!(games.matches(&format!("[FEN \"{fen}")).count(), 2, "{games}");
    }
    fs::write(&openings, "[Event \"a\"]\n\n1. e4 e5\n2. Ke3 *\n").expect("a file");
    let output = Command::new(FARBOARD).arg("match").args(&arguments[..10]).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("openings, line 4: Ke3: illegal move"), "{text}");
    [openings, pgn].iter().for_each(|path| fs::remove_file(path).expect("a file"));
}

#[test]
fn the_second_engine_gets_nodes_for_equal_time() {
    let by_command = format!("uci:{FARBOARD} stdio --table 1");
    let report = play(&[
        "farboard",
        &by_command,
        "--nodes",
        "2000",
        "--cpu-equal",
        "--games",
        "2",
        "--max-plies",
        "20",
    ]);
    assert_eq!(value(&report, "games"), "2");
    assert!(value(&report, "CPU").ends_with(" ms a move"), "{report}");
    assert!(report.lines().next().expect("a title").contains("normal, 2000"), "{report}");
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
                uci) echo 'id name Always Same 1.0'; echo 'option name UCI_Variant type combo default chess';\n\
                echo uciok;;\n\
                isready) echo readyok;;\n\
                go*) echo 'info depth 5 score cp 31 nodes 77 pv a7a6'; echo 'bestmove a7a6 ponder a2a3';; esac; done\n";
    fs::write(&script, text).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a script");
    let openings = file("openings.epd");
    fs::write(&openings, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n").expect("a file");
    let (spec, pgn) = (format!("uci:{}", script.display()), file("same.pgn"));
    let [openings_path, pgn_path] = [&openings, &pgn].map(|path| path.to_str().expect("a path"));
    let report = play(&[
        &spec,
        "farboard",
        "--games",
        "2",
        "--nodes",
        "50",
        "--openings",
        openings_path,
        "--pgn",
        pgn_path,
    ]);
    assert!(report.starts_with(&format!("Always Same 1.0 against {NAME}: ")), "{report}");
    let games = fs::read_to_string(&pgn).expect("games");
    assert!(games.contains("[Black \"Always Same 1.0\"]") && games.contains("a6 {+0.31/5 "), "{games}");
    assert!(value(&report, "score").starts_with("+0 =0 -2"), "{report}");
    assert!(report.contains("illegal: a7a6"), "{report}");
    [script, openings, pgn].iter().for_each(|path| fs::remove_file(path).expect("a file"));
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
    let by_uci = format!("uci:{FARBOARD} stdio --table 1");
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
        (&["farboard", "farboard", "--variant", "bughouse", "--nodes", "9"], "a clock on the wall"),
        (&["farboard", "farboard", "--nodes", "9", "--games", "1000"], "100 openings"),
        (&["farboard", "tcp:localhost:1", "--cpu-time"], "leave out --cpu-time"),
        (&["farboard", "farboard", "--first-option", "Threads=2"], "only Contempt, Elo, Hash"),
        (&["farboard", "farboard", "--second-option", "Elo=1"], "Elo is a number from"),
        (&["farboard", &by_command, "--second-option", "Halma=1"], "has no option \"Halma\", only"),
        (&["farboard", &by_uci, "--second-option", "Hash=0"], "its option Hash does not take \"0\""),
        (&["farboard", &normal, "--second-option", "Elo=1500"], "has no option \"Elo\"\n"),
        (&["farboard", "farboard", "--option", "3:Elo=1500"], "an engine that there is not"),
        (&["farboard", "farboard", "--option", "Elo=1500"], "is not ENGINE:NAME=VALUE"),
        (&["farboard", "farboard", "--draw", "40,8"], "is not AFTER,MOVES,CENTIPAWNS"),
        (&["farboard", "farboard", "--resign", "4,600,never"], "is not MOVES,CENTIPAWNS"),
        (&["farboard", "farboard", "--nodes", "9,9,9"], "one for each engine"),
        (&["farboard", "farboard", "--nodes", "0"], "0 is not in"),
        (&["farboard", "farboard", "--cpu-equal"], "--nodes"),
        (&["farboard", "farboard", "--nodes", "9,9", "--cpu-equal"], "the nodes of the first engine"),
        (&["farboard", "tcp:localhost:1", "--nodes", "9", "--cpu-equal"], "CPU time of a server"),
        (&["farboard", "farboard", "farboard", "--sprt", "0,5"], "compares two engines"),
        (&["farboard", "farboard", "--plies", "4"], "--openings"),
        (&["farboard", "farboard", "--variant", "bughouse", "--known-endings"], "played to its end"),
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
