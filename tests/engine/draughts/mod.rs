//! English draughts: the rules against counts on which other programs agree, against a simple
//! generator, and against common bugs of other programs.

mod draws;
mod endgame_files;
mod endgames;
mod play;
mod random_games;
mod reference;
mod traps;

use farboard::draughts::{Position, perft};

/// Counts with more leaves take too long for a test.
const MAX_LEAVES: u64 = 10_000_000;

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The full texts of all legal moves, sorted.
fn moves(fen: &str) -> Vec<String> {
    let mut moves: Vec<String> = position(fen).legal_moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}

#[test]
fn every_count_of_the_file() {
    let mut compared = 0;
    for line in include_str!("../../data/perft-checkers.epd").lines() {
        let mut fields = line.split(';');
        let (Some("checkers"), Some(fen)) = (fields.next(), fields.next()) else { panic!("{line}") };
        for field in fields {
            let (depth, leaves) = field.trim_start_matches('D').split_once(' ').expect("Dn count");
            let (depth, leaves): (u32, u64) = (depth.parse().unwrap(), leaves.parse().unwrap());
            if leaves <= MAX_LEAVES {
                assert_eq!(perft(&position(fen), depth), leaves, "{fen} depth {depth}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 149);
}
