//! Moves of the searched position, and what is known of them.

use super::handicap::Bias;
use super::score::Score;
use crate::chess::Move;

/// A move that can be played in the searched position.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// How it is misjudged. Its scores are what it is thought to be worth.
    pub bias: Bias,
    /// Its score in this iteration; lowest if it did not beat the best.
    pub score: i32,
    /// Its score when it was last the best of a finished search, or at least that if it was too good for the window.
    pub last: i32,
    /// Its score as the TT has it, until it was searched.
    pub expected: i32,
    /// Its line, itself first.
    pub line: Vec<Move>,
    /// Nodes spent on it in all.
    pub nodes: u64,
}

/// The score of a move of which nothing is known: below all others.
pub const NOT_SEARCHED: i32 = -Score::INFINITE.0;

impl RootMove {
    /// A move that was not searched yet.
    pub fn new(mv: Move, bias: Bias) -> RootMove {
        RootMove {
            mv,
            bias,
            score: NOT_SEARCHED,
            last: NOT_SEARCHED,
            expected: NOT_SEARCHED,
            line: vec![mv],
            nodes: 0,
        }
    }
}
