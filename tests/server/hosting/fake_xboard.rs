//! A fake xboard engine: this test program, like the UCI one.

use farboard::chess::{AnyPosition, Variant};
use std::io::{BufRead, Write, stdin, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The node count of all its variations, by which they are recognised.
pub const NODES: u64 = 4242;

/// The kind of engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// Supports all requested features.
    Modern,
    /// Cannot analyse.
    CannotAnalyse,
    /// Cannot analyse, and resigns instead of moving.
    Resigns,
    /// Announces its features after the time limit.
    AnnouncesLate,
}

#[test]
#[ignore = "a fake engine, for other tests to start"]
fn modern() {
    run(Manner::Modern);
}

#[test]
#[ignore = "a fake engine, for other tests to start"]
fn cannot_analyse() {
    run(Manner::CannotAnalyse);
}

#[test]
#[ignore = "a fake engine, for other tests to start"]
fn resigns() {
    run(Manner::Resigns);
}

#[test]
#[ignore = "a fake engine, for other tests to start"]
fn announces_late() {
    run(Manner::AnnouncesLate);
}

fn say(text: &str) {
    let mut out = stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

fn run(manner: Manner) {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in stdin().lock().lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    let analyze = u8::from(!matches!(manner, Manner::CannotAnalyse | Manner::Resigns));
    let mut position = AnyPosition::start(Variant::NORMAL);
    while let Ok(line) = lines.recv() {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "protover" => {
                if manner == Manner::AnnouncesLate {
                    // Longer than the tests' timeout for features.
                    std::thread::sleep(Duration::from_secs(3));
                }
                say(&format!(
                    "feature done=0\nfeature ping=1 setboard=1 usermove=1 analyze={analyze} variants=\"normal\" \
                     myname=\"Fake for xboard\"\nfeature done=1\n"
                ));
            }
            "ping" => say(&format!("pong {rest}\n")),
            "new" => position = AnyPosition::start(Variant::NORMAL),
            "setboard" => position = AnyPosition::from_fen(Variant::NORMAL, rest).expect("a right position"),
            "usermove" => position.play(position.parse_move(rest).expect("a legal move")),
            "analyze" => search(&position, "exit", &lines),
            "go" if manner == Manner::Resigns => {
                say(&format!("7 15 7 {NODES} {}\nresign\n", best(&position)));
            }
            "go" => {
                search(&position, "?", &lines);
                say(&format!("move {}\n", best(&position)));
            }
            "quit" => return,
            _ => {}
        }
    }
}

fn best(position: &AnyPosition) -> String {
    position.coordinates(position.legal_moves()[0])
}

/// Reports variations until it receives the word that ends the search.
fn search(position: &AnyPosition, end: &str, lines: &Receiver<String>) {
    for depth in 1.. {
        if depth < 60 {
            say(&format!("{depth} 15 {depth} {NODES} {}\n", best(position)));
        }
        match lines.recv_timeout(Duration::from_millis(5)) {
            Ok(line) if line == end => return,
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => std::process::exit(0),
        }
    }
}
