//! `farboard stdio` accesses the user's files, which a server does not.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The program's output for these lines.
fn answers(lines: &[&str]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_farboard"))
        .args(["stdio", "--table", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let input = lines.join("\n") + "\n";
    program.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
    let output = program.wait_with_output().expect("it ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("ASCII")
}

#[test]
fn file_options_are_offered_on_the_users_machine() {
    let features = answers(&["xboard", "protover 2"]);
    assert!(features.contains("option=\"User Book -file \"\n"), "{features}");
    assert!(features.contains("option=\"Game Folder -path \"\n"), "{features}");
}

#[test]
fn a_book_of_the_user_is_played() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/small-book.bin");
    let set = format!("option UserBook={}", book.display());
    let own = answers(&["xboard", "option Book=none", "bk"]);
    assert!(own.starts_with(" There is no book."), "{own}");
    let read = answers(&["xboard", "option Book=none", &set, "bk", "option UserBook=", "bk"]);
    assert!(read.starts_with(" ") && read.contains('%'), "{read}");
    assert!(read.ends_with(" There is no book.\n\n"), "{read}");
}

#[test]
fn a_file_that_is_no_book_is_reported() {
    let said = answers(&["xboard", "option UserBook=/no/such.bin", "ping 1"]);
    assert!(said.starts_with("tellusererror The book cannot be used: /no/such.bin: "), "{said}");
    assert!(said.ends_with("pong 1\n"), "{said}");
}

#[test]
fn finished_games_are_saved() {
    let folder = std::env::temp_dir().join(format!("farboard-games-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let set = format!("option GameFolder={}", folder.display());
    let game = ["new", "sd 1", "f2f3", "?", "result 0-1 {White resigns}"];
    let mut lines = vec!["xboard", "option Book=none", &set, "name A Player"];
    lines.extend(game);
    lines.extend(game);
    // xboard sends another result when it exits.
    lines.push("result * {xboard exit}");
    answers(&lines);
    let games = fs::read_to_string(folder.join("farboard.pgn")).expect("a file of games");
    fs::remove_dir_all(&folder).expect("a folder");
    assert_eq!(games.matches("[White \"A Player\"]").count(), 2, "{games}");
    assert_eq!(games.matches("[Result \"0-1\"]").count(), 2, "{games}");
    assert_eq!(games.matches("1. f3 ").count(), 2, "{games}");
}

#[test]
fn a_game_that_cannot_be_saved_is_reported() {
    let lines =
        ["xboard", "option GameFolder=/no/such", "force", "e2e4", "white", "result * {over}", "ping 1"];
    let said = answers(&lines);
    assert!(said.starts_with("tellusererror The game was not saved: /no/such: "), "{said}");
}
