//! A proven mate is reported once and ends the search.

use super::{position, request, run};
use farboard::search::{FirstMoves, Info, Limits, Request};

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
        // An analysis reports it at each depth until it is proven.
        let depth_of_proof = 4 * moves.unsigned_abs() as usize + 4;
        assert!((2..=depth_of_proof).contains(&mates.len()), "{fen}: reported {} times", mates.len());
        assert!(mates.last().is_some_and(|last| last.depth > 100), "reported at every depth");
        let (_, moving) = run(&Request { game: true, ..request(fen) });
        let reports = moving.iter().filter(|info| info.score.mate_distance() == Some(moves)).count();
        assert!((1..=2).contains(&reports), "{fen}: reported {reports} times in a game");
        assert!(moving.iter().all(|info| info.depth <= 30), "{fen}: the search goes on after a proven mate");
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
    let (done, infos) =
        run(&Request { first_moves: FirstMoves { lines: 2, excluded: Vec::new() }, limits, ..request(fen) });
    assert_eq!((done.depth, done.score.mate_distance()), (8, Some(1)));
    assert!(infos.iter().any(|info| info.line == 2 && info.depth == 8));
}

#[test]
fn a_line_that_is_only_in_another_order_is_marked() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let limits = Limits { depth: Some(9), ..Limits::default() };
    let (_, infos) =
        run(&Request { first_moves: FirstMoves { lines: 8, excluded: Vec::new() }, limits, ..request(fen) });
    let mut ordered = 0;
    for (index, info) in infos.iter().enumerate().filter(|(_, info)| info.again) {
        let same = |other: &Info| {
            !other.again && (other.depth, other.score, &other.pv) == (info.depth, info.score, &info.pv)
        };
        assert!(infos[..index].iter().any(same), "never reported: {info:?}");
        ordered += 1;
    }
    assert!(ordered > 0, "nothing changed places");
}

/// A mate search ends with the mate, however deep: moves that were reduced or pruned are searched
/// at greater depths.
#[test]
fn a_search_for_a_mate_ends_only_with_it() {
    for (fen, moves) in [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("4k3/8/6p1/1R6/6pR/8/6n1/7K w - - 0 1", 2),
        ("2KNk3/7p/8/B6p/8/8/B2p4/1N6 w - - 0 1", 2),
        ("1k1N4/8/K2N4/8/1p6/6R1/1p2p3/n6B w - - 0 1", 2),
        ("4n3/p1R5/8/5P2/5R2/8/7k/4K3 w - - 0 1", 2),
        ("8/8/5K1N/5b1k/7P/4B3/8/5N2 w - - 0 1", 2),
        ("k7/4N3/8/5b2/8/8/1R2n3/K7 w - - 0 1", 2),
        ("4k3/8/b4K2/8/6P1/8/2Q5/8 w - - 0 1", 2),
        ("B7/8/8/1R6/7p/2p5/4p3/B3k1K1 w - - 0 1", 2),
        ("8/8/1K6/8/b7/8/R6N/4N1k1 w - - 0 1", 3),
        ("3k4/2p5/5KB1/4BB2/8/3p1p2/8/8 w - - 0 1", 3),
    ] {
        let limits = Limits { mate: Some(moves), nodes: Some(3_000_000), ..Limits::default() };
        let (done, _) = run(&Request { limits, game: true, ..request(fen) });
        assert_eq!(done.score.mate_distance(), Some(moves.into()), "{fen}: {done:?}");
        assert!(done.nodes < 3_000_000, "{fen}: {done:?}");
        // Several first moves may mate.
        let others = position(fen).legal_moves().into_iter().filter(|&mv| Some(mv) != done.best).collect();
        let (only, _) = run(&Request {
            limits,
            game: true,
            first_moves: FirstMoves { lines: 1, excluded: others },
            ..request(fen)
        });
        assert_eq!((only.best, only.score), (done.best, done.score), "{fen}");
    }
}

#[test]
fn a_search_for_a_mate_goes_on_beyond_a_longer_one() {
    let limits = Limits { mate: Some(2), nodes: Some(1_000_000), ..Limits::default() };
    let fen = "1k5r/pP3ppp/3p2b1/1BN1n3/1Q2P3/P1B5/KP3P1P/7q w - - 1 0";
    let (done, _) = run(&Request { limits, game: true, ..request(fen) });
    // No shorter one is left at the greatest depth.
    assert_eq!((done.depth, done.score.mate_distance()), (120, Some(3)));
    // The same for the side that is mated.
    let fen = "k7/8/1K6/8/8/8/8/7R b - - 0 1";
    let (done, _) = run(&Request { limits, game: true, ..request(fen) });
    assert_eq!(done.score.mate_distance(), Some(-1));
    assert_eq!(done.depth, 120);
    let (done, _) = run(&Request { limits, game: true, ..request("4k3/8/8/8/8/8/8/4K3 w - - 0 1") });
    assert_eq!(done.depth, 120);
}
