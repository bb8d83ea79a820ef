//! Games that the engine can play against itself.

use crate::chess::{self, Outcome};
use crate::draughts;
use crate::draughts::endgames::{Endgames, Value};
use crate::search::{GameRecord, RootPosition};

/// A game for self-play.
pub(super) trait SelfPlayed: GameRecord + Clone {
    /// Number of random plies at the beginning; half of the games have one more.
    const RANDOM_PLIES: u32;
    /// Maximum absolute score of an opening in centipawns.
    const OPENING_LIMIT: i32;

    /// A game from a position of this kind of game.
    fn from_root(start: RootPosition) -> Option<Self>;
    /// Returns the outcome of the game if it has ended or the endgame database knows it.
    fn outcome(&self, endgames: Option<&Endgames>) -> Option<Outcome>;
}

impl SelfPlayed for chess::Game {
    const RANDOM_PLIES: u32 = 8;
    const OPENING_LIMIT: i32 = 300;

    fn from_root(start: RootPosition) -> Option<chess::Game> {
        start.chess().map(chess::Game::from_position)
    }

    fn outcome(&self, _: Option<&Endgames>) -> Option<Outcome> {
        self.ending().map(|(outcome, _)| outcome)
    }
}

impl SelfPlayed for draughts::Game {
    const RANDOM_PLIES: u32 = 8;
    /// About a man, which mostly wins.
    const OPENING_LIMIT: i32 = 150;

    fn from_root(start: RootPosition) -> Option<draughts::Game> {
        match start {
            RootPosition::Draughts(start) => Some(draughts::Game::from_position(start)),
            RootPosition::Chess(_) => None,
        }
    }

    fn outcome(&self, endgames: Option<&Endgames>) -> Option<Outcome> {
        let ended = self.ending().map(|(outcome, _)| outcome);
        let turn = self.position().turn();
        ended.or_else(|| match endgames?.probe(self.position())? {
            Value::Win(_) => Some(Outcome::Win(turn)),
            Value::Draw => Some(Outcome::Draw),
            Value::Loss(_) => Some(Outcome::Win(!turn)),
        })
    }
}
