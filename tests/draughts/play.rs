//! What the search finds in positions of which the truth is known. Nodes take the place of time, so that the tests say the same
//! on every machine: ten thousand are less than 10 ms of a core.

use super::endgames::{Numbers, after, four, goodness};
use super::position;
use farboard::draughts::endgames::Value;
use farboard::draughts::{Game, Position};
use farboard::search::bench::OpenGate;
use farboard::search::{Done, Limits, Request, RootPosition, Table, search};
use std::sync::Arc;

/// Searches a position with the database of four pieces.
fn think(game: &Game, nodes: u64, table: &Table) -> Done {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let endgames = Some(Arc::clone(four()));
    let history = game.history().to_vec();
    let request = Request { limits, endgames, history, game: true, ..Request::of(*game.position()) };
    search(&request, table, &mut OpenGate::new(), &mut |_| {})
}

fn best_of(position: Position, nodes: u64) -> (String, Done) {
    let done = think(&Game::from_position(position), nodes, &Table::private(16).unwrap());
    (RootPosition::draughts_move(done.best.expect("a move")).to_string(), done)
}

#[test]
fn no_endgame_is_misjudged_in_ten_milliseconds() {
    let mut missed = Vec::new();
    for line in include_str!("../data/checkers-endgame-truth.epd").lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let keep = fields[4].trim_start_matches("keep ");
        let (found, done) = best_of(position(fields[1]), 10_000);
        if !keep.split(',').any(|kept| kept == found) {
            missed.push(format!("{line}: {found} {:?} at depth {}", done.score, done.depth));
        }
    }
    assert!(missed.is_empty(), "{}\n{} missed", missed.join("\n"), missed.len());
}

#[test]
fn problems_are_solved() {
    for line in include_str!("../data/checkers-problems.epd").lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let Some(key) = fields.iter().find_map(|field| field.strip_prefix("key ")) else { continue };
        let position = position(fields[1]);
        let (found, done) = best_of(position, 3_000_000);
        let solves = |text: &str| position.parse_move(text).is_ok_and(|mv| mv.to_string() == found);
        assert!(key.split(',').any(solves), "{line}: {found} {:?} at depth {}", done.score, done.depth);
    }
}

/// A won position of three or four pieces for the side on move, at least 41 plies from its end.
fn won_positions() -> Vec<Position> {
    let mut numbers = Numbers(7);
    let mut found = Vec::new();
    while found.len() < 30 {
        let pieces = 3 + numbers.below(2);
        let candidate = numbers.position(pieces);
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
                RootPosition::draughts_move(think(&game, 10_000, &table).best.expect("a move"))
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
