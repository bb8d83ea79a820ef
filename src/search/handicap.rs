//! Errors of a player of limited strength: random misjudgements of its first moves, and replies
//! that it overlooks. Both favour natural moves.

use super::request::Request;
use super::score::Score;
use super::strength::Strength;
use crate::chess::Move;
use crate::random::mix;

/// Centipawns by which the least natural move is underestimated, in percent of the maximum error.
const RELUCTANCE: i32 = 150;
/// Maximum of these centipawns: beginners do play such moves.
const MAX_RELUCTANCE: i32 = 150;

/// Errors in the judgement of the moves of one position. They depend only on the position, the
/// moves and the seed, so that they are the same at every depth.
pub(super) struct Handicap {
    /// Maximum error in centipawns; 0 at full strength.
    error: i32,
    /// Number of moves in 1000 whose replies are overlooked.
    overlooked: i32,
    seed: u64,
}

impl Handicap {
    pub(super) fn of(request: &Request) -> Handicap {
        let seed = mix(mix(request.style.seed) ^ request.position.key());
        let means = request.style.strength.map(Strength::means);
        let (error, overlooked) = means.map_or((0, 0), |means| (means.error, means.overlooked));
        Handicap { error, overlooked, seed }
    }

    /// Returns the error in the judgement of a move, given how unnatural it is, from 0 to 100.
    pub(super) fn of_move(&self, mv: Move, unnatural: i32) -> Bias {
        let random = mix(self.seed ^ u64::from(mv.bits()));
        // The sum of two uniform variables: bounded, with small errors most likely.
        let die = |bits: u64| (bits & 0xffff) as i32 * 2 - 0xffff;
        let error = (die(random) + die(random >> 16)) / 2 * self.error / 0xffff;
        let reluctance = (self.error * RELUCTANCE / 100).min(MAX_RELUCTANCE) * unnatural / 100;
        let chance = ((random >> 32) % 1000) as i32;
        let overlooked = chance < self.overlooked * (100 - unnatural) / 100;
        Bias { error: error - reluctance, overlooked }
    }
}

/// Error in the judgement of one move; none by default.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Bias {
    /// Centipawns by which the move is overestimated.
    error: i32,
    /// Whether the replies are not searched.
    pub overlooked: bool,
}

/// The greatest score that is not a mate.
const MAX_NOT_MATE: i32 = Score::MATE_BOUND.0 - 1;

impl Bias {
    /// Returns the misjudged score. Mate scores are never misjudged.
    pub(super) fn apply(self, score: i32) -> i32 {
        if score.abs() > MAX_NOT_MATE {
            score
        } else {
            (score + self.error).clamp(-MAX_NOT_MATE, MAX_NOT_MATE)
        }
    }

    /// Reverses [`Bias::apply`].
    pub(super) fn remove(self, score: i32) -> i32 {
        Bias { error: -self.error, ..self }.apply(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves() -> impl Iterator<Item = Move> {
        (1..2000).filter_map(Move::from_bits)
    }

    #[test]
    fn errors_are_bounded_and_mostly_small() {
        let handicap = Handicap { error: 100, overlooked: 250, seed: 5 };
        let biases: Vec<Bias> = moves().map(|mv| handicap.of_move(mv, 0)).collect();
        assert!(biases.iter().all(|bias| bias.error.abs() <= 100));
        let small = biases.iter().filter(|bias| bias.error.abs() < 50).count();
        assert!((1400..1600).contains(&small), "three quarters: {small}");
        let up = biases.iter().filter(|bias| bias.error > 0).count();
        assert!((900..1100).contains(&up), "{up}");
        let overlooked = biases.iter().filter(|bias| bias.overlooked).count();
        assert!((430..570).contains(&overlooked), "a quarter: {overlooked}");
    }

    #[test]
    fn full_strength_misjudges_nothing() {
        let handicap = Handicap { error: 0, overlooked: 0, seed: 5 };
        assert!(moves().all(|mv| handicap.of_move(mv, 100) == Bias::default()));
    }

    #[test]
    fn unnatural_moves_are_avoided_and_searched() {
        let handicap = Handicap { error: 100, overlooked: 250, seed: 5 };
        for mv in moves() {
            let (natural, odd) = (handicap.of_move(mv, 0), handicap.of_move(mv, 100));
            assert_eq!((odd.error, odd.overlooked), (natural.error - 150, false));
        }
        let beginner = Handicap { error: 300, overlooked: 0, seed: 5 };
        assert!(moves().any(|mv| beginner.of_move(mv, 100).error > 0));
    }

    #[test]
    fn mates_are_not_misjudged() {
        let bias = Bias { error: 300, overlooked: false };
        assert_eq!(bias.apply(20), 320);
        assert_eq!(bias.remove(320), 20);
        for mate in [Score::mate_in(1).0, Score::mated_in(2).0, -Score::INFINITE.0] {
            assert_eq!(bias.apply(mate), mate);
        }
        assert_eq!(Score(bias.apply(MAX_NOT_MATE)).mate_distance(), None);
        assert_eq!(Score(bias.remove(-MAX_NOT_MATE)).mate_distance(), None);
    }
}
