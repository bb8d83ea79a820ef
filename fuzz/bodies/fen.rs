//! Positions and moves as text round-trip, and the engine finds a move in every position.

use farboard::chess::{AnyPosition, Variant};
use farboard::search::bench::OpenGate;
use farboard::search::{Limits, Report, Request, Table, TableUse, search, static_best_move};

/// Nodes of a search: enough for quiescence, reductions and the table.
const NODES: u64 = 200;

/// `data` is a FEN, read by the rules of every variant.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for variant in Variant::known() {
        if let Ok(position) = AnyPosition::from_fen(variant, &text) {
            check(&position);
            check_moves(&position);
            check_search(&position);
        }
    }
}

fn check(position: &AnyPosition) {
    let fen = position.fen();
    let read = AnyPosition::from_fen(position.variant(), &fen).expect("a written FEN is legal");
    assert_eq!(read.fen(), fen);
    assert_eq!(read.key(), position.key(), "{fen}");
}

/// Checks that every legal move is found by its notations and leads to a valid position.
fn check_moves(position: &AnyPosition) {
    let moves = position.legal_moves();
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "{}", position.fen());
    for &mv in &moves {
        assert!(position.is_legal(mv));
        for name in [position.coordinates(mv), position.san(mv)] {
            assert_eq!(position.parse_move(&name), Ok(mv), "{name} in {}", position.fen());
        }
        let mut next = *position;
        next.play(mv);
        // Counters are limited when read, but not when counted.
        if next.halfmove_clock().max(next.fullmove()) <= 9999 {
            check(&next);
        }
    }
}

/// Checks that a move is found with and without a search, if there is one, and that variations are
/// legal.
fn check_search(position: &AnyPosition) {
    let has_move = position.has_legal_move();
    let best = static_best_move(&(*position).into(), &[], None);
    assert_eq!(best.is_some(), has_move, "{}", position.fen());
    assert!(best.is_none_or(|mv| position.is_legal(mv)), "{best:?} in {}", position.fen());

    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let request = Request { limits, table: TableUse::salted(1), ..Request::of(*position) };
    let table = Table::private(1).expect("memory");
    let done = search(&request, &table, &mut OpenGate::new(), &mut |report| {
        if let Report::Info(info) = report {
            let mut walked = *position;
            for mv in info.pv {
                assert!(walked.is_legal(mv), "{mv:?} in {} from {}", walked.fen(), position.fen());
                walked.play(mv);
            }
        }
    });
    assert_eq!(done.best.is_some(), has_move, "{}", position.fen());
    assert!(done.best.is_none_or(|mv| position.is_legal(mv)), "{:?} in {}", done.best, position.fen());
    assert!(done.nodes <= NODES, "{} nodes in {}", done.nodes, position.fen());
}
