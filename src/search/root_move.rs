//! Moves of the searched position.

use super::handicap::Bias;
use super::score::Score;
use crate::chess::Move;

/// A legal move of the searched position.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Error in its judgement. Its scores are misjudged ones.
    pub bias: Bias,
    /// Score in this iteration; lowest if it did not beat the best.
    pub score: i32,
    /// Score when it was last best in a finished search, or a lower bound of it.
    pub last: i32,
    /// Score in the TT before it is searched.
    pub expected: i32,
    /// Its line, beginning with itself.
    pub line: Vec<Move>,
    /// Nodes spent on it.
    pub nodes: u64,
}

/// Score of an unsearched move: below all others.
pub(super) const NOT_SEARCHED: i32 = -Score::INFINITE.0;

impl RootMove {
    /// A move not searched yet.
    pub(super) fn new(mv: Move, bias: Bias) -> RootMove {
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
