//! Moves of the searched position, and the state of an iteration over them.

use super::handicap::{Bias, Handicap};
use super::params::{CALM_DROP, CALM_ITERATIONS};
use super::request::Request;
use super::score::{MAX_PLY, Score};
use super::searchable::Searchable;
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

/// The root moves, best first, and the iteration over them.
#[derive(Default)]
pub(super) struct Root {
    pub moves: Vec<RootMove>,
    /// Index of the line being searched (MultiPV).
    pub line: usize,
    /// Depth of the iteration.
    pub depth: i32,
    /// Length of the longest path of the iteration.
    pub selective_depth: usize,
    /// Number of moves searched in this iteration.
    pub searched: usize,
    /// The move being searched.
    pub current: Option<Move>,
    /// Whether the best move is not known to be worse than expected.
    pub settled: bool,
    /// The best move and its score in the last iteration.
    pub stability: Stability,
}

impl Root {
    /// The moves of a position, without the excluded ones.
    pub(super) fn new<P: Searchable>(position: &P, request: &Request) -> Root {
        let handicap = Handicap::of(request);
        let moves =
            position.legal_moves().into_iter().filter(|mv| !request.first_moves.excluded.contains(mv));
        let searched_later = |mv| RootMove {
            mv,
            bias: handicap.of_move(mv, position.unnaturalness(mv)),
            score: NOT_SEARCHED,
            last: NOT_SEARCHED,
            expected: NOT_SEARCHED,
            line: vec![mv],
            nodes: 0,
        };
        Root { moves: moves.map(searched_later).collect(), ..Root::default() }
    }

    /// Returns the best move.
    pub(super) fn best(&self) -> &RootMove {
        &self.moves[0]
    }

    /// Begins to search a line.
    pub(super) fn begin_line(&mut self, line: usize) {
        (self.line, self.selective_depth) = (line, 0);
    }

    /// Returns the maximum depth, if the limits have this one.
    pub(super) fn deepest(&self, limit: Option<u8>) -> i32 {
        if self.moves.iter().all(|root| root.bias.overlooked) {
            return 1;
        }
        i32::from(limit.unwrap_or(u8::MAX)).clamp(1, MAX_PLY as i32 - 8)
    }

    /// Returns true if the best move and its score have been stable for some iterations.
    pub(super) fn is_calm(&self) -> bool {
        let Stability { best, iterations, dropped, .. } = self.stability;
        iterations >= CALM_ITERATIONS && dropped <= CALM_DROP && best == Some(self.best().mv)
    }

    /// Notes the result of a finished iteration.
    pub(super) fn note_iteration(&mut self) {
        let RootMove { mv, score, .. } = *self.best();
        let before = self.stability;
        self.stability = Stability {
            best: Some(mv),
            iterations: if before.best == Some(mv) { (before.iterations + 1).min(6) } else { 0 },
            score,
            dropped: if self.depth > 5 { (before.score - score).clamp(0, 80) } else { 0 },
        };
    }

    /// Notes the score and the line below a move.
    pub(super) fn keep_line(&mut self, index: usize, score: i32, below: impl Iterator<Item = Move>) {
        let root = &mut self.moves[index];
        root.score = score;
        root.line.truncate(1);
        root.line.extend(below);
    }
}

/// Stability of the best move and its score over the iterations.
#[derive(Clone, Copy, Default)]
pub(super) struct Stability {
    best: Option<Move>,
    /// Number of iterations for which the best move has been the same, 6 at most.
    pub iterations: i32,
    score: i32,
    /// Centipawns by which the score has dropped in the last iteration, 80 at most.
    pub dropped: i32,
}
