//! Games that the engine can play against itself.

use crate::chess::{self, AnyPosition, Move, Outcome};
use crate::draughts;
use crate::draughts::endgames::{Endgames, Value};
use crate::search::GameRecord;

/// A game, as self-play needs it.
pub(super) trait SelfPlayed: GameRecord + Clone {
    /// Random plies at the beginning: at least this many, and up to as many more.
    const RANDOM_PLIES: u64;

    /// How the game has ended, or will end by what is known of few pieces, if that is known.
    fn outcome(&self, endgames: Option<&Endgames>) -> Option<Outcome>;
    /// Whether the static evaluation is asked for such positions, in which the search found this move best.
    fn is_quiet(&self, best: Move) -> bool;
    /// The position on the board.
    fn fen(&self) -> String;
}

impl SelfPlayed for chess::Game {
    const RANDOM_PLIES: u64 = 6;

    fn outcome(&self, _: Option<&Endgames>) -> Option<Outcome> {
        self.ending().map(|(outcome, _)| outcome)
    }

    /// In orthodox chess not where something is about to be taken.
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
