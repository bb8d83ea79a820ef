//! Properties of all commands and replies.

use super::*;
use crate::protocol::{Line, OptionKind};
use proptest::prelude::*;
use std::time::Duration;

fn parse(line: &str) -> Result<Command, CommandError> {
    Command::parse(line.as_bytes())
}

fn position(start: Start, moves: &[&str]) -> Command {
    Command::Position { start, moves: moves.iter().copied().collect() }
}

fn fen(fen: &str) -> Start {
    Start::Fen(fen.to_owned())
}

fn setoption(name: &str, value: Option<&str>) -> Command {
    Command::Setoption { name: name.to_owned(), value: value.map(str::to_owned) }
}

fn go(set: impl FnOnce(&mut Go)) -> Command {
    let mut go = Go::default();
    set(&mut go);
    Command::Go(Box::new(go))
}

#[test]
fn every_command_is_read_and_written() {
    for (line, command) in [
        ("", Command::Empty),
        (" \t\r", Command::Empty),
        ("# a comment with go in it", Command::Empty),
        ("uci", Command::Uci),
        ("debug on", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
        ("isready", Command::Isready),
        ("setoption name Clear Hash", setoption("Clear Hash", None)),
        ("setoption name Hash value 64", setoption("Hash", Some("64"))),
        ("setoption name Greeting value", setoption("Greeting", Some(""))),
        ("setoption name UCI_Opponent value GM 2800 human A  B", {
            setoption("UCI_Opponent", Some("GM 2800 human A  B"))
        }),
        ("register later", Command::Register("later".into())),
        ("register", Command::Register(String::new())),
        ("ucinewgame", Command::Ucinewgame),
        ("position startpos", position(Start::Startpos, &[])),
        ("position startpos moves ", position(Start::Startpos, &[])),
        ("position startpos moves e2e4 e7e5", position(Start::Startpos, &["e2e4", "e7e5"])),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2", {
            position(fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), &["e1e2"])
        }),
        ("go", go(|_| {})),
        ("go ponder", go(|go| go.ponder = true)),
        ("go infinite", go(|go| go.infinite = true)),
        ("go perft 5", go(|go| go.perft = Some(5))),
        ("stop", Command::Stop),
        ("ponderhit", Command::Ponderhit),
        ("d", Command::D),
        ("eval", Command::Eval),
        ("quit", Command::Quit),
    ] {
        assert_eq!(parse(line), Ok(command.clone()), "{line}");
        assert_eq!(parse(&command.to_string()), Ok(command), "{line}");
    }
}

#[test]
fn words_of_go_come_in_any_order() {
    let all = go(|go| {
        go.ponder = true;
        (go.wtime, go.btime) = (Some(-500), Some(60_000));
        (go.winc, go.binc, go.movestogo) = (Some(0), Some(1000), Some(40));
        (go.depth, go.nodes, go.mate, go.movetime) = (Some(9), Some(5000), Some(3), Some(980));
        go.searchmoves = MoveWords::read("e2e4 d2d4");
    });
    for line in [
        "go ponder wtime -500 btime 60000 winc 0 binc 1000 movestogo 40 depth 9 nodes 5000 mate 3 movetime 980 \
         searchmoves e2e4 d2d4",
        "go searchmoves e2e4 d2d4 mate 3 depth 9 movetime 980 nodes 5000 movestogo 40 binc 1000 winc 0 btime 60000 \
         wtime -500 ponder",
        " go \tquick wtime   1 wtime -500.7 btime 60000 winc -5 searchmoves\te2e4 d2d4 binc 1000 now movestogo 40 depth 9 \
         nodes +5000 mate 3 movetime 980 ponder\r",
    ] {
        assert_eq!(parse(line), Ok(all.clone()), "{line}");
    }
    assert_eq!(parse(&all.to_string()), Ok(all));
    assert_eq!(parse("go depth -3 searchmoves"), Ok(go(|go| go.depth = Some(0))));
    let huge = go(|go| (go.depth, go.nodes) = (Some(u32::MAX), Some(i64::MAX as u64)));
    assert_eq!(parse("go depth 99999999999 nodes 99999999999999999999999"), Ok(huge));
}

/// "Arbitrary white space between tokens is allowed", and "unknown tokens should be ignored".
#[test]
fn unknown_words_and_white_space_are_ignored() {
    assert_eq!(parse(" \t isready \r"), Ok(Command::Isready));
    assert_eq!(parse("joho debug on"), Ok(Command::Debug(true)));
    assert_eq!(parse("stop now"), Ok(Command::Stop));
    assert_eq!(parse("position \t fen 8/8/8/8/8/8/8/K1k5  w\t-  -   moves  a1a2 \r"), {
        Ok(position(fen("8/8/8/8/8/8/8/K1k5 w - -"), &["a1a2"]))
    });
    assert_eq!(parse("setoption  name  UCI  LimitStrength   value   true "), {
        Ok(setoption("UCI LimitStrength", Some("true")))
    });
}

#[test]
fn errors_name_the_fault() {
    for (line, what) in [
        ("hello", "unknown command: hello"),
        ("UCI", "unknown command: UCI"),
        ("setoption", "setoption needs name and the name of an option"),
        ("setoption Hash 68", "setoption needs name and the name of an option"),
        ("setoption name", "setoption needs the name of an option"),
        ("debug", "debug is on or off: "),
        ("debug maybe", "debug is on or off: maybe"),
        ("position", "position needs startpos, or fen and a FEN"),
        ("position e2e4", "position needs startpos, or fen and a FEN"),
        ("position fen", "position needs a FEN after fen"),
        ("position fen moves e2e4", "position needs a FEN after fen"),
        ("position startpos e2e4", "moves must follow startpos, not e2e4"),
        ("go depth", "a number must follow depth of go"),
        ("go depth infinite", "a number must follow depth of go: infinite"),
        ("go wtime abc btime 5", "a number must follow wtime of go: abc"),
        ("go nodes 1e6", "a number must follow nodes of go: 1e6"),
        ("go movetime nan", "a number must follow movetime of go: nan"),
        ("go movetime 1-2", "a number must follow movetime of go: 1-2"),
    ] {
        let error = parse(line).expect_err(line);
        assert_eq!(error.to_string(), what, "{line}");
        assert_eq!(error.is_of_go(), line.starts_with("go"), "{line}");
        assert_eq!(error.is_of_position(), line.starts_with("position"), "{line}");
    }
}

#[test]
fn the_protocol_is_known_by_its_first_line() {
    for line in [
        "uci",
        " uci \r",
        "debug on",
        "isready",
        "position startpos",
        "setoption name Hash value 1",
        "stop",
        "ucinewgame",
    ] {
        assert!(is_spoken(line.as_bytes()), "{line}");
    }
    for line in ["", "xboard", "UCI", "ucix", "go", "quit", "INIT", "GET / HTTP/1.1"] {
        assert!(!is_spoken(line.as_bytes()), "{line}");
    }
}

fn info() -> Info {
    Info {
        depth: 12,
        selective_depth: 20,
        line: 1,
        score: Score::Centipawns(-31),
        bound: None,
        wdl: None,
        nodes: 123_456,
        speed: 1_000_000,
        table_usage: None,
        time: Duration::from_micros(123_999),
        variation: MoveWords::read("e2e4 e7e5"),
    }
}

#[test]
fn replies_are_as_guis_read_them() {
    let mate = Info {
        score: Score::Mate(-3),
        bound: Some(Bound::Upper),
        wdl: Some(Wdl { win: 0, draw: 1, loss: 999 }),
        table_usage: Some(17),
        line: 2,
        ..info()
    };
    let option = Reply::Option;
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let best = |best: Option<&str>, ponder: Option<&str>| Reply::Bestmove {
        best: best.map(str::to_owned),
        ponder: ponder.map(str::to_owned),
    };
    for (reply, line) in [
        (Reply::Name("Farboard 0.7".into()), "id name Farboard 0.7"),
        (Reply::Author("A, B".into()), "id author A, B"),
        (Reply::Uciok, "uciok"),
        (Reply::Readyok, "readyok"),
        (option("Clear Hash", OptionKind::Button), "option name Clear Hash type button"),
        (option("Ponder", OptionKind::Check(true)), "option name Ponder type check default true"),
        (option("Hash", OptionKind::Spin(16, 1, 64)), "option name Hash type spin default 16 min 1 max 64"),
        (
            option("UCI_Variant", OptionKind::Combo(words(&["chess", "atomic"]), 1)),
            "option name UCI_Variant type combo default atomic var chess var atomic",
        ),
        (
            option("Greeting", OptionKind::Text(" ".into())),
            "option name Greeting type string default <empty>",
        ),
        (option("Greeting", OptionKind::Text("a b".into())), "option name Greeting type string default a b"),
        (
            Reply::Info(info()),
            "info depth 12 seldepth 20 multipv 1 score cp -31 nodes 123456 nps 1000000 time 123 pv e2e4 e7e5",
        ),
        (
            Reply::Info(mate),
            "info depth 12 seldepth 20 multipv 2 score mate -3 upperbound wdl 0 1 999 nodes 123456 nps 1000000 \
             hashfull 17 time 123 pv e2e4 e7e5",
        ),
        (
            Reply::CurrentMove(CurrentMove { depth: 9, mv: "e2e4".into(), number: 3 }),
            "info depth 9 currmove e2e4 currmovenumber 3",
        ),
        (Reply::GameOver(Score::Mate(0)), "info depth 0 score mate 0"),
        (Reply::Remark("a\nbestmove e2e4 \x07".into()), "info string a bestmove e2e4"),
        (best(Some("e7e8q"), Some("a1a2")), "bestmove e7e8q ponder a1a2"),
        (best(Some("Q@e3"), None), "bestmove Q@e3"),
        (best(None, None), "bestmove (none)"),
        (Reply::PerftMove("e2e4".into(), 20), "e2e4: 20"),
        (Reply::PerftTotal(400), "Nodes searched: 400"),
        (Reply::Fen("8/8 w".into()), "Fen: 8/8 w"),
        (Reply::Key(255), "Key: 00000000000000FF"),
        (Reply::Evaluation(Some(-5)), "Final evaluation: -0.05 (white side)"),
        (Reply::Evaluation(None), "Final evaluation: none (in check)"),
    ] {
        assert_eq!(reply.line(), format!("{line}\n"));
    }
}

/// Variations of one depth and number replace each other while they are unsent; nothing else is
/// ever lost.
#[test]
fn only_search_output_is_replaced() {
    let key = |reply: &Reply| Line::from(reply).key;
    assert_eq!(key(&Reply::Info(info())), key(&Reply::Info(Info { nodes: 1, ..info() })));
    assert_ne!(key(&Reply::Info(info())), key(&Reply::Info(Info { line: 2, ..info() })));
    assert_eq!(key(&Reply::Bestmove { best: None, ponder: None }), None);
    assert_eq!(key(&Reply::Remark("x".into())), None);
    assert_eq!(key(&Reply::Readyok), None);
}

proptest! {
    #[test]
    fn any_line_is_read_and_written_again(line in "[a-z0-9 ./#\t-]{0,60}") {
        let heads = ["", "go ", "position ", "position fen ", "setoption name ", "position startpos moves ", "register "];
        for head in heads {
            if let Ok(command) = parse(&format!("{head}{line}")) {
                prop_assert_eq!(parse(&command.to_string()), Ok(command));
            }
        }
    }

    #[test]
    fn any_words_are_read_and_written_again(
        line in "((uci|go|position|fen|startpos|moves|name|value|setoption|depth|searchmoves|ponder|infinite|e2e4|wtime|-?[0-9]{1,4}|debug|on) ?){0,9}"
    ) {
        if let Ok(command) = parse(&line) {
            prop_assert_eq!(parse(&command.to_string()), Ok(command));
        }
    }

    #[test]
    fn any_bytes_are_read(line in proptest::collection::vec(any::<u8>(), 0..80)) {
        if let Ok(command) = Command::parse(&line) {
            prop_assert_eq!(parse(&command.to_string()), Ok(command));
        }
    }

    #[test]
    fn every_reply_is_one_line_of_ascii(said in "\\PC{0,600}") {
        let choices = vec![said.clone(), "b".into()];
        for reply in [
            Reply::Remark(said.clone()),
            Reply::Name(said.clone()),
            Reply::Fen(said.clone()),
            Reply::Checkers(said.clone()),
            Reply::Bestmove { best: Some(said.clone()), ponder: Some(said.clone()) },
            Reply::PerftMove(said.clone(), 1),
            Reply::Option("Book", OptionKind::Combo(choices, 0)),
            Reply::Option("Greeting", OptionKind::Text(said)),
        ] {
            let line = reply.line();
            let inner = line.strip_suffix('\n').expect("a line");
            prop_assert!(inner.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{inner}");
            prop_assert!(inner.trim_start() == inner && !inner.is_empty() && inner.len() < 2000, "{inner}");
        }
    }
}
