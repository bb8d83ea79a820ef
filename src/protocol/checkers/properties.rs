//! Properties of all commands and replies.

use super::{Command, CommandError, GameCommand, Go, Info, ParameterType, Progress, Reply, Value, is_spoken};
use crate::draughts::{MoveText, START_FEN, Setup};
use proptest::prelude::*;
use std::time::Duration;

fn parse(line: &str) -> Result<Command, CommandError> {
    Command::parse(line.as_bytes())
}

fn mv(text: &str) -> MoveText {
    MoveText::read(text).expect("a move")
}

fn newgame(position: Option<&str>, moves: &[&str]) -> Command {
    let position = position.map(|fen| Setup::read(fen).expect("a position"));
    Command::Game(GameCommand::Newgame { position, moves: moves.iter().map(|text| mv(text)).collect() })
}

#[test]
fn every_command_is_read() {
    for (line, command) in [
        ("", Command::Empty),
        (" \t\r", Command::Empty),
        ("INIT", Command::Game(GameCommand::Init)),
        ("NEWGAME", newgame(None, &[])),
        ("NEWGAME 9x14 22-18", newgame(None, &["9x14", "22x18"])),
        ("NEWGAME W:W21:BK1", newgame(Some("W:W21:BK1"), &[])),
        ("NEWGAME W:W21:BK1. 21-17 1x5", newgame(Some("W:W21:BK1"), &["21x17", "1x5"])),
        ("MOVE 1x10x19", Command::Game(GameCommand::Move(mv("1x10x19")))),
        ("GO", Command::Game(GameCommand::Go(Go::default()))),
        ("GO dontplaymove", Command::Game(GameCommand::Go(Go { dont_play_move: true, ..Go::default() }))),
        ("STOP", Command::Stop),
        ("GETPARAMETERS", Command::Getparameters),
        ("GETPARAMETER depth", Command::Getparameter("depth".into())),
        ("SETPARAMETER depth 5", Command::Setparameter("depth".into(), "5".into())),
        ("GETNAME", Command::Getname),
        ("QUIT", Command::Quit),
    ] {
        assert_eq!(parse(line), Ok(command.clone()), "{line}");
        assert_eq!(parse(&command.to_string()), Ok(command), "{line}");
    }
}

/// The seed: "The string of a message can contain arbitrary whitespace around tokens."
#[test]
fn white_space_is_arbitrary() {
    assert_eq!(parse(" \t NEWGAME\t  B:W21:B1 \t 1x5  \r"), parse("NEWGAME B:W21:B1 1x5"));
    assert_eq!(parse("GO   \tdontplaymove \x0c"), parse("GO dontplaymove"));
    assert_eq!(parse("  STOP\r"), Ok(Command::Stop));
    let set = parse("\tSETPARAMETER \t opponent \t a  b \t");
    assert_eq!(set, Ok(Command::Setparameter("opponent".into(), "a  b".into())));
}

#[test]
fn arguments_of_go_come_in_any_order() {
    let all = Go { dont_play_move: true, max_depth: Some(7), max_time: Some(Duration::from_millis(1500)) };
    for line in [
        "GO  maxtime 1.5 maxdepth 7 dontplaymove",
        "GO dontplaymove maxdepth 7 maxtime 1.5",
        "GO maxdepth 7 dontplaymove maxtime 15e-1",
    ] {
        assert_eq!(parse(line), Ok(Command::Game(GameCommand::Go(all))), "{line}");
    }
    let forever = parse("GO maxtime 1e30 maxdepth 4000000000");
    let day = Duration::from_secs(86_400);
    let go = Go { dont_play_move: false, max_depth: Some(255), max_time: Some(day) };
    assert_eq!(forever, Ok(Command::Game(GameCommand::Go(go))));
    for line in [
        "GO now",
        "GO dontplaymove dontplaymove",
        "GO DONTPLAYMOVE",
        "GO maxdepth",
        "GO maxdepth 0",
        "GO maxdepth -3",
        "GO maxtime",
        "GO maxtime -1",
        "GO maxtime nan",
        "GO maxtime 1 maxtime 2",
        "GO 5",
    ] {
        assert!(matches!(parse(line), Err(CommandError::Go(_))), "{line}");
    }
}

#[test]
fn positions_may_have_blanks_and_ranges() {
    let start = newgame(Some(START_FEN), &["9x13"]);
    for line in [
        "NEWGAME B:W21-32:B1-12 9-13",
        "NEWGAME B:B1-12:W21-32. 9-13",
        "NEWGAME B : W 21-32 : B1, 2,3-12 . 9-13",
        "NEWGAME [FEN \"B:W21-32:B1-12.\"] 9-13",
        "NEWGAME \"B:W21-32:B1-12\" 9-13",
    ] {
        assert_eq!(parse(line), Ok(start.clone()), "{line}");
    }
}

#[test]
fn errors_name_the_fault() {
    for (line, what) in [
        ("HELLO", "unknown command: HELLO"),
        ("go", "commands are written in capitals: go"),
        ("Init", "commands are written in capitals: init"),
        ("INIT 1", "something follows INIT that does not belong there"),
        ("STOP STOP", "something follows STOP that does not belong there"),
        ("MOVE", "MOVE needs a move"),
        ("MOVE 9x14 22x18", "something follows MOVE that does not belong there"),
        ("MOVE e4", "not a move"),
        ("MOVE 9x33", "not a move"),
        ("GETPARAMETER", "GETPARAMETER needs the name of a parameter"),
        ("SETPARAMETER depth", "SETPARAMETER needs the name of a parameter and its value"),
        ("NEWGAME 9x14 what", "set-up move 2 is not a move: what"),
        ("NEWGAME W:W21:B1 what", "set-up move 1 is not a move: what"),
        ("NEWGAME W:W21:B1 x 21x17", "set-up move 1 is not a move: x"),
        ("NEWGAME X:W21:B1", "the side on move must be W or B"),
        ("NEWGAME startpos", "the side on move must be W or B"),
        ("NEWGAME W:W40", "a square must be a number from 1 to 32"),
    ] {
        assert_eq!(parse(line).map_err(|error| error.to_string()), Err(what.to_owned()), "{line}");
    }
}

#[test]
fn commands_are_known_by_their_first_word() {
    for line in ["INIT", " NEWGAME W:W1", "\tGO\r", "QUIT"] {
        assert!(is_spoken(line.as_bytes()), "{line}");
    }
    for line in ["", "xboard", "init", "GET / HTTP/1.1", "INITIAL", "READY"] {
        assert!(!is_spoken(line.as_bytes()), "{line}");
    }
}

#[test]
fn replies_are_as_the_programs_print_them() {
    let depth = ("depth", ParameterType::Int);
    let late = Progress { depth: 9, variation: vec![mv("9x14"), mv("22x15x6")] };
    let info = |progress| Info { nodes: 860, eval: -3, time: Duration::from_micros(139_300), progress };
    for (reply, line) in [
        (Reply::Ready, "READY\n"),
        (Reply::Bestmove(mv("4-11-2")), "BESTMOVE 4x11x2\n"),
        (Reply::NoMove, "BESTMOVE none\n"),
        (Reply::Parameters(vec![depth, ("a", ParameterType::String)]), "PARAMETERS depth int a string\n"),
        (Reply::Parameters(vec![]), "PARAMETERS\n"),
        (Reply::ParameterNames(vec!["depth", "a"]), "PARAMETERS depth a\n"),
        (Reply::Parameter("depth", Value::Int(4)), "PARAMETER depth 4\n"),
        (Reply::Parameter("seconds", Value::Float(1.0)), "PARAMETER seconds 1.0\n"),
        (Reply::TypedParameter("book", Value::Bool(true)), "PARAMETER book bool true\n"),
        (Reply::Info(info(None)), "INFO nodes 860 eval -3 time 0.139\n"),
        (Reply::Info(info(Some(late))), "INFO nodes 860 depth 9 eval -3 time 0.139 pv 9x14 22x15x6\n"),
        (Reply::Name("Farboard 0.6.0 club".into()), "NAME Farboard|0.6.0|\n"),
        (Reply::Alert("illegal move".into()), "ALERT illegal move\n"),
        (Reply::Alert(" \n".into()), "ALERT something went wrong\n"),
    ] {
        assert_eq!(reply.line(), line);
    }
}

/// Late GUIs look for these words anywhere in a line.
const TRAPS: [&str; 6] = ["BESTMOVE", "INFO", "PARAMETERS", "PARAMETER", "NAME", "READY"];

#[test]
fn an_alert_is_never_misread() {
    for word in TRAPS.iter().chain(&["NEWGAME", "GO", "STOP"]) {
        let alert = Reply::Alert(format!("{word} x{word}y PARA{word}METER")).line();
        assert!(!TRAPS.iter().any(|trap| alert["ALERT".len()..].contains(trap)), "{alert}");
    }
}

proptest! {
    #[test]
    fn any_line_is_read_and_written_again(line in "[A-Z :x0-9,K.\\-\"a-z\t]{0,60}") {
        if let Ok(command) = parse(&line) {
            prop_assert_eq!(parse(&command.to_string()), Ok(command));
        }
    }

    #[test]
    fn an_alert_is_one_line_of_ascii(text in "\\PC{0,300}") {
        let alert = Reply::Alert(text).line();
        let inner = alert.strip_suffix('\n').expect("a line");
        prop_assert!(inner.bytes().all(|byte| matches!(byte, b' '..=b'~')));
        prop_assert!(inner.starts_with("ALERT ") && inner.trim_end() == inner && inner.len() > 6);
        prop_assert!(alert.len() < 256);
    }

    #[test]
    fn values_can_be_read_back(int: i32, float: f32, flag: bool, text in "[!-~]([ -~]{0,62}[!-~])?") {
        let float = if float.is_finite() { float } else { 0.5 };
        for value in [Value::Int(int), Value::Float(float), Value::Bool(flag), Value::String(text)] {
            prop_assert_eq!(value.parameter_type().read(&value.to_string()), Ok(value));
        }
    }
}
