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
    let unused = farboard(&["match", "farboard", "farboard", "--variant", "atomic", "--net", file]);
    let reason = format!("{file} is a net of normal, which does not evaluate atomic");
    assert!(text(&unused.stderr).contains(&reason), "{}", text(&unused.stderr));

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
fn a_net_can_be_trained_further() {
    let folder = std::env::temp_dir().join(format!("farboard-further-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let run = |arguments: &str| {
        let words: Vec<&str> = arguments.split(' ').collect();
        let command = Command::new(env!("CARGO_BIN_EXE_farboard")).args(words).current_dir(&folder).output();
        command.expect("the program starts")
    };
    let done = |arguments: &str| {
        let output = run(arguments);
        assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    done("generate games --draughts --nodes 50 --games 40 --threads 1");
    done("train games --out first.net --hidden 32 --buckets 2 --epochs 2");
    let printed = done("train games --out second.net --start first.net --epochs 2 --seed 2");
    assert_eq!(printed.matches("played by version").count(), 2, "{printed}");
    assert!(printed.contains("seed 1, result share 0.2; then draughts: "), "{printed}");
    let header = fs::read(folder.join("second.net")).expect("the net");
    assert!(header.starts_with(b"farboard net 1\ngame draughts\nhidden 32\nbuckets 2\norigin draughts: "));

    done("train --small --out chess.net");
    fs::write(folder.join("text"), "text").expect("a file");
    for (start, reason) in [
        ("none.net", "cannot read none.net"),
        ("text", "text cannot be trained further\n  because: not a net of this version"),
        ("chess.net", "chess.net is a net of normal, the games are of draughts"),
    ] {
        let output = run(&format!("train games --out x.net --start {start}"));
        assert!(
            !output.status.success() && text(&output.stderr).contains(reason),
            "{}",
            text(&output.stderr)
        );
        assert!(!folder.join("x.net").exists());
    }
    fs::remove_dir_all(&folder).expect("the folder");
}

#[test]
fn a_training_without_games_is_refused() {
    for (arguments, reason) in [
        (&["train", "--out", "x"][..], "no games: name files made by farboard generate"),
        (&["train", "none.games"], "--out"),
        (&["train", "Cargo.toml", "--out", "x"], "is not a file of games"),
        (&["train", "--small=halma"], "neither a variant nor draughts"),
        (&["train", "--small", "--hidden", "100"], "not a multiple of 32"),
        (&["train", "x.games", "--out", "x", "--start", "y", "--hidden", "64"], "cannot be used with"),
    ] {
        let output = farboard(arguments);
        assert!(!output.status.success());
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
}
