//! Scores: centipawns from the view of the side on move, or plies until mate.

use std::ops::Neg;

/// A score in centipawns from the view of the side on move; mates are counted in plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Score(pub i32);

/// Maximum length of a line in plies.
pub const MAX_PLY: usize = 128;
const MATE: i32 = 32_000;

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(MATE + 1);
    /// The least mate score. Evaluations stay below.
    pub const MATE_BOUND: Score = Score(MATE - 2 * MAX_PLY as i32);

    /// The score if the side on move is mated `plies` from the root.
    pub const fn mated_in(plies: usize) -> Score {
        Score(plies as i32 - MATE)
    }

    /// The score if the side on move mates `plies` from the root.
    pub const fn mate_in(plies: usize) -> Score {
        Score(MATE - plies as i32)
    }

    /// Returns the moves until mate: positive if the side on move mates, negative (or 0: already
    /// mated) if it is mated.
    pub const fn mate_distance(self) -> Option<i32> {
        if self.0 >= Score::MATE_BOUND.0 {
            Some((MATE - self.0 + 1) / 2)
        } else if self.0 <= -Score::MATE_BOUND.0 {
            Some(-((MATE + self.0) / 2))
        } else {
            None
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_distances_are_in_moves() {
        assert_eq!(Score::mate_in(1).mate_distance(), Some(1));
        assert_eq!(Score::mate_in(3).mate_distance(), Some(2));
        assert_eq!(Score::mated_in(0).mate_distance(), Some(0));
        assert_eq!(Score::mated_in(2).mate_distance(), Some(-1));
        assert_eq!(Score(500).mate_distance(), None);
    }
}
