//! The value of a draw.

use super::{request, run};
use farboard::chess::{Game, Variant};
use farboard::search::{Done, Limits, Past, Request, Style};

/// White's move and score in a position where Qg5+ would be the third repetition.
fn instead_of_repeating(fen: &str, contempt: i16) -> (String, i32) {
    let mut game = Game::from_fen(Variant::NORMAL, fen).unwrap();
    for text in ["Qg5+", "Kf8", "Qd8+", "Kg7"].repeat(3) {
        game.play(game.position().parse_move(text).unwrap());
    }
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let position = *game.position();
    let (done, _) = run(&Request {
        past: Past { history: game.history(), played: None },
        style: Style { contempt, ..Style::default() },
        limits,
        ..Request::of(position)
    });
    (position.san(done.best.unwrap()), done.score.0)
}

#[test]
fn with_contempt_a_draw_is_avoided() {
    let worse = "6k1/ppp2p1p/5Q2/8/8/7P/2q2PP1/6K1 w - - 0 1";
    assert_eq!(instead_of_repeating(worse, 0), ("Qg5+".into(), 0));
    let (played, score) = instead_of_repeating(worse, 200);
    assert_ne!(played, "Qg5+");
    assert!((-200..0).contains(&score), "{score}");
}

#[test]
fn with_negative_contempt_a_draw_is_taken() {
    let better = "6k1/5p1p/5Q2/8/8/7P/P1q2PP1/6K1 w - - 0 1";
    let (played, score) = instead_of_repeating(better, 0);
    assert_ne!(played, "Qg5+");
    assert!((100..400).contains(&score), "{score}");
    assert_eq!(instead_of_repeating(better, -400), ("Qg5+".into(), 400));
}

fn to_depth(fen: &str, depth: u8, contempt: i16) -> Done {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    run(&Request { limits, style: Style { contempt, ..Style::default() }, ..request(fen) }).0
}

#[test]
fn every_kind_of_draw_counts() {
    for (kind, fen) in [
        ("no mate is possible", "8/8/8/8/8/3k4/p7/K7 w - - 0 1"),
        ("stalemate", "k7/P7/2K5/8/8/8/8/8 w - - 0 1"),
        ("fifty moves", "4k3/8/8/8/8/r7/8/4K2R w - - 99 90"),
    ] {
        assert_eq!(to_depth(fen, 4, 0).score.0, 0, "{kind}");
        assert_eq!(to_depth(fen, 4, 30).score.0, -30, "{kind}");
        assert_eq!(to_depth(fen, 4, -30).score.0, 30, "{kind}");
    }
}

#[test]
fn no_contempt_is_worth_a_mate() {
    for contempt in [i16::MAX, i16::MIN] {
        let done = to_depth("8/8/8/1k2p3/8/3K1N2/8/8 w - - 0 1", 6, contempt);
        assert_eq!(done.score.mate_distance(), None);
    }
}
