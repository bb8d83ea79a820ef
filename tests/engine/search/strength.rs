//! Limited strength.

use super::{request, run, untimed};
use farboard::chess::{Color, Game, Outcome, START_FEN, Variant};
use farboard::search::bench::OpenGate;
use farboard::search::{Done, FirstMoves, Limits, Past, Request, Strength, Style, Table, search};
use std::collections::HashSet;

const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn player(fen: &str, elo: u16, seed: u64) -> Request {
    Request {
        style: Style { strength: Some(Strength::of_elo(elo)), seed, ..Style::default() },
        ..request(fen)
    }
}

/// Strengths that do not take long.
fn all() -> impl Iterator<Item = u16> {
    (Strength::WEAKEST..=2000).step_by(300)
}

/// The first player's score against the second in a game with each colour, of 2.
fn score(first: u16, second: u16, seed: u64) -> f32 {
    let tables = [Table::private(1).unwrap(), Table::private(1).unwrap()];
    let game = |elos: [u16; 2]| {
        let mut game = Game::new(Variant::NORMAL);
        while game.ending().is_none() && game.moves().len() < 200 {
            let side = game.moves().len() % 2;
            let asked = Request {
                position: (*game.position()).into(),
                past: Past { history: game.history(), played: None },
                ..player(START_FEN, elos[side], seed + side as u64)
            };
            let done = search(&asked, &tables[side], &mut OpenGate::new(), &mut |_| {});
            game.play(done.best.unwrap());
        }
        match game.ending() {
            Some((Outcome::Win(Color::White), _)) => 1.0,
            Some((Outcome::Win(Color::Black), _)) => 0.0,
            _ => 0.5,
        }
    };
    game([first, second]) + 1.0 - game([second, first])
}

#[test]
fn stronger_players_win() {
    for pair in [(400, 900), (900, 1400), (1400, 1900)] {
        let won: f32 = (0..4).map(|seed| score(pair.1, pair.0, 10 * seed)).sum();
        assert!(won >= 6.0, "{pair:?}: {won} of 8");
    }
}

#[test]
fn a_club_player_begins_with_natural_moves() {
    let reply = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for (fen, odd) in [(START_FEN, ["Na3", "Nh3", "a4", "h4"]), (reply, ["Na6", "Nh6", "a5", "h5"])] {
        let position = super::position(fen);
        let odd = odd.map(|text| position.parse_move(text).ok());
        for (elo, seed) in [1350, 1500, 1800].into_iter().flat_map(|elo| (0..12).map(move |seed| (elo, seed)))
        {
            let best = run(&player(fen, elo, seed)).0.best;
            assert!(best.is_some() && !odd.contains(&best), "{elo} {seed} {fen}");
        }
    }
}

#[test]
fn randomness_depends_on_the_seed_alone() {
    let moves = |elo, seeds: std::ops::Range<u64>| {
        seeds.map(|seed| untimed(run(&player(MIDDLEGAME, elo, seed)).0)).collect::<Vec<Done>>()
    };
    assert_eq!(moves(900, 0..5), moves(900, 0..5));
    let played: HashSet<_> = moves(900, 0..20).into_iter().map(|done| done.best).collect();
    assert!(played.len() >= 3, "{played:?}");
}

#[test]
fn a_weak_player_does_not_use_a_strong_ones_results() {
    let table = Table::private(4).unwrap();
    let weak = player(MIDDLEGAME, 1000, 1);
    let limits = Limits { depth: Some(9), ..Limits::default() };
    let strong = Request { style: Style::default(), limits, ..weak.clone() };
    let found = |request: &Request| search(request, &table, &mut OpenGate::new(), &mut |_| {});
    found(&strong);
    assert_eq!(untimed(found(&weak)), untimed(run(&weak).0));
}

#[test]
fn the_line_that_was_reported_is_played() {
    for (elo, lines) in all().flat_map(|elo| [(elo, 1), (elo, 3)]) {
        for (fen, seed) in [(START_FEN, 1), (MIDDLEGAME, 2), ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3)]
        {
            let (done, infos) = run(&Request {
                first_moves: FirstMoves { lines, excluded: Vec::new() },
                ..player(fen, elo, seed)
            });
            let last = infos.iter().rfind(|info| info.line == 1).unwrap();
            assert_eq!(done.best, Some(last.pv[0]), "{elo} {lines} {fen}");
            for info in &infos {
                let mut walked = super::position(fen);
                for &mv in &info.pv {
                    assert!(walked.is_legal(mv), "{elo} {fen}");
                    walked.play(mv);
                }
            }
            let shown: HashSet<u8> = infos.iter().map(|info| info.line).collect();
            assert_eq!(shown.len(), usize::from(lines), "{elo} {fen}");
        }
    }
}

#[test]
fn other_limits_and_exclusions_hold() {
    for elo in all() {
        let limits = Limits { nodes: Some(7), ..Limits::default() };
        assert_eq!(run(&Request { limits, ..player(MIDDLEGAME, elo, 1) }).0.nodes, 7);
        let limits = Limits { depth: Some(2), ..Limits::default() };
        assert!(run(&Request { limits, ..player(MIDDLEGAME, elo, 1) }).0.depth <= 2);
        let (free, _) = run(&player(MIDDLEGAME, elo, 1));
        let excluded: Vec<_> = free.best.into_iter().collect();
        let (done, _) =
            run(&Request { first_moves: FirstMoves { lines: 1, excluded }, ..player(MIDDLEGAME, elo, 1) });
        assert!(done.best.is_some() && done.best != free.best);
    }
}

#[test]
fn a_budget_is_kept_whatever_the_position() {
    for fen in [START_FEN, MIDDLEGAME, "k7/8/8/8/8/8/5PP1/r5K1 w - - 0 1", "6k1/8/8/8/8/8/8/K6R w - - 0 1"] {
        let (weak, _) = run(&player(fen, Strength::WEAKEST, 1));
        assert!(weak.nodes < 1000, "{fen}: {} nodes", weak.nodes);
        let (strong, _) = run(&player(fen, 2000, 1));
        assert!(strong.nodes <= 20_000, "{fen}: {} nodes", strong.nodes);
    }
}

#[test]
fn even_the_weakest_sees_a_mate_in_one_and_mostly_a_piece() {
    let sees = |fen, best: &str| {
        let best = super::position(fen).parse_move(best).ok();
        (0..20).filter(|&seed| run(&player(fen, Strength::WEAKEST, seed)).0.best == best).count()
    };
    assert_eq!(sees("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8#"), 20);
    let queens = "rnb1kbnr/ppp2ppp/8/3qp3/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 4";
    assert!(sees(queens, "Nxd5") >= 15, "{}", sees(queens, "Nxd5"));
}
