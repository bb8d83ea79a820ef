use super::*;
use crate::chess::{AnyPosition, Game, Variant};
use crate::hosting::question::MAX_MOVES;
use crate::protocol::xboard::{move_text, variant_named};
use crate::search::{FirstMoves, GameRecord, Knowledge, KnownScore, Limits, Request, Score, Strength, Style};
use std::time::Duration;

const STOCKFISH: [&str; 9] = [
    "id name Stockfish 15.1",
    "option name Hash type spin default 16 min 1 max 33554432",
    "option name Clear Hash type button",
    "option name MultiPV type spin default 1 min 1 max 500",
    "option name Skill Level type spin default 20 min 0 max 20",
    "option name UCI_Chess960 type check default false",
    "option name UCI_AnalyseMode type check default false",
    "option name UCI_LimitStrength type check default false",
    "option name UCI_Elo type spin default 1350 min 1350 max 2850",
];

fn uci(lines: &[&str]) -> Dialect {
    let mut engine = Dialect::new(EngineProtocol::Uci);
    for line in lines {
        assert_eq!(engine.receive(line), EngineEvent::Other, "{line}");
    }
    assert_eq!(engine.receive("uciok"), EngineEvent::Introduced);
    engine
}

fn xboard(features: &str) -> Dialect {
    let mut engine = Dialect::new(EngineProtocol::Xboard);
    assert_eq!(engine.receive(&format!("feature {features}")), EngineEvent::Other);
    assert_eq!(engine.receive("feature done=1"), EngineEvent::Introduced);
    engine
}

fn question(request: Request) -> Question {
    Question::of(&request).unwrap()
}

fn after(moves: &str) -> Question {
    let mut game = Game::new(Variant::NORMAL);
    for text in moves.split_whitespace() {
        game.play(game.position().parse_move(text).unwrap());
    }
    question(Request { past: game.past(), ..Request::of(game.root()) })
}

fn with_options(options: &[(&str, &str)]) -> EngineSpec {
    EngineSpec {
        name: "test".to_owned(),
        command: Vec::new(),
        protocol: EngineProtocol::Uci,
        processes: 1,
        options: options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        share_table: false,
        memory: 1024,
        patience: Duration::from_secs(60),
    }
}

#[test]
fn no_engine_supports_contempt_and_scores() {
    let start = Request::of(AnyPosition::start(Variant::NORMAL));
    let known = vec![KnownScore { key: 1, score: Score(7), depth: 3 }];
    let ask = Request {
        style: Style { contempt: -20, ..Style::default() },
        knowledge: Knowledge { scores: known, endgames: None },
        ..start.clone()
    };
    for engine in [uci(&[]), xboard("ping=1")] {
        let found = engine.unsupported(&question(ask.clone()));
        assert_eq!(found, [Unsupported::Contempt, Unsupported::Scores]);
        assert!(!found.iter().any(Unsupported::prevents_search));
        assert_eq!(engine.unsupported(&question(start.clone())), []);
    }
}

#[test]
fn options_of_uci_are_set_when_they_change() {
    let mut engine = uci(&STOCKFISH);
    let spec = with_options(&[("hash", "64"), ("Hsah", "1")]);
    assert_eq!(engine.set_up(&spec), "setoption name hash value 64\nisready\n");
    assert_eq!(engine.unknown_options(&spec), ["Hsah"]);
    let plain = Request { game: true, ..Request::of(AnyPosition::start(Variant::NORMAL)) };
    let first = engine.prepare(&question(plain.clone()), false);
    assert_eq!(
        first,
        "setoption name UCI_Chess960 value false\nsetoption name MultiPV value 1\n\
         setoption name UCI_LimitStrength value false\nsetoption name UCI_AnalyseMode value false\nisready\n"
    );
    assert_eq!(engine.prepare(&question(plain.clone()), false), "isready\n");
    let cleared = engine.prepare(&question(plain.clone()), true);
    assert_eq!(cleared, "setoption name Clear Hash\nisready\n");
    let weak = Request {
        style: Style { strength: Some(Strength::of_elo(800)), ..Style::default() },
        first_moves: FirstMoves { lines: 3, excluded: Vec::new() },
        ..plain
    };
    let weak = engine.prepare(&question(weak), false);
    assert_eq!(
        weak,
        "setoption name MultiPV value 3\nsetoption name UCI_LimitStrength value true\n\
         setoption name UCI_Elo value 1350\nisready\n"
    );
}

#[test]
fn a_search_of_uci_has_its_limits_and_allowed_moves() {
    let mut game = Game::from_fen(Variant::FISCHERANDOM, "4k3/8/8/8/8/8/8/4K2R w H - 0 1").unwrap();
    game.play(game.position().parse_move("O-O").unwrap());
    let plain = Request { past: game.past(), ..Request::of(game.root()) };
    let engine = uci(&STOCKFISH);
    let fen = "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1\n";
    assert_eq!(engine.go(&question(plain.clone()), None), format!("{fen}go infinite\n"));
    let limits = Limits { depth: Some(7), mate: Some(2), ..Limits::default() };
    let limited = question(Request { limits, ..plain.clone() });
    assert_eq!(engine.go(&limited, Some(500)), format!("{fen}go depth 7 nodes 500 mate 2\n"));
    let all = game.position().legal_moves();
    let others = all.iter().copied().skip(1).collect();
    let one = question(Request { first_moves: FirstMoves { lines: 1, excluded: others }, ..plain });
    let text = format!("{fen}go infinite searchmoves {}\n", game.position().coordinates(all[0]));
    assert_eq!(engine.go(&one, None), text);
}

#[test]
fn uci_options_show_what_an_engine_supports() {
    let tiny = uci(&["id name Tiny"]);
    let ask = |variant| Request {
        first_moves: FirstMoves { lines: 2, excluded: Vec::new() },
        style: Style { strength: Some(Strength::of_elo(1000)), ..Style::default() },
        ..Request::of(AnyPosition::start(variant))
    };
    let found = tiny.unsupported(&question(ask(Variant::NORMAL)));
    assert_eq!(found, [Unsupported::Lines(1), Unsupported::Strength]);
    assert!(!found.iter().any(Unsupported::prevents_search));
    let mut two = uci(&["option name MultiPV type spin default 1 min 1 max 2"]);
    let mut more = question(ask(Variant::NORMAL));
    assert_eq!(two.unsupported(&more), [Unsupported::Strength]);
    more.request.first_moves.lines = 3;
    assert_eq!(two.unsupported(&more), [Unsupported::Lines(2), Unsupported::Strength]);
    assert!(two.prepare(&more, false).contains("MultiPV value 2"));
    let atomic = question(ask(variant_named("atomic").unwrap()));
    let found = tiny.unsupported(&atomic);
    assert_eq!(found[0], Unsupported::Variant("atomic"));
    assert!(found[0].prevents_search());
    let fairy = uci(&["option name UCI_Variant type combo default chess var chess var atomic"]);
    assert!(!fairy.unsupported(&atomic).contains(&Unsupported::Variant("atomic")));
}

#[test]
fn a_position_of_xboard_is_set_up_or_played() {
    let mut modern = xboard("setboard=1 usermove=1 ping=1");
    let text = modern.prepare(&after("e4 e5 Nf3"), false);
    assert_eq!(
        text,
        "new\neasy\npost\nforce\nsetboard rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n\
         usermove g1f3\nping 1\n"
    );
    assert_eq!(
        (modern.receive("pong 7"), modern.receive("pong 1")),
        (EngineEvent::Other, EngineEvent::Ready)
    );
    let mut old = xboard("ping=1 exclude=1");
    let mut all_but_one = after("e4");
    all_but_one.request.first_moves.excluded = vec![all_but_one.allowed[0]];
    let first = move_text(&all_but_one.position, all_but_one.allowed[0]);
    let expected = format!("new\neasy\npost\nforce\ne2e4\nexclude {first}\nping 1\n");
    assert_eq!(old.prepare(&all_but_one, false), expected);
    assert!(old.unsupported(&all_but_one).is_empty());
}

#[test]
fn a_game_that_goes_on_is_not_sent_again() {
    let mut engine = xboard("ping=1 usermove=1");
    assert!(engine.prepare(&after("e4 e5"), false).starts_with("new\n"));
    assert_eq!(engine.prepare(&after("e4 e5"), false), "force\nping 2\n");
    assert_eq!(
        engine.prepare(&after("e4 e5 Nf3 Nc6"), false),
        "force\nusermove g1f3\nusermove b8c6\nping 3\n"
    );
    let mut all_but_one = after("e4 e5 Nf3 Nc6 Bb5");
    all_but_one.request.first_moves.excluded = vec![all_but_one.allowed[0]];
    for other in [after("e4 e5"), after("e4 c5"), after("d4"), all_but_one, after("e4 e5")] {
        assert!(engine.prepare(&other, false).starts_with("new\n"), "{:?}", other.request.past.played);
    }
    let mut simple = xboard("analyze=0");
    simple.prepare(&after("e4"), false);
    assert!(simple.prepare(&after("e4 e5"), false).starts_with("new\n"), "it has made a move of its own");
}

#[test]
fn a_game_that_goes_on_for_long_is_set_up() {
    let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(1000);
    let mut modern = xboard("ping=1 usermove=1 setboard=1");
    modern.prepare(&after("Nf3"), false);
    let text = modern.prepare(&after(&long), false);
    assert!(text.starts_with("new\n") && text.contains("setboard "), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("usermove")).count(), MAX_MOVES);
    assert_eq!(modern.prepare(&after(&format!("{long} e4")), false), "force\nusermove e2e4\nping 3\n");
    let old = xboard("ping=1 usermove=1");
    assert_eq!(old.unsupported(&after(&long)), [Unsupported::Position]);
    // The longest text that there is.
    let mut old = xboard("ping=1 usermove=1");
    let text = old.prepare(&after(&"Nf3 Nf6 Ng1 Ng8 ".repeat(super::xboard::MAX_PLIES / 4)), false);
    assert!(text.len() < 64 * 1024);
}

#[test]
fn a_search_ends_with_a_pong_or_a_move() {
    let mut engine = xboard("ping=1 setboard=1");
    assert_eq!(engine.go(&after(""), None), "analyze\n");
    assert_eq!(engine.stop(), "exit\nping 1\n");
    assert_eq!(engine.receive("pong 1"), EngineEvent::BestMove { best: None, ponder: None });
    let mut simple = xboard("analyze=0");
    assert_eq!(
        (simple.go(&after(""), None), simple.stop()),
        ("level 0 600 0\ngo\n".to_owned(), "?\n".to_owned())
    );
    assert_eq!(simple.receive("move e2e4"), EngineEvent::BestMove { best: Some("e2e4"), ponder: None });
}

#[test]
fn thinking_lines_are_variations() {
    let mut engine = xboard("setboard=1");
    let score = |heard| match heard {
        EngineEvent::Thinking(thinking) => (thinking.depth, thinking.score, thinking.pv),
        other => panic!("{other:?}"),
    };
    assert_eq!(score(engine.receive(" 3   15   12   754 d4 d5")), (3, Score(15), "d4 d5"));
    assert_eq!(score(engine.receive("3 100002 1 7 Qh5")).1.mate_distance(), Some(2));
    assert_eq!(score(engine.receive("3 -100002 1 7 Qh5")).1.mate_distance(), Some(-2));
    assert_eq!(engine.receive("Illegal move: e2e5"), EngineEvent::Error("Illegal move: e2e5"));
    assert_eq!(engine.receive("Error (unknown command): easy"), EngineEvent::Other);
}

#[test]
fn features_show_what_an_engine_supports() {
    let old = xboard("variants=\"normal,losers\"");
    let unsupported = |position: AnyPosition| old.unsupported(&Question::of(&Request::of(position)).unwrap());
    assert_eq!(unsupported(AnyPosition::start(Variant::NORMAL)), []);
    assert_eq!(unsupported(AnyPosition::start(variant_named("losers").unwrap())), []);
    assert_eq!(
        unsupported(AnyPosition::start(variant_named("atomic").unwrap())),
        [Unsupported::Variant("atomic")]
    );
    let set_up = AnyPosition::from_fen(Variant::NORMAL, "4k3/8/8/8/8/8/8/4K2R w - - 0 1").unwrap();
    assert_eq!(unsupported(set_up), [Unsupported::Position]);
}
