//! Games that the engine can play against itself.

use crate::chess::{self, AnyPosition, Move, Outcome};
use crate::draughts;
use crate::draughts::endgames::{Endgames, Value};
use crate::search::GameRecord;

/// A game for self-play.
pub(super) trait SelfPlayed: GameRecord + Clone {
    /// Minimum number of random plies at the beginning, and of additional ones.
    const RANDOM_PLIES: u64;

    /// Returns the outcome of the game if it has ended or the endgame database knows it.
    fn outcome(&self, endgames: Option<&Endgames>) -> Option<Outcome>;
    /// Returns true if the static evaluation is used in such positions, in which the search found
    /// this move best.
    fn is_quiet(&self, best: Move) -> bool;
    /// Returns the FEN of the current position.
    fn fen(&self) -> String;
}

impl SelfPlayed for chess::Game {
    const RANDOM_PLIES: u64 = 6;

    fn outcome(&self, _: Option<&Endgames>) -> Option<Outcome> {
        self.ending().map(|(outcome, _)| outcome)
    }

    /// In orthodox chess, no capture may be pending.
    fn is_quiet(&self, best: Move) -> bool {
        let orthodox = matches!(self.position(), AnyPosition::Standard(_));
        crate::with_position!(self.position(), position => {
            let noisy = orthodox && (position.is_capture(best) || best.promotion().is_some());
            !position.in_check() && !position.must_capture() && !noisy
        })
    }

    fn fen(&self) -> String {
        self.position().fen()
    }
}

impl SelfPlayed for draughts::Game {
    const RANDOM_PLIES: u64 = 4;

    fn outcome(&self, endgames: Option<&Endgames>) -> Option<Outcome> {
        let ended = self.ending().map(|(outcome, _)| outcome);
        let turn = self.position().turn();
        ended.or_else(|| match endgames?.probe(self.position())? {
            Value::Win(_) => Some(Outcome::Win(turn)),
            Value::Draw => Some(Outcome::Draw),
            Value::Loss(_) => Some(Outcome::Win(!turn)),
        })
    }

    fn is_quiet(&self, _: Move) -> bool {
        !self.position().must_jump()
    }

    fn fen(&self) -> String {
        self.position().fen()
    }
}
