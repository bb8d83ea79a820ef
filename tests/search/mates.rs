//! A mate that is proven is said once and ends the search.

use super::{request, run};
use farboard::search::{Info, Limits, Request};

#[test]
fn a_proven_mate_ends_the_search() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2),
        ("1k5r/pP3ppp/3p2b1/1BN1n3/1Q2P3/P1B5/KP3P1P/7q w - - 1 0", 3),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1),
    ] {
        let (done, infos) = run(&request(fen));
        assert_eq!(done.score.mate_distance(), Some(moves), "{fen}");
        assert!(done.depth <= 30, "{fen}: {} plies", done.depth);
        let mates: Vec<&Info> =
            infos.iter().filter(|info| info.score.mate_distance() == Some(moves)).collect();
        // An analysis says it at each depth until it is proven.
        let depth_of_proof = 4 * moves.unsigned_abs() as usize + 4;
        assert!((2..=depth_of_proof).contains(&mates.len()), "{fen}: said {} times", mates.len());
        assert!(
            mates.last().is_some_and(|last| last.depth > 100),
            "it is so at any depth that somebody waits for"
        );
        let (_, moving) = run(&Request { game: true, ..request(fen) });
        let said = moving.iter().filter(|info| info.score.mate_distance() == Some(moves)).count();
        assert!((1..=2).contains(&said), "{fen}: said {said} times in a game");
        assert!(moving.iter().all(|info| info.depth <= 30), "{fen}: nobody reads on when the move is made");
    }
}

/// A client that analyses to a depth stops at a line of that depth.
#[test]
fn an_analysis_says_at_each_depth_that_a_mate_stands_until_it_is_proven() {
    let fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
    let (_, infos) = run(&request(fen));
    let mates = infos.iter().filter(|info| info.score.mate_distance() == Some(2));
    let depths: Vec<u8> = mates.map(|info| info.depth).collect();
    let found = depths[0];
    assert!((found..12).all(|depth| depths.contains(&depth)), "{depths:?}");
}

#[test]
fn a_mate_beside_other_lines_ends_nothing() {
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    let (done, infos) = run(&Request { lines: 2, limits, ..request(fen) });
    assert_eq!((done.depth, done.score.mate_distance()), (8, Some(1)));
    assert!(infos.iter().any(|info| info.line == 2 && info.depth == 8));
}

#[test]
fn a_line_that_is_only_in_another_order_is_marked() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let limits = Limits { depth: Some(9), ..Limits::default() };
    let (_, infos) = run(&Request { lines: 8, limits, ..request(fen) });
    let mut ordered = 0;
    for (index, info) in infos.iter().enumerate().filter(|(_, info)| info.again) {
        let same = |other: &Info| {
            !other.again && (other.depth, other.score, &other.pv) == (info.depth, info.score, &info.pv)
        };
        assert!(infos[..index].iter().any(same), "never said: {info:?}");
        ordered += 1;
    }
    assert!(ordered > 0, "nothing changed places");
}
