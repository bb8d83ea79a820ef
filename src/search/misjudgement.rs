//! How a weak player goes wrong about its own moves: it misjudges them by chance, and of some it overlooks what the
//! opponent may reply.

use super::request::Request;
use super::score::Score;
use super::strength::Strength;
use crate::chess::Move;
use crate::chess::zobrist::mix;

/// What a player of limited strength thinks of the moves of one position. Depends on the position, the moves and the
/// seed alone, so that it thinks the same however deep it looks.
pub struct Judgement {
    /// Centipawns; 0 at full strength.
    error: i32,
    /// Moves, out of 1000, whose replies are overlooked.
    overlooked: i32,
    seed: u64,
}

impl Judgement {
    pub fn of(request: &Request) -> Judgement {
        let seed = mix(mix(request.seed) ^ request.position.key());
        let means = request.strength.map(Strength::means);
        let (error, overlooked) = means.map_or((0, 0), |means| (means.error, means.overlooked));
        Judgement { error, overlooked, seed }
    }

    /// What it thinks of a move.
    pub fn about(&self, mv: Move) -> Bias {
        let random = mix(self.seed ^ u64::from(mv.bits()));
        // The sum of two even chances: small errors are the most likely, and none is beyond measure.
        let die = |bits: u64| (bits & 0xffff) as i32 * 2 - 0xffff;
        let error = (die(random) + die(random >> 16)) / 2 * self.error / 0xffff;
        let chance = ((random >> 32) % 1000) as i32;
        Bias { error, overlooked: chance < self.overlooked }
    }
}

/// What is wrong with the judgement of one move. By default nothing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Bias {
    /// Centipawns by which the move is thought better than it is.
    error: i32,
    /// What may follow is not looked at.
    pub overlooked: bool,
}

/// The greatest score that is not a mate.
const MAX_NOT_MATE: i32 = Score::MATE_BOUND.0 - 1;

impl Bias {
    /// The score the move is thought to have, of the one it has. Nobody misjudges a mate.
    pub fn apply(self, score: i32) -> i32 {
        if score.abs() > MAX_NOT_MATE {
            score
        } else {
            (score + self.error).clamp(-MAX_NOT_MATE, MAX_NOT_MATE)
        }
    }

    /// The reverse of [`Bias::apply`].
    pub fn remove(self, score: i32) -> i32 {
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
    fn errors_are_mostly_small_and_never_beyond_measure() {
        let judgement = Judgement { error: 100, overlooked: 250, seed: 5 };
        let biases: Vec<Bias> = moves().map(|mv| judgement.about(mv)).collect();
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
        let judgement = Judgement { error: 0, overlooked: 0, seed: 5 };
        assert!(moves().all(|mv| judgement.about(mv) == Bias::default()));
    }

    #[test]
    fn nobody_misjudges_a_mate() {
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
