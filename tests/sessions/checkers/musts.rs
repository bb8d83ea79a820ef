//! Every "must" of the protocol's specification for engines, and some sentences with "should".

use super::world::{DraughtsSearch, World};
use farboard::draughts::MoveText;
use farboard::protocol::checkers::{Dialect, MAX_TEXT_CHARS};
use farboard::session::Input;
use farboard::session::checkers::PARAMETERS;
use std::time::Duration;

fn best_move(line: &str) -> MoveText {
    let text = line.strip_prefix("BESTMOVE ").unwrap_or_else(|| panic!("no best move: {line}"));
    MoveText::read(text).unwrap_or_else(|_| panic!("no move: {text}"))
}

/// "All messages must end with a new line (" " character)." An unterminated message is incomplete.
/// [`World`] checks that every reply ends with one.
#[test]
fn all_messages_must_end_with_a_new_line() {
    let mut world = World::ready();
    world.bytes(b"INIT\nGETPARAMETER depth");
    assert!(world.client.said.is_empty());
    world.bytes(b"\n");
    assert_eq!(world.take(), ["PARAMETER depth 0"]);
}

/// "If a received command is invalid in any way, it should be ignored completely and the receiver
/// (engine) may respond with the message ALERT."
#[test]
fn an_invalid_command_should_be_ignored_completely() {
    let mut world = World::ready();
    world.ask("INIT\nMOVE 9x14\nSETPARAMETER depth 3");
    let before = world.session.game().position().fen();
    for line in [
        "init",
        "MOVE 9x14",
        "MOVE 22x18 9x13",
        "NEWGAME 9x14 22x18 9x14",
        "NEWGAME W:W18:B18",
        "GO fast",
        "SETPARAMETER depth 3.5",
        "SETPARAMETER depth",
        "INIT",
        "STOP it",
    ] {
        let replies = world.ask(line);
        assert!(replies.len() == 1 && replies[0].starts_with("ALERT "), "{line}: {replies:?}");
        assert!(world.search.is_none(), "{line}");
        assert_eq!(world.session.game().position().fen(), before, "{line}");
    }
    assert_eq!(world.ask("GETPARAMETER depth"), ["PARAMETER depth 3"]);
}

/// "Both the GUI and the engine should account for messages of any size."
#[test]
fn messages_of_any_size() {
    let mut world = World::ready();
    let blanks = " ".repeat(65_520);
    assert!(world.ask(&format!("INIT{blanks}")).is_empty());
    assert_eq!(world.ask("INIT"), ["ALERT the engine is initialised already"]);
    for size in [65_530, 65_537, 500_000] {
        let replies = world.ask(&"x".repeat(size));
        assert!(replies.len() == 1 && replies[0].starts_with("ALERT "), "{size}: {replies:?}");
    }
    assert_eq!(world.ask("GETPARAMETER depth"), ["PARAMETER depth 0"], "the session continues");
}

/// "The engine must process the commands synchronously, in the order that they are read from the
/// stream."
#[test]
fn the_engine_must_process_the_commands_in_order() {
    let mut world = World::ready();
    world.ask("INIT\nGO dontplaymove\nMOVE 11x15\nGO");
    let first = world.search.clone().expect("a search of the start position");
    assert_eq!(first.root(), farboard::draughts::Position::start());
    world.wait(Duration::from_secs(1));
    let replies = world.take();
    assert_eq!(replies.len(), 1, "{replies:?}");
    let second = world.search.clone().expect("a search after the move");
    let mut after = first.root();
    after.play(after.parse_move("11x15").unwrap());
    assert_eq!(second.root(), after);
    world.wait(Duration::from_secs(1));
    assert_eq!(world.take().len(), 1);
}

/// INIT: "Must be sent at the beginning and only once."
#[test]
fn init_must_be_sent_only_once() {
    let mut world = World::ready();
    world.ask("INIT\nMOVE 9x14");
    assert_eq!(world.ask("INIT"), ["ALERT the engine is initialised already"]);
    assert_eq!(world.session.game().moves().len(), 1);
}

/// "It is not necessary to send this command right before the first game, as if INIT automatically
/// calls NEWGAME."
#[test]
fn init_begins_a_game() {
    let mut world = World::ready();
    world.ask("NEWGAME W:W18:B1\nINIT");
    assert_eq!(*world.session.game().position(), farboard::draughts::Position::start());
}

/// "The engine must not return from processing the GO command until it has a valid best move
/// result."
#[test]
fn the_engine_must_not_return_from_go_until_it_has_a_valid_best_move() {
    let mut world = World::ready();
    world.ask("INIT\nGO");
    world.wait(Duration::from_millis(999));
    assert!(world.take().is_empty());
    // The search reports nothing, or an illegal move.
    let elsewhere = farboard::draughts::Position::from_fen("W:W18:B1").unwrap().legal_moves()[0];
    world.report(3, 0, 5, &[elsewhere]);
    let _ = world.take();
    let root = *world.session.game().position();
    world.wait(Duration::from_millis(1));
    let replies = world.take();
    assert!(root.find(&best_move(replies.last().unwrap())).is_ok(), "{replies:?}");
}

/// "The engine must have a valid result even if it was stopped from thinking very early."
#[test]
fn the_engine_must_have_a_valid_result_even_if_it_was_stopped_very_early() {
    let mut world = World::ready();
    world.ask("INIT");
    for _ in 0..40 {
        let root = *world.session.game().position();
        if root.outcome().is_some() {
            return;
        }
        let replies = world.ask("GO\nSTOP");
        assert_eq!(replies.len(), 1, "{replies:?}");
        assert!(root.find(&best_move(&replies[0])).is_ok(), "{replies:?}");
    }
}

/// STOP: "This command should do nothing, if the engine is not in the process of thinking."
#[test]
fn stop_should_do_nothing_if_the_engine_does_not_think() {
    let mut world = World::ready();
    assert!(world.ask("STOP\nINIT\nSTOP\nSTOP").is_empty());
    assert!(world.ask("GO").is_empty(), "STOP does not affect the next search");
    assert!(world.search.is_some());
}

/// Parameters: "They must be initialized by the time the INIT command finishes processing."
#[test]
fn parameters_must_be_initialized_by_the_time_of_init() {
    let mut world = World::ready();
    let replies = world.ask("INIT\nGETPARAMETERS");
    let words: Vec<&str> = replies[0].split(' ').collect();
    assert_eq!(words[0], "PARAMETERS");
    for pair in words[1..].chunks(2) {
        let replies = world.ask(&format!("GETPARAMETER {}", pair[0]));
        let value = replies[0].strip_prefix(&format!("PARAMETER {} ", pair[0])).expect("a value");
        match pair[1] {
            "int" => assert!(value.parse::<i32>().is_ok(), "{replies:?}"),
            "float" => assert!(value.parse::<f32>().is_ok(), "{replies:?}"),
            "bool" => assert!(value.parse::<bool>().is_ok(), "{replies:?}"),
            "string" => assert!((1..=MAX_TEXT_CHARS).contains(&value.len()), "{replies:?}"),
            // "The types must be spelled just like above."
            other => panic!("no type is called {other}"),
        }
        assert!(world.ask(&format!("SETPARAMETER {} {value}", pair[0])).is_empty());
    }
}

/// "string, an ASCII string of maximum 64 characters"
#[test]
fn a_string_has_64_characters_at_most() {
    let mut world = World::ready();
    let longest = "x".repeat(64);
    assert!(world.ask(&format!("SETPARAMETER opponent {longest}")).is_empty());
    assert!(world.ask(&format!("SETPARAMETER opponent {longest}x"))[0].starts_with("ALERT "));
    assert!(world.ask("SETPARAMETER opponent Jos\u{e9}")[0].starts_with("ALERT "));
    assert_eq!(world.ask("GETPARAMETER opponent"), [format!("PARAMETER opponent {longest}")]);
}

/// "Parameter names must be no longer than 64 ASCII characters."
#[test]
fn parameter_names_must_be_no_longer_than_64_ascii_characters() {
    for parameter in &PARAMETERS {
        assert!(parameter.name.is_ascii() && parameter.name.len() <= 64 && !parameter.name.contains(' '));
    }
}

/// READY: "Must be sent once at the very beginning."
#[test]
fn ready_must_be_sent_once_at_the_very_beginning() {
    for dialect in [Dialect::Seed, Dialect::Late] {
        let mut world = World::ready_in(dialect);
        let replies = world.ask("INIT\nNEWGAME\nGETNAME\nGO\nSTOP\nNEWGAME\nINIT");
        assert!(!replies.iter().any(|line| line.contains("READY")), "{replies:?}");
    }
}

/// ALERT: "It must contain a message."
#[test]
fn an_alert_must_contain_a_message() {
    let mut world = World::ready();
    for line in ["\u{1}", "MOVE", "é", "NEWGAME \"", "SETPARAMETER x y", "ALERT"] {
        let replies = world.ask(line);
        assert!(replies.len() == 1 && replies[0].len() > "ALERT ".len() + 5, "{line:?}: {replies:?}");
    }
}

/// QUIT: "This command should shut down the engine nicely, even if it is in the process of
/// thinking."
#[test]
fn quit_should_shut_down_even_while_it_thinks() {
    for before in ["", "INIT\n", "INIT\nGO\n", "GO\nMOVE 9x13\nGO\n"] {
        let mut world = World::ready();
        assert!(world.ask(&format!("{before}QUIT")).is_empty());
        assert!(world.closed && world.search.is_none());
    }
}

/// INFO: "Can be sent at any time between the GO command and the BESTMOVE response."
#[test]
fn info_comes_between_go_and_bestmove() {
    let mut world = World::ready();
    world.ask("INIT\nGO");
    let mv = world.session.game().position().legal_moves()[0];
    let mut replies = Vec::new();
    for tick in 0..1000 {
        world.wait(Duration::from_millis(1));
        if world.search.is_some() {
            world.report(1 + (tick / 100) as u8, 5, tick * 10, &[mv]);
        }
        replies.extend(world.take());
    }
    let (best, infos) = replies.split_last().expect("a best move");
    best_move(best);
    assert!(
        (1..=5).contains(&infos.len()) && infos.iter().all(|line| line.starts_with("INFO nodes ")),
        "{replies:?}"
    );
}

/// The end of input ends the session, once all output is sent.
#[test]
fn the_end_of_input_ends_the_session() {
    let mut world = World::ready();
    world.input(Input::Eof);
    assert!(world.closed);
}
