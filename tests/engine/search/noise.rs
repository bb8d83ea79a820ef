//! Moves of about equal value alternate.

use super::{request, run, untimed};
use farboard::chess::START_FEN;
use farboard::search::{Done, Limits, Request, Style};
use std::collections::HashSet;

fn noisy(fen: &str, noise: u8, seed: u64) -> Done {
    let limits = Limits { nodes: Some(3000), ..Limits::default() };
    untimed(run(&Request { limits, style: Style { noise, seed, ..Style::default() }, ..request(fen) }).0)
}

#[test]
fn the_seed_chooses_among_good_moves() {
    let first_moves = |noise| (0..20).map(|seed| noisy(START_FEN, noise, seed).best).collect::<HashSet<_>>();
    assert_eq!(first_moves(0).len(), 1);
    assert!(first_moves(10).len() >= 3, "{:?}", first_moves(10));
}

#[test]
fn the_same_seed_is_the_same_search() {
    assert_eq!(noisy(START_FEN, 10, 3), noisy(START_FEN, 10, 3));
    assert_ne!(noisy(START_FEN, 10, 3), noisy(START_FEN, 10, 4));
}

#[test]
fn noise_neither_hides_a_piece_nor_invents_a_mate() {
    for seed in 0..10 {
        let hanging = "4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1";
        let done = noisy(hanging, u8::MAX, seed);
        assert_eq!(done.best, super::position(hanging).parse_move("Qxd5").ok(), "seed {seed}");
        let calm = noisy(START_FEN, u8::MAX, seed);
        assert_eq!(calm.score.mate_distance(), None);
    }
}
