//! Draughts matches: from ballots, against engines of the Checkers Protocol, and saved as PDN.

use super::{NAME, file, play, script, value};
use farboard::chess::{Color, Outcome};
use farboard::draughts::{Game, Position};
use std::fs;
use std::path::{Path, PathBuf};

/// Shell functions of a scripted engine: writing a line byte by byte, and recording its input.
const SPEAKING: &str = "say() { rest=$1; while [ -n \"$rest\" ]; do next=${rest#?}; printf %s \"${rest%\"$next\"}\"; \
    rest=$next; done; printf '\\n'; }\n\
    say READY\nwhile read -r line; do echo \"$line\" >> \"$0.told\"; case $line in\n\
    GETPARAMETERS) say 'PARAMETERS depth';;\n";

/// White wins after 1-6 10x1, whatever either side prefers.
const WON: &str = "B:W5,10:B1";
/// Black wins after 22x15x8 3x12.
const LOST: &str = "W:W22:B3,11,18";

/// A file of openings.
fn openings(name: &str, lines: &[&str]) -> PathBuf {
    let path = file(name);
    fs::write(&path, lines.join("\n")).expect("a file");
    path
}

/// An engine's input by game, without the lines common to every start and, for slow engines, every
/// end.
fn commands_to(script: &Path) -> Vec<Vec<String>> {
    let path = format!("{}.told", script.display());
    let text = fs::read_to_string(&path).expect("a log of commands");
    fs::remove_file(path).expect("a file");
    let games = text.split("NEWGAME ").skip(1);
    let mut games: Vec<Vec<String>> = games
        .map(|game| {
            game.lines().map(str::to_owned).filter(|line| line != "GETPARAMETERS" && line != "STOP").collect()
        })
        .collect();
    games.sort();
    games
}

#[test]
fn an_engine_is_as_strong_as_itself_and_node_limits_make_games_reproducible() {
    let pdn = file("same.pdn");
    let arguments = ["farboard", "farboard", "--draughts", "--nodes", "300", "--games", "40"];
    let kept = [&arguments[..], &["--pgn", pdn.to_str().expect("a path")]].concat();
    let report = play(&kept);
    assert_eq!(value(&report, "games"), "40");
    assert!(
        report.starts_with(&format!("{NAME} (1) against {NAME} (2): draughts, 300 nodes a move")),
        "{report}"
    );
    let elo = value(&report, "score").split("Elo ").nth(1).expect("a difference");
    let (difference, error) = elo.split_once(',').expect("more").0.split_once(" ± ").expect("an error");
    let number = |text: &str| text.trim().parse::<f64>().expect("a number");
    assert!(number(difference).abs() <= number(error), "{report}");
    // Both games of a pair are even the same game.
    assert!(value(&report, "pairs").starts_with("[0, 0, 20, 0, 0] "), "{report}");
    assert_eq!(report, play(&arguments), "again");
    assert_eq!(report, play(&[&arguments[..], &["--concurrency", "2"]].concat()), "in any number of threads");
    let games = fs::read_to_string(&pdn).expect("games");
    let games: Vec<&str> = games.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 40);
    games.iter().for_each(|game| replay(game));
    fs::remove_file(pdn).expect("a file");
}

/// Replays a PDN game: all its moves are short and legal, and it ends as its result says.
fn replay(pdn: &str) {
    let (tags, moves) = pdn.split_once("\n\n").expect("tags and moves");
    let tag = |name: &str| {
        let value = tags.split_once(&format!("[{name} \"")).and_then(|(_, rest)| rest.split_once('"'));
        value.unwrap_or_else(|| panic!("no {name} in {pdn}")).0
    };
    assert_eq!((tag("GameType"), tag("SetUp")), ("21", "1"));
    let start = Position::from_fen(tag("FEN")).expect("a position");
    assert_eq!(start.turn(), Color::White, "a ballot has three moves");
    let mut game = Game::from_position(start);
    let notes = moves.matches("s, n=").count();
    let moves: String = moves.split('{').map(|part| part.rsplit('}').next().unwrap_or(part)).collect();
    let mut words = moves.split_whitespace();
    assert_eq!(words.next(), Some("1..."));
    let mut result = None;
    for word in words.filter(|word| !word.ends_with('.')) {
        assert_eq!(result, None, "nothing follows the result: {pdn}");
        let Ok(mv) = game.position().parse_move(word) else {
            result = Some(word);
            continue;
        };
        assert!(game.ending().is_none(), "{pdn}");
        assert_eq!(game.position().pdn(mv), word);
        game.play(mv);
    }
    assert_eq!(result, Some(tag("Result")));
    let expected = match game.ending().map(|(outcome, _)| outcome) {
        Some(Outcome::Win(Color::White)) => "1-0",
        Some(Outcome::Win(Color::Black)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => {
            assert_eq!((tag("Termination"), game.moves().len()), ("adjudication: too long", 400));
            "1/2-1/2"
        }
    };
    assert_eq!(tag("Result"), expected);
    assert_eq!(notes, game.moves().len(), "each move has its score, depth, time and nodes");
}

#[test]
fn a_checkers_engine_receives_the_commands_it_needs() {
    let moves = "'NEWGAME B'*) best=1x6;; 'NEWGAME W'*) best=22x15x8;; 'MOVE 1x6') best=10x1;;\n\
        'MOVE 22x15x8') best=3x12;;\n";
    let info = "say 'INFO nodes 1 eval 0 time 0.1'";
    let by_time = format!("{SPEAKING}{moves}GO*) {info}; say \" BESTMOVE\t$best \";; esac; done\n");
    let by_stop = format!("{SPEAKING}{moves}GO*) {info};; STOP) say \"BESTMOVE $best\";; esac; done\n");
    let openings = openings("checkers.txt", &["# Both end soon.", WON, LOST]);
    let think = "GO maxtime 0.02";
    for (kind, text, go) in
        [("checkers", &by_time, think), ("checkers", &by_stop, think), ("checkers-seed", &by_stop, "GO")]
    {
        let script = script(kind, text);
        let report = play(&[
            "farboard",
            &format!("{kind}:{}", script.display()),
            "--draughts",
            "--games",
            "4",
            "--seconds",
            "0.02",
            "--margin",
            "60000",
            "--second-option",
            "depth=5",
            "--openings",
            openings.to_str().expect("a path"),
        ]);
        assert!(value(&report, "score").starts_with("+2 =0 -2"), "{report}");
        assert_eq!(value(&report, "endings"), "4 no moves");
        let log = fs::read_to_string(format!("{}.told", script.display())).expect("its commands");
        assert!(log.starts_with("INIT\nSETPARAMETER depth 5\nGETPARAMETERS\nNEWGAME "), "{log}");
        let game = |position: &str, before: &[&str]| -> Vec<String> {
            [&[position], before, &[go]].concat().into_iter().map(str::to_owned).collect()
        };
        let mut expected =
            [game(WON, &[]), game(WON, &["MOVE 1x6"]), game(LOST, &[]), game(LOST, &["MOVE 22x15x8"])];
        expected.sort();
        assert_eq!(commands_to(&script), expected);
        fs::remove_file(script).expect("a file");
    }
    fs::remove_file(openings).expect("a file");
}

#[test]
fn a_board_may_be_rotated() {
    let text =
        "'NEWGAME B'*) best=32-27;; 'MOVE 32x27') best=23x32;; GO*) say \"BESTMOVE $best\";; esac; done\n";
    let script = script("rotated", &format!("{SPEAKING}{text}"));
    let openings = openings("rotated.txt", &[WON]);
    let report = play(&[
        "farboard",
        &format!("checkers-rotated:{}", script.display()),
        "--draughts",
        "--games",
        "2",
        "--seconds",
        "0.02",
        "--margin",
        "60000",
        "--openings",
        openings.to_str().expect("a path"),
    ]);
    assert_eq!(value(&report, "endings"), "2 no moves");
    let turned = "B:W23,28:B32";
    assert_eq!(
        commands_to(&script),
        [vec![turned, "GO maxtime 0.02"], vec![turned, "MOVE 32x27", "GO maxtime 0.02"]]
    );
    [script, openings].iter().for_each(|path| fs::remove_file(path).expect("a file"));
}

#[test]
fn a_checkers_engine_that_fails_loses() {
    let openings = openings("failing.txt", &[WON]);
    for (said, failure) in [
        ("say 'BESTMOVE 1x5'", "illegal: 1x5 (illegal move)"),
        ("say 'BESTMOVE none'", "illegal: none (not a move)"),
        ("say 'ALERT what is a GO?'", "it reports an error: ALERT what is a GO?"),
        ("exit", "it has exited"),
    ] {
        let script = script("fails", &format!("{SPEAKING}GO*) {said};; esac; done\n"));
        let report = play(&[
            "farboard",
            &format!("checkers:{}", script.display()),
            "--draughts",
            "--games",
            "2",
            "--seconds",
            "0.01",
            "--margin",
            "60000",
            "--openings",
            openings.to_str().expect("a path"),
        ]);
        assert!(value(&report, "score").starts_with("+2 =0 -0"), "{report}");
        assert!(report.contains(failure), "{report}");
        commands_to(&script);
        fs::remove_file(script).expect("a file");
    }
    fs::remove_file(openings).expect("a file");
}

#[test]
fn checkers_engines_have_only_a_time_per_move() {
    let script = script("silent", &format!("{SPEAKING}esac; done\n"));
    let engine = format!("checkers:{}", script.display());
    for control in [&["--clock", "5+0.05"][..], &["--nodes", "9"]] {
        let arguments = [&["match", "farboard", &engine, "--draughts", "--games", "2"], control].concat();
        let output = std::process::Command::new(super::FARBOARD).args(arguments).output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && text.contains("use --seconds"), "{text}");
    }
    let _ = fs::remove_file(format!("{}.told", script.display()));
    fs::remove_file(script).expect("a file");
}
