//! What a request adds to evaluations: small random differences, so that moves of about equal worth take turns, and the demands of
//! a partner.

use super::demands::Appetite;
use super::request::Request;
use super::root_position::with_searchable;
use super::searchable::Searchable;
use crate::chess::zobrist::mix;

/// Adds to evaluations what depends on nothing but the position and a seed: a search is the same every time, and agrees
/// with itself.
#[derive(Clone, Copy)]
pub struct Adjustment {
    /// Greatest value added or taken away, in centipawns.
    amplitude: i32,
    seed: u64,
    appetite: Option<Appetite>,
}

impl Adjustment {
    pub fn of(request: &Request) -> Adjustment {
        let appetite = with_searchable!(request, position => Appetite::of(request.demands, position));
        Adjustment { amplitude: i32::from(request.noise), seed: mix(request.seed), appetite }
    }

    /// The static evaluation, with what is added.
    #[inline]
    pub fn evaluate<P: Searchable>(self, position: &P) -> i32 {
        let demanded = self.appetite.map_or(0, |appetite| appetite.evaluate(position));
        let worth = position.evaluate() + demanded;
        if self.amplitude == 0 { worth } else { worth + self.at(position.key()) }
    }

    /// What is added for the position of this key: any value within the amplitude is as likely.
    fn at(self, key: u64) -> i32 {
        let values = 2 * self.amplitude as u64 + 1;
        let upper = mix(key ^ self.seed) >> 32;
        ((upper * values) >> 32) as i32 - self.amplitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_values_come_and_none_beyond() {
        let adjustment = Adjustment { amplitude: 4, seed: 1, appetite: None };
        let mut seen = [0; 9];
        for key in 0..9000 {
            seen[(adjustment.at(mix(key)) + 4) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
    }

    #[test]
    fn another_seed_is_another_noise() {
        let differ = |seed| {
            let of = |seed| Adjustment { amplitude: 4, seed, appetite: None };
            let (one, other) = (of(1), of(seed));
            (0..1000).filter(|&key| one.at(key) != other.at(key)).count()
        };
        assert_eq!(differ(1), 0);
        assert!(differ(2) > 800, "{}", differ(2));
    }
}
