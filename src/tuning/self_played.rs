//! Games that the engine can play against itself.

use crate::chess::{self, Move, Outcome};
use crate::draughts;
use crate::draughts::endgames::{Endgames, Value};
use crate::search::{RootPosition, Score};

/// A game, as self-play needs it.
pub(super) trait SelfPlayed: Clone {
    /// Random plies at the beginning: at least this many, and up to as many more.
    const RANDOM_PLIES: u64;
    /// Positions of a game that are kept.
    const MAX_POSITIONS: usize;

    /// The position on the board.
    fn root(&self) -> RootPosition;
    /// Keys of earlier positions that may be repeated.
    fn earlier(&self) -> Vec<u64>;
    /// Plies played.
    fn plies(&self) -> usize;
    /// Plays a legal move.
    fn play_move(&mut self, mv: Move);
    /// How the game has ended, or will end by what is known of few pieces, if that is known.
    fn outcome(&self, endgames: Option<&Endgames>) -> Option<Outcome>;
    /// The position on the board as it is kept, with what a search says of it; `None` if the static evaluation is not asked for
    /// such positions.
    fn kept(&self, score: Score) -> Option<String>;
}

impl SelfPlayed for chess::Game {
    const RANDOM_PLIES: u64 = 6;
    const MAX_POSITIONS: usize = 12;

    fn root(&self) -> RootPosition {
        (*self.position()).into()
    }

    fn earlier(&self) -> Vec<u64> {
        self.history()
    }

    fn plies(&self) -> usize {
        self.moves().len()
    }

    fn play_move(&mut self, mv: Move) {
        self.play(mv);
    }

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

    fn root(&self) -> RootPosition {
        (*self.position()).into()
    }

    fn earlier(&self) -> Vec<u64> {
        self.history().to_vec()
    }

    fn plies(&self) -> usize {
        self.moves().len()
    }

    fn play_move(&mut self, mv: Move) {
        self.play(RootPosition::draughts_move(mv));
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

    /// The score, in centipawns from the view of the side on move, stands behind the position.
    fn kept(&self, score: Score) -> Option<String> {
        (!self.position().must_jump()).then(|| format!("{} {}", self.position().fen(), score.0))
    }
}
