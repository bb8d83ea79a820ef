//! Searches of positions with known values. Limits are nodes instead of time, so that results are
//! the same on every machine: ten thousand take about 10 ms of a core.

use super::endgames::{after, four, goodness, random_position};
use super::position;
use crate::support::dice::Dice;
use farboard::draughts::endgames::{Endgames, Value};
use farboard::draughts::{Game, Position};
use farboard::search::bench::OpenGate;
use farboard::search::{Done, GameRecord, Knowledge, Limits, Past, Request, Table, draughts_move, search};
use std::sync::Arc;

/// Searches a position with a database.
fn think(game: &Game, nodes: u64, table: &Table, endgames: &Arc<Endgames>) -> Done {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (history, endgames) = (game.earlier(), Some(Arc::clone(endgames)));
    let request = Request {
        limits,
        knowledge: Knowledge { scores: Vec::new(), endgames },
        past: Past { history, played: None },
        game: true,
        ..Request::of(game.root())
    };
    search(&request, table, &mut OpenGate::new(), &mut |_| {})
}

fn best_of(position: Position, nodes: u64, endgames: &Arc<Endgames>) -> (String, Done) {
    let table = Table::private(16).unwrap();
    let done = think(&Game::from_position(position), nodes, &table, endgames);
    (draughts_move(done.best.expect("a move")).to_string(), done)
}

/// Checks that no position of the file with up to this many pieces is misjudged.
fn keep_what_can_be_kept(pieces: u32, nodes: u64, endgames: &Arc<Endgames>) {
    let mut missed = Vec::new();
    for line in include_str!("../../data/checkers-endgame-truth.epd").lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let position = position(fields[1]);
        if 32 - position.empty().count() > pieces {
            continue;
        }
        let keep = fields[4].trim_start_matches("keep ");
        let (found, done) = best_of(position, nodes, endgames);
        if !keep.split(',').any(|kept| kept == found) {
            missed.push(format!("{line}: {found} {:?} at depth {}", done.score, done.depth));
        }
    }
    assert!(missed.is_empty(), "{}\n{} missed", missed.join("\n"), missed.len());
}

/// A problem whose key the search has not found within 40 million nodes.
const UNSOLVED: &str = "Hard Problem";

/// Checks that every problem of the file is solved, except those with `but` in their names and
/// [`UNSOLVED`].
fn solve_problems(but: &str, nodes: u64, endgames: &Arc<Endgames>) {
    for line in include_str!("../../data/checkers-problems.epd").lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let Some(key) = fields.iter().find_map(|field| field.strip_prefix("key ")) else { continue };
        if line.contains(but) || line.contains(UNSOLVED) {
            continue;
        }
        let position = position(fields[1]);
        let (found, done) = best_of(position, nodes, endgames);
        let solves = |text: &str| position.parse_move(text).is_ok_and(|mv| mv.to_string() == found);
        assert!(key.split(',').any(solves), "{line}: {found} {:?} at depth {}", done.score, done.depth);
    }
}

#[test]
fn endgames_of_a_piece_more_than_are_known_are_not_misjudged() {
    keep_what_can_be_kept(5, 50_000, four());
}

#[test]
fn problems_are_solved() {
    // Seven pieces whose win is deeper than a search of this many nodes sees.
    solve_problems("Fourth Position", 3_000_000, four());
}

/// `FARBOARD_ENDGAMES` names a folder filled by `farboard endgames FOLDER --pieces 6`.
#[test]
#[ignore = "needs the files of six pieces"]
fn with_six_pieces_nothing_is_misjudged() {
    let mut six = Endgames::default();
    let folder = std::env::var_os("FARBOARD_ENDGAMES").expect("FARBOARD_ENDGAMES names a folder");
    six.open(folder.as_ref()).unwrap();
    assert_eq!(six.max_pieces(), 6);
    let six = Arc::new(six);
    keep_what_can_be_kept(6, 10_000, &six);
    solve_problems("Fourth Position 3", 3_000_000, &six);
}

/// A won position of three or four pieces for the side to move, at least 41 plies from its end.
fn won_positions() -> Vec<Position> {
    let mut dice = Dice::of_seed(7);
    let mut found = Vec::new();
    while found.len() < 30 {
        let pieces = 3 + dice.roll(2);
        let candidate = random_position(&mut dice, pieces);
        if matches!(four().probe(&candidate), Some(Value::Win(Some(41..)))) && !candidate.must_jump() {
            found.push(candidate);
        }
    }
    found
}

#[test]
fn won_endings_are_won_against_the_best_defence() {
    for start in won_positions() {
        let mut game = Game::from_position(start);
        let winner = start.turn();
        let table = Table::private(1).unwrap();
        while game.ending().is_none() {
            let position = *game.position();
            let mv = if position.turn() == winner {
                draughts_move(think(&game, 10_000, &table, four()).best.expect("a move"))
            } else {
                let moves = position.legal_moves().into_iter();
                moves.max_by_key(|&mv| goodness(after(four(), &position, mv))).expect("a move")
            };
            game.play(mv);
        }
        let (outcome, ending) = game.ending().expect("it is over");
        assert_eq!(outcome, farboard::chess::Outcome::Win(winner), "{}: {ending:?}", start.fen());
    }
}
