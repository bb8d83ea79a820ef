//! `[engine.NAME]`: defaults and errors.

use super::*;
use crate::hosting::EngineProtocol;
use std::sync::Arc;
use std::time::Duration;

/// The line and the words with which a configuration is refused.
fn refused(text: &str) -> String {
    let error = match file(text) {
        Ok(_) => message(&read(text, Path::new("club.toml")).resolve().expect_err(text)),
        Err(error) => message(&error),
    };
    error.trim_start_matches("club.toml, ").to_owned()
}

#[test]
fn engine_settings_have_defaults() {
    let text = "workers = 3\n[engine.one]\ncommand = [\"stockfish\"]\n\
                [engine.two]\ncommand = [\"fairymax\", \"-x\"]\nprotocol = \"xboard\"\noptions = { memory = 100 }\n\
                [engine.three]\ncommand = [\"sf\"]\nprocesses = 3\nshare_table = true\nmemory = 99\npatience = 7\n\
                options = { hash = 256, Debug = true, File = \"x y\" }\n";
    let engines = file(text).unwrap().resolve().unwrap().engines;
    let (one, two, three) = (&engines["one"], &engines["two"], &engines["three"]);
    assert_eq!((one.protocol, one.processes, one.memory), (EngineProtocol::Uci, 5, 2048));
    assert_eq!((one.share_table, one.patience), (false, Duration::from_secs(20)));
    assert_eq!((two.protocol, two.processes, two.memory), (EngineProtocol::Xboard, 32, 2148));
    assert_eq!(two.command, ["fairymax", "-x"]);
    assert_eq!((three.processes, three.memory, three.share_table), (3, 99, true));
    assert_eq!(three.patience, Duration::from_secs(7));
    let options: Vec<(&str, &str)> =
        three.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(options, [("Debug", "1"), ("File", "x y"), ("hash", "256")]);
}

#[test]
fn invalid_engines_are_refused_with_their_line() {
    for (text, expected) in [
        ("[engine.x]\ncommand = []\n", "line 2: [engine.x] needs a program and its arguments"),
        ("[engine.x]\ncommand = [\"\"]\n", "line 2: [engine.x] needs a program and its arguments"),
        (
            "\n[engine.x]\ncommand = [\"/no/such/engine\"]\n",
            "line 3: [engine.x] cannot start /no/such/engine",
        ),
        (
            "workers = 2\n[engine.x]\ncommand = [\"e\"]\nprocesses = 1\n",
            "line 4: processes is 1 and must be from 2",
        ),
        ("[engine.x]\ncommand = [\"e\"]\nmemory = 1\n", "line 3: memory is 1 and must be from 16"),
        ("[engine.x]\ncommand = [\"e\"]\npatience = 0\n", "line 3: patience is 0 and must be from 1 to 600"),
        (
            "[engine.x]\ncommand = [\"e\"]\n[engine.x.options]\nHash = 1\nmultipv = 3\n",
            "line 5: [engine.x] sets \"multipv\", which each search sets for its session",
        ),
        (
            "[profile.p]\nengine = \"x\"\n",
            "line 2: [profile.p] names the unknown engine \"x\"; the file has no [engine.NAME] with a command",
        ),
        (
            "[engine.y]\ncommand = [\"e\"]\n[profile.p]\nengine = \"x\"\n",
            "line 4: [profile.p] names the unknown engine \"x\"; known: y",
        ),
    ] {
        let error = refused(text);
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn unreadable_values_are_explained() {
    for (text, line, expected) in [
        ("[engine.x]\nprocesses = 2\n", "line 1", "command"),
        ("[engine.x]\ncommand = \"stockfish\"\n", "line 2", "expected a sequence"),
        ("[engine.x]\ncommand = [\"e\"]\nprotocol = \"usi\"\n", "line 3", "expected `uci` or `xboard`"),
        (
            "[engine.x]\ncommand = [\"e\"]\nthreads = 2\n",
            "line 3",
            "there is no setting `threads`; [engine.NAME] has `command`",
        ),
        ("[engine.x]\ncommand = [\"e\"]\noptions = { Hash = [1] }\n", "line 3", ""),
    ] {
        let error = refused(text);
        assert!(error.contains(line) && error.contains(expected), "{error}");
    }
}

#[test]
fn a_reload_that_leaves_an_engine_alone_keeps_it() {
    let hosts = Hosts::new(None);
    let engine_of = |text: &str| {
        let config = file(text).unwrap().resolve().unwrap();
        let profiles = config.named_profiles(&config.profile("x").unwrap(), &hosts).unwrap();
        profiles["p"].engine.clone().expect("an engine")
    };
    let text = "[engine.x]\ncommand = [\"e\"]\n[profile.p]\nengine = \"x\"\n";
    let before = engine_of(text);
    let other = engine_of(&format!("max_sessions = 7\n{text}options = {{ MultiPV = 2 }}\n"));
    assert!(Arc::ptr_eq(&before, &other), "nothing of the engine is different");
    let changed = engine_of(&text.replace("\"e\"", "\"e\", \"-v\""));
    assert!(!Arc::ptr_eq(&before, &changed));
    assert!(Arc::ptr_eq(&before, &engine_of(text)), "sessions still have it");
}
