//! Games that the engine can play against itself.

use crate::chess::{self, Outcome};
use crate::draughts;
use crate::draughts::endgames::{Endgames, Value};
use crate::search::{GameRecord, Score};

/// A game, as self-play needs it.
pub(super) trait SelfPlayed: GameRecord + Clone {
    /// Random plies at the beginning: at least this many, and up to as many more.
    const RANDOM_PLIES: u64;
    /// Positions of a game that are kept.
    const MAX_POSITIONS: usize;

    /// How the game has ended, or will end by what is known of few pieces, if that is known.
    fn outcome(&self, endgames: Option<&Endgames>) -> Option<Outcome>;
    /// The position on the board as it is kept, with what a search says of it; `None` if the static evaluation is not asked for
    /// such positions.
    fn kept(&self, score: Score) -> Option<String>;
}

impl SelfPlayed for chess::Game {
    const RANDOM_PLIES: u64 = 6;
    const MAX_POSITIONS: usize = 12;

    fn outcome(&self, _: Option<&Endgames>) -> Option<Outcome> {
        self.ending().map(|(outcome, _)| outcome)
    }

    fn kept(&self, _: Score) -> Option<String> {
        let quiet = crate::with_position!(self.position(), position => !position.in_check() && !position.must_capture());
        quiet.then(|| self.position().fen())
    }
}

impl SelfPlayed for draughts::Game {
    const RANDOM_PLIES: u64 = 4;
    const MAX_POSITIONS: usize = 64;

    fn outcome(&self, endgames: Option<&Endgames>) -> Option<Outcome> {
        let ended = self.ending().map(|(outcome, _)| outcome);
        let turn = self.position().turn();
        ended.or_else(|| match endgames?.probe(self.position())? {
            Value::Win(_) => Some(Outcome::Win(turn)),
            Value::Draw => Some(Outcome::Draw),
            Value::Loss(_) => Some(Outcome::Win(!turn)),
        })
    }

    /// The score, in centipawns from the view of the side on move, stands behind the position.
    fn kept(&self, score: Score) -> Option<String> {
        (!self.position().must_jump()).then(|| format!("{} {}", self.position().fen(), score.0))
    }
}
