//! Known scores supplied from outside (`setscore`).

use super::{request, run};
use farboard::chess::{AnyPosition, START_FEN, Variant};
use farboard::search::{Bound, FirstMoves, Knowledge, KnownScore, Limits, Request, Score};

fn after(moves: &[&str]) -> AnyPosition {
    let mut position = AnyPosition::from_fen(Variant::NORMAL, START_FEN).unwrap();
    for text in moves {
        position.play(position.parse_move(text).unwrap());
    }
    position
}

fn known(position: AnyPosition, score: i32, depth: u8) -> KnownScore {
    KnownScore { key: position.key(), score: Score(score), depth }
}

fn with(known: Vec<KnownScore>, depth: u8) -> Request {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    Request { knowledge: Knowledge { scores: known, endgames: None }, limits, ..request(START_FEN) }
}

#[test]
fn a_position_known_to_be_good_is_aimed_for() {
    let (done, infos) = run(&with(vec![known(after(&["a4"]), -300, 20)], 6));
    assert_eq!(done.best, after(&[]).parse_move("a4").ok());
    assert_eq!(done.score, Score(300));
    assert_eq!(infos.last().unwrap().pv.len(), 1, "known moves are not searched");
}

#[test]
fn a_known_score_holds_down_to_its_depth() {
    // The first move takes one ply of the search.
    let known = vec![known(after(&["a4"]), -300, 4)];
    assert_eq!(run(&with(known.clone(), 5)).0.score, Score(300));
    let (deeper, _) = run(&with(known, 7));
    assert!(deeper.score.0 < 150, "{:?}", deeper.score);
}

#[test]
fn a_known_mate_is_counted_from_the_root() {
    let (done, _) = run(&with(vec![known(after(&["e4", "e5"]), Score::mate_in(3).0, 9)], 6));
    let line = after(&["e4"]);
    if done.best == after(&[]).parse_move("e4").ok() {
        assert_ne!(done.ponder, line.parse_move("e5").ok(), "the mate is avoided");
    }
    let replies = after(&["a4"]);
    let all = replies.legal_moves().into_iter().map(|mv| {
        let mut position = replies;
        position.play(mv);
        known(position, Score::mate_in(3).0, 9)
    });
    let (done, _) = run(&with(all.collect(), 6));
    assert_eq!(done.best, after(&[]).parse_move("a4").ok());
    assert_eq!(done.score, Score::mate_in(5));
}

#[test]
fn hundreds_of_other_scores_change_no_move() {
    let (plain, _) = run(&with(Vec::new(), 7));
    let others = (0..300).map(|key| KnownScore { key, score: Score(900), depth: 200 }).collect();
    let (done, _) = run(&with(others, 7));
    assert_eq!((done.best, done.score), (plain.best, plain.score));
}

#[test]
fn the_root_has_its_known_score_up_to_its_depth() {
    let root = known(after(&[]), 77, 4);
    let three_lines =
        |known| Request { first_moves: FirstMoves { lines: 3, excluded: Vec::new() }, ..with(known, 6) };
    let (plain, _) = run(&three_lines(Vec::new()));
    let (done, infos) = run(&three_lines(vec![root]));
    let exact = || infos.iter().filter(|info| info.bound == Bound::Exact);
    assert!(exact().filter(|info| info.depth <= 4 && info.line == 1).all(|info| info.score == Score(77)));
    assert!(exact().filter(|info| info.depth <= 4).all(|info| info.score <= Score(77)));
    assert!(exact().filter(|info| info.depth > 4).all(|info| info.score != Score(77)));
    assert_eq!(done.best, plain.best);
    let (shallow, _) = run(&with(vec![root], 3));
    assert_eq!(shallow.score, Score(77));
}
