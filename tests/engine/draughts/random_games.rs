//! Random games: invariants of every position.

use super::reference;
use farboard::draughts::{Count, Game, Move, MoveText, Position, Setup};
use farboard::random::mix;
use std::collections::BTreeMap;

/// Plays random games from the start and from other positions; calls `check` for every position.
fn each_position(mut check: impl FnMut(&Game)) {
    let starts = [
        farboard::draughts::START_FEN,
        "B:WK4,K6,K8:B13,14,K18,K30,K31",
        "W:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
        "B:W10,11,18,19,26,27:B5,K14,K15",
        "W:WK29-32:BK1-4,6-9",
    ];
    for (start, fen) in starts.into_iter().enumerate() {
        for seed in 0..30u64 {
            let mut game = Game::from_position(super::position(fen));
            for ply in 0..120 {
                check(&game);
                let moves = game.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                game.play(moves[mix(mix(seed << 8 | start as u64) ^ ply) as usize % moves.len()]);
            }
        }
    }
}

#[test]
fn an_obvious_generator_finds_the_same_moves_and_positions() {
    let (mut moves, mut jumps) = (0, 0);
    each_position(|game| {
        let position = game.position();
        let found = position.legal_moves();
        let named: BTreeMap<String, String> =
            found.iter().map(|&mv| (mv.to_string(), position.after(mv).fen())).collect();
        assert_eq!(named.len(), found.len(), "a duplicate move in {}", position.fen());
        assert_eq!(named, reference::legal_moves(&position.fen()), "{}", position.fen());
        let mut count = Count::default();
        position.generate(&mut count);
        assert_eq!(count.0, found.len() as u64);
        assert_eq!(position.has_legal_move(), !found.is_empty());
        assert_eq!(position.must_jump(), found.iter().any(|mv| mv.is_jump()));
        moves += found.len();
        jumps += found.iter().filter(|mv| mv.jumped().count() > 1).count();
    });
    assert!(moves > 20_000 && jumps > 100, "{moves} moves, {jumps} of several jumps");
}

#[test]
fn keys_and_texts_are_those_of_the_position() {
    each_position(|game| {
        let position = game.position();
        let read = Position::from_fen(&position.fen()).expect("it reads back");
        assert_eq!((read.fen(), read.key()), (position.fen(), position.key()));
        assert_eq!(position.key(), position.compute_key());
        assert_eq!(Position::set_up(&position.setup()).map(|position| position.key()), Ok(position.key()));
        let twice = Setup::read(&position.setup().rotated().to_string()).map(|setup| setup.rotated());
        assert_eq!(twice, Ok(position.setup()));
        for &mv in &position.legal_moves() {
            assert_eq!(position.parse_move(&mv.to_string()), Ok(mv));
            assert_eq!(position.parse_move(&position.pdn(mv)), Ok(mv), "{}", position.fen());
            let text = MoveText::read(&MoveText::of(mv).rotated().to_string()).expect("a rotated move");
            assert_eq!(position.find(&text.rotated()), Ok(mv));
        }
    });
}

#[test]
fn just_the_generated_moves_are_legal() {
    let mut asked = 0;
    each_position(|game| {
        if game.moves().len() % 8 == 0 {
            let found = game.position().legal_moves();
            for mv in (1..=u16::MAX).step_by(if asked == 0 { 1 } else { 7 }).filter_map(Move::from_bits) {
                assert_eq!(game.position().is_legal(mv), found.contains(&mv), "{mv:?}");
            }
            assert!(found.iter().all(|&mv| game.position().is_legal(mv)));
            asked += 1;
        }
    });
    assert!(asked > 100);
}

#[test]
fn junk_is_no_position_and_no_move() {
    let letters = b"WBKwbk:,-.\"[]x0123456789 \t\xc3\xa9FEN";
    let start = Position::start();
    let mut positions = 0;
    for seed in 0..200_000u64 {
        let random = |index: u64| mix(mix(seed) ^ index) as usize;
        // Half of the texts start like a position.
        let mut bytes = if seed % 2 == 0 { b"W:WK".to_vec() } else { Vec::new() };
        bytes.extend((0..random(0) as u64 % 14).map(|index| letters[random(1 + index) % letters.len()]));
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(position) = Position::from_fen(&text) {
            assert_eq!(Position::from_fen(&position.fen()), Ok(position), "{text}");
            positions += 1;
        }
        if let Ok(mv) = start.parse_move(&text) {
            assert!(start.is_legal(mv), "{text}");
        }
    }
    assert!(positions > 1000, "only {positions} texts were positions");
    let long = format!("W:W{}", "1,".repeat(100_000));
    assert!(Position::from_fen(&long).is_err());
    assert!(start.parse_move(&"9x14".repeat(100_000)).is_err());
}
