//! `farboard train`, and `--net` of other commands.

use std::fs;
use std::process::{Command, Output};

/// The last line of `farboard train --seed 1 --small`, on every machine.
const SMALL: &str = include_str!("../data/small-net.txt");

fn farboard(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_farboard")).args(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_net_is_the_same_everywhere_and_can_be_searched_with() {
    let path = std::env::temp_dir().join(format!("farboard-small-{}", std::process::id()));
    let file = path.to_str().expect("a plain name");
    for threads in ["1", "3"] {
        let output = farboard(&["train", "--seed", "1", "--small", "--threads", threads, "--out", file]);
        let printed = text(&output.stdout);
        assert_eq!(printed.lines().last(), Some(SMALL.trim()), "{printed}{}", text(&output.stderr));
    }
    let nodes = |arguments: &[&str]| {
        let output = farboard(&[&["bench", "3"], arguments].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let printed = text(&output.stdout);
        let last = printed.lines().last().expect("figures").to_owned();
        last.split(' ').nth(1).expect("a count").to_owned()
    };
    assert_ne!(nodes(&[]), nodes(&["--net", file]));

    let mut bytes = fs::read(&path).expect("the net");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("the net");
    let output = farboard(&["bench", "1", "--net", file]);
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("the net is damaged: copy it again"), "{}", text(&output.stderr));
    fs::remove_file(&path).expect("the net");
}

#[test]
fn a_training_without_games_is_refused() {
    for (arguments, reason) in [
        (&["train", "--out", "x"][..], "no games: name files made by farboard generate"),
        (&["train", "none.games"], "--out"),
        (&["train", "Cargo.toml", "--out", "x"], "is not a file of games"),
        (&["train", "--small=halma"], "neither a variant nor draughts"),
        (&["train", "--small", "--hidden", "100"], "not a multiple of 32"),
    ] {
        let output = farboard(arguments);
        assert!(!output.status.success());
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
}
