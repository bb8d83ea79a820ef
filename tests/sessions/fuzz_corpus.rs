//! Replays the fuzzers' corpus without a fuzzer.

use crate::bodies;
use farboard::chess::Variant;
use farboard::protocol::uci::VariantChoice;
use farboard::protocol::xboard::variant_name;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "nothing in {}", folder.display());
    files
}

/// Runs all inputs, even if one fails.
fn replay(target: &str, body: fn(&[u8])) {
    let mut failed = Vec::new();
    for file in files(&format!("corpus/{target}")) {
        let bytes = std::fs::read(&file).expect("a readable file");
        if catch_unwind(|| body(&bytes)).is_err() {
            failed.push(file);
        }
    }
    assert!(failed.is_empty(), "failed: {failed:#?}");
}

#[test]
fn book() {
    replay("book", bodies::book::run);
}

#[test]
fn checkers() {
    replay("checkers", bodies::checkers::run);
}

#[test]
fn command() {
    replay("command", bodies::command::run);
}

#[test]
fn fen() {
    replay("fen", bodies::fen::run);
}

#[test]
fn framing() {
    replay("framing", bodies::framing::run);
}

#[test]
fn proxy() {
    replay("proxy", bodies::proxy::run);
}

#[test]
fn session() {
    replay("session", bodies::session::run);
}

#[test]
fn state() {
    replay("state", bodies::state::run);
}

#[test]
fn uci() {
    replay("uci", bodies::uci::run);
}

#[test]
fn web() {
    replay("web", bodies::web::run);
}

#[test]
fn every_target_is_replayed() {
    let targets = files("fuzz_targets");
    let targets: Vec<_> = targets.iter().filter_map(|file| file.file_stem()).collect();
    assert_eq!(
        targets,
        ["book", "checkers", "command", "fen", "framing", "proxy", "session", "state", "uci", "web"]
    );
}

#[test]
fn the_fuzzers_know_every_variant() {
    let conversations: Vec<Vec<u8>> = files("corpus/session")
        .into_iter()
        .map(|file| std::fs::read(file).expect("a readable file"))
        .collect();
    let seed = |name: &str| {
        let chosen = format!("variant {name}\n");
        conversations.iter().any(|text| text.windows(chosen.len()).any(|part| part == chosen.as_bytes()))
    };
    let xboard = Variant::ALL.map(variant_name);
    for name in xboard {
        assert!(seed(name), "no conversation about {name}");
    }
    let uci: Vec<&str> = VariantChoice::all().map(|choice| choice.name).collect();
    for (dictionary, names) in [("xboard", &xboard[..]), ("uci", &uci)] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fuzz/dictionaries/{dictionary}.dict"));
        let words = std::fs::read_to_string(file).expect("a readable file");
        for name in names {
            let word = format!("\"{name}\"");
            assert!(words.lines().any(|line| line == word), "{dictionary}.dict lacks {word}");
        }
    }
}
