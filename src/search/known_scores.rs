//! Positions whose score the client has set.

use super::request::{KnownScore, Request};
use super::score::Score;

/// The known scores of a request, found by key.
pub(super) struct KnownScores {
    /// Sorted by key, and for equal keys from the deepest.
    sorted: Box<[KnownScore]>,
    /// The score of the searched position; `None` if moves are excluded, as the score includes
    /// them.
    root: Option<KnownScore>,
}

impl KnownScores {
    pub(super) fn of(request: &Request) -> KnownScores {
        let mut sorted: Box<[KnownScore]> = request.knowledge.scores.clone().into();
        for known in &mut sorted {
            known.score.0 = known.score.0.clamp(Score::mated_in(0).0, Score::mate_in(0).0);
        }
        sorted.sort_by_key(|known| (known.key, u8::MAX - known.depth));
        let mut known = KnownScores { sorted, root: None };
        if request.first_moves.excluded.is_empty() {
            known.root = known.find(request.position.key());
        }
        known
    }

    /// Returns the score of a position below the root, if known and not overridden by a search
    /// `depth` plies deep.
    #[inline]
    pub(super) fn score(&self, key: u64, depth: i32) -> Option<Score> {
        if self.sorted.is_empty() {
            return None;
        }
        self.find(key).filter(|known| depth <= i32::from(known.depth)).map(|known| known.score)
    }

    /// Returns the score to report for a root line `depth` plies deep whose searched score is
    /// `score`: the known score for the best line (`line` 0), and at most that for others.
    pub(super) fn at_root(&self, line: usize, depth: i32, score: Score) -> Score {
        match self.root {
            Some(known) if depth <= i32::from(known.depth) => {
                if line == 0 {
                    known.score
                } else {
                    known.score.min(score)
                }
            }
            _ => score,
        }
    }

    #[cold]
    fn find(&self, key: u64) -> Option<KnownScore> {
        let first = self.sorted.partition_point(|known| known.key < key);
        self.sorted.get(first).copied().filter(|known| known.key == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Variant};
    use crate::search::{FirstMoves, Knowledge};

    fn known(key: u64, score: i32, depth: u8) -> KnownScore {
        KnownScore { key, score: Score(score), depth }
    }

    fn scores(known: Vec<KnownScore>) -> KnownScores {
        KnownScores::of(&Request {
            knowledge: Knowledge { scores: known, endgames: None },
            ..Request::of(AnyPosition::start(Variant::NORMAL))
        })
    }

    #[test]
    fn scores_hold_up_to_their_depth() {
        let scores = scores(vec![known(9, 90, 4), known(3, 30, 2), known(9, 95, 6), known(u64::MAX, 1, 1)]);
        assert_eq!(scores.score(3, 2), Some(Score(30)));
        assert_eq!(scores.score(3, 3), None);
        assert_eq!(scores.score(9, 3), Some(Score(95)), "the deeper of two");
        assert_eq!(scores.score(u64::MAX, 0), Some(Score(1)));
        assert_eq!(scores.score(4, 0), None);
    }

    #[test]
    fn no_score_exceeds_mate() {
        let scores = scores(vec![known(1, i32::MAX, 4), known(2, i32::MIN, 4)]);
        assert_eq!(scores.score(1, 1), Some(Score::mate_in(0)));
        assert_eq!(scores.score(2, 1), Some(Score::mated_in(0)));
    }

    #[test]
    fn the_root_has_its_known_score_unless_moves_are_excluded() {
        let position = AnyPosition::start(Variant::NORMAL);
        let plain = Request {
            knowledge: Knowledge { scores: vec![known(position.key(), 50, 5)], endgames: None },
            ..Request::of(position)
        };
        let scores = KnownScores::of(&plain);
        assert_eq!(scores.at_root(0, 5, Score(7)), Score(50));
        assert_eq!(scores.at_root(0, 6, Score(7)), Score(7));
        assert_eq!(scores.at_root(1, 5, Score(7)), Score(7));
        assert_eq!(scores.at_root(1, 5, Score(70)), Score(50));
        let excluded = vec![position.parse_move("e4").unwrap()];
        assert_eq!(
            KnownScores::of(&Request { first_moves: FirstMoves { lines: 1, excluded }, ..plain }).at_root(
                0,
                5,
                Score(7)
            ),
            Score(7)
        );
    }
}
