//! The engine's public interface: results, stopping, and determinism.

mod bughouse;
mod contempt;
mod known;
mod limits;
mod mates;
mod noise;
mod resume;
mod strength;
mod variants;

use farboard::chess::{AnyPosition, Game, Move, Variant};
use farboard::search::bench::OpenGate;
use farboard::search::{
    Bound, Done, FirstMoves, Gate, Info, Limits, Past, Report, Request, Score, Table, TableUse, Verdict,
    search,
};
use std::time::Duration;

fn position(fen: &str) -> AnyPosition {
    AnyPosition::from_fen(Variant::NORMAL, fen).unwrap()
}

fn request(fen: &str) -> Request {
    Request { table: TableUse::salted(1), ..Request::of(position(fen)) }
}

/// A result without its duration.
fn untimed(done: Done) -> Done {
    Done { elapsed: Duration::ZERO, ..done }
}

fn run(request: &Request) -> (Done, Vec<Info>) {
    let table = Table::private(4).unwrap();
    let mut infos = Vec::new();
    let done = search(request, &table, &mut OpenGate::new(), &mut |report| {
        if let Report::Info(info) = report {
            infos.push(info);
        }
    });
    (done, infos)
}

fn to_depth(fen: &str, depth: u8) -> (Done, Vec<Info>) {
    run(&Request { limits: Limits { depth: Some(depth), ..Limits::default() }, ..request(fen) })
}

fn san(fen: &str, mv: Option<Move>) -> String {
    mv.map_or("none".into(), |mv| position(fen).san(mv))
}

#[test]
fn mates_are_found_and_counted_in_moves() {
    for (fen, depth, best, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 4, "Ra8#", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 4, "Qxf7#", 1),
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 18, "Qg6", 2),
        ("1k5r/pP3ppp/3p2b1/1BN1n3/1Q2P3/P1B5/KP3P1P/7q w - - 1 0", 12, "Na6+", 3),
    ] {
        let (done, _) = to_depth(fen, depth);
        assert_eq!((san(fen, done.best).as_str(), done.score.mate_distance()), (best, Some(moves)), "{fen}");
    }
    let (mated, _) = to_depth("k7/8/1K6/8/8/8/8/7R b - - 0 1", 5);
    assert_eq!(mated.score.mate_distance(), Some(-1));
}

#[test]
fn tactics_are_found() {
    for (fen, depth, best) in [
        ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", 10, "Rg3"),
        ("6k1/5ppp/8/8/8/1q6/5PPP/4Q1K1 w - - 0 1", 4, "Qe8#"),
        ("r3k3/8/8/3N4/8/8/8/4K3 w q - 0 1", 5, "Nc7+"),
    ] {
        let (done, _) = to_depth(fen, depth);
        assert_eq!(san(fen, done.best), best, "{fen}");
    }
}

#[test]
fn a_finished_game_has_no_move() {
    for fen in ["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        let (done, infos) = to_depth(fen, 5);
        assert_eq!(done.best, None);
        assert!(infos.is_empty());
    }
}

#[test]
fn the_same_search_has_the_same_nodes() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let nodes = |salt| {
        let limits = Limits { depth: Some(9), ..Limits::default() };
        run(&Request { table: TableUse::salted(salt), limits, ..request(fen) }).0.nodes
    };
    assert_eq!(nodes(1), nodes(1));
}

#[test]
fn not_one_node_more_than_the_limit_is_searched() {
    let start = request(farboard::chess::START_FEN);
    for nodes in [0, 1, 2, 19, 20, 21, 1023, 1024, 1025, 5000, 20_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (done, infos) = run(&Request { limits, ..start.clone() });
        assert_eq!(done.nodes, nodes);
        assert!(infos.last().is_none_or(|last| done.best == Some(last.pv[0])), "{nodes} nodes");
        assert!(done.best.is_some_and(|mv| start.position.is_legal(mv)), "{nodes} nodes");
    }
}

#[test]
fn a_budget_of_nodes_is_aimed_for() {
    for fen in [
        farboard::chess::START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let nodes = |optimum| {
            let limits = Limits { optimum_nodes: Some(optimum), ..Limits::default() };
            run(&Request { limits, ..request(fen) }).0.nodes
        };
        assert!((20_000..400_000).contains(&nodes(100_000)), "{fen}: {}", nodes(100_000));
        assert!(nodes(10_000) < nodes(200_000), "{fen}");
    }
    let limits = Limits { optimum_nodes: Some(1_000_000), ..Limits::default() };
    let (forced, _) = run(&Request { limits, ..request("k7/8/8/8/8/8/5PP1/r5K1 w - - 0 1") });
    assert!(forced.nodes < 10_000, "{} nodes for a forced move", forced.nodes);
}

#[test]
fn several_lines_begin_with_different_moves_in_order() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let (_, infos) =
        run(&Request { first_moves: FirstMoves { lines: 4, excluded: Vec::new() }, limits, ..request(fen) });
    let last: Vec<&Info> =
        infos.iter().filter(|info| info.depth == 6 && info.bound == Bound::Exact).collect();
    let lines: Vec<&&Info> = (1..=4)
        .map(|line| last.iter().rfind(|info| info.line == line).expect("every line is reported"))
        .collect();
    for (index, info) in lines.iter().enumerate() {
        assert!(lines[..index].iter().all(|better| better.pv[0] != info.pv[0]), "a move has two lines");
    }
    let scores: Vec<Score> = lines.iter().map(|info| info.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[test]
fn excluded_moves_are_not_played() {
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    let mate = position(fen).parse_move("Ra8").unwrap();
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let (done, infos) =
        run(&Request { first_moves: FirstMoves { lines: 1, excluded: vec![mate] }, limits, ..request(fen) });
    assert_ne!(done.best, Some(mate));
    assert!(infos.iter().all(|info| info.pv[0] != mate));
}

#[test]
fn every_variation_can_be_played() {
    for line in include_str!("../../data/perft-variants.epd").lines() {
        let mut fields = line.split(';');
        let Some(variant) = fields.next().and_then(Variant::from_name) else { continue };
        let position = AnyPosition::from_fen(variant, fields.next().unwrap()).unwrap();
        let limits = Limits { depth: Some(7), nodes: Some(60_000), ..Limits::default() };
        let (done, infos) = run(&Request { limits, table: TableUse::salted(1), ..Request::of(position) });
        assert_eq!(done.best.is_some(), position.has_legal_move(), "{line}");
        assert!(done.best.is_none_or(|mv| position.is_legal(mv)), "{line}");
        for info in infos {
            let mut walked = position;
            for mv in info.pv {
                assert!(walked.is_legal(mv), "{line}: {mv:?}");
                walked.play(mv);
            }
        }
    }
}

#[test]
fn a_repetition_of_the_game_is_a_draw() {
    // White is lost except for perpetual check, and the checks have been given before.
    let mut game = Game::from_fen(Variant::NORMAL, "7k/5Q2/6pp/8/8/8/r1q5/7K w - - 0 1").unwrap();
    for text in ["Qf8+", "Kh7", "Qf7+", "Kh8", "Qf8+", "Kh7", "Qf7+", "Kh8"] {
        game.play(game.position().parse_move(text).unwrap());
    }
    let base = request(farboard::chess::START_FEN);
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let position = (*game.position()).into();
    let (knowing, _) = run(&Request {
        position,
        past: Past { history: game.history(), played: None },
        limits,
        ..base.clone()
    });
    assert_eq!(knowing.score, Score::DRAW);
    assert_eq!(knowing.best.map(|mv| game.position().san(mv)), Some("Qf8+".into()));
    let (ignorant, _) = run(&Request { position, limits, ..base });
    assert!(knowing.nodes < ignorant.nodes, "a move determined by the history needs no search");
}

/// A gate that stops the search at the nth poll.
struct Impatient(u32);

impl Gate for Impatient {
    fn poll(&mut self, _: u64) -> Verdict {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Verdict::Stop } else { Verdict::Continue }
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn past_optimum(&self, _: f32) -> bool {
        false
    }
}

#[test]
fn whenever_it_is_stopped_there_is_a_legal_move() {
    let request = request("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for polls in [1, 2, 3, 10, 50] {
        let table = Table::private(1).unwrap();
        let done = search(&request, &table, &mut Impatient(polls), &mut |_| {});
        assert!(done.best.is_some_and(|mv| request.position.is_legal(mv)));
        assert!(done.nodes <= u64::from(polls) * 1024 + 1, "{} nodes after {polls} polls", done.nodes);
    }
}

/// A gate whose optimum time is over from the start.
struct Hurried;

impl Gate for Hurried {
    fn poll(&mut self, _: u64) -> Verdict {
        Verdict::Continue
    }

    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn past_optimum(&self, _: f32) -> bool {
        true
    }
}

#[test]
fn past_its_optimum_a_search_ends_with_the_iteration() {
    let table = Table::private(1).unwrap();
    let done = search(&request(farboard::chess::START_FEN), &table, &mut Hurried, &mut |_| {});
    assert_eq!(done.depth, 1);
}
