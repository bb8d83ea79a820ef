//! Moves made without a search.

use super::world::World;
use farboard::book::Books;
use farboard::draughts::endgames::{SharedEndgames, Value};
use farboard::draughts::{MoveText, Position};
use farboard::pool::{SearchEvent, Shortage};
use farboard::session::Profile;
use farboard::session::checkers::Manners;
use std::sync::Arc;

fn endgames() -> Arc<SharedEndgames> {
    let endgames = Arc::new(SharedEndgames::default());
    endgames.solve(|| {}).expect("a thread");
    while endgames.get().is_none() {
        std::thread::yield_now();
    }
    endgames
}

/// The result after a best move: 1 if the side that moves wins.
fn result(endgames: &SharedEndgames, fen: &str, line: &str) -> i32 {
    let text = line.strip_prefix("BESTMOVE ").unwrap_or_else(|| panic!("no best move: {line}"));
    let before = Position::from_fen(fen).expect("a position");
    let mv = before.find(&MoveText::read(text).expect("a move")).expect("a legal move");
    match endgames.get().expect("endgames").probe(&before.after(mv)) {
        Some(Value::Win(_)) => -1,
        Some(Value::Draw) => 0,
        Some(Value::Loss(_)) => 1,
        None => panic!("{line} leads to an unknown position"),
    }
}

#[test]
fn endgames_decide_moves_without_a_search() {
    let endgames = endgames();
    let profile = Profile { endgames: Arc::clone(&endgames), ..Profile::new("Farboard", Books::default()) };
    let mut world = World::of(Manners::default(), profile);
    world.ask("INIT");
    for (fen, expected) in [("W:WK4,K22:BK6,K19", 0), ("W:WK22,K23:BK1", 1)] {
        world.ask(&format!("NEWGAME {fen}"));
        let replies = world.ask("GO dontplaymove\nSTOP");
        assert_eq!(result(&endgames, fen, &replies[0]), expected, "stopped at once: {replies:?}");
        world.ask("GO dontplaymove");
        world.event(SearchEvent::Refused(Shortage::Searches(8)));
        let replies = world.take();
        assert_eq!(result(&endgames, fen, &replies[1]), expected, "on a busy server: {replies:?}");
    }
}
