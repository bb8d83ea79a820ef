//! Additions of a request to evaluations: noise, so that moves of about equal worth take turns, the
//! bias for a partner, and contempt.

use super::partner_bias::PartnerBias;
use super::request::{Request, Style};
use super::root_position::with_searchable;
use super::searchable::Searchable;
use crate::chess::Color;
use crate::random::mix;

/// Maximum contempt in centipawns.
const MOST_CONTEMPT: i32 = 20_000;

/// Values added to evaluations. They depend only on the position and a seed, so that searches are
/// consistent and reproducible.
#[derive(Clone, Copy)]
pub(super) struct Adjustment {
    /// Maximum noise in centipawns.
    amplitude: i32,
    seed: u64,
    partner_bias: Option<PartnerBias>,
    /// Score of a draw for the side on move at the root, in centipawns.
    draw: i32,
    /// The side on move at the root.
    root_side: Color,
}

impl Adjustment {
    pub(super) fn of(request: &Request) -> Adjustment {
        let Style { contempt, noise, seed, partner, strength: _ } = request.style;
        let needs = partner.unwrap_or_default();
        let partner_bias = with_searchable!(request, position => PartnerBias::of(needs, position));
        Adjustment {
            amplitude: i32::from(noise),
            seed: mix(seed),
            partner_bias,
            draw: (-i32::from(contempt)).clamp(-MOST_CONTEMPT, MOST_CONTEMPT),
            root_side: request.position.turn(),
        }
    }

    /// Returns the score of a draw for a side.
    #[inline]
    pub(super) fn draw(&self, side: Color) -> i32 {
        if side == self.root_side { self.draw } else { -self.draw }
    }

    /// Returns the static evaluation with the adjustment.
    #[inline]
    pub(super) fn evaluate<P: Searchable>(&self, position: &P) -> i32 {
        let bias = self.partner_bias.as_ref().map_or(0, |bias| bias.evaluate(position));
        let worth = position.evaluate() + bias;
        if self.amplitude == 0 { worth } else { worth + self.noise(position.key()) }
    }

    /// Returns the noise of the position with this key, uniformly distributed within the amplitude.
    fn noise(&self, key: u64) -> i32 {
        let values = 2 * self.amplitude as u64 + 1;
        let upper = mix(key ^ self.seed) >> 32;
        ((upper * values) >> 32) as i32 - self.amplitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_seed(seed: u64) -> Adjustment {
        Adjustment { amplitude: 4, seed, partner_bias: None, draw: 0, root_side: Color::White }
    }

    #[test]
    fn noise_is_uniform_within_the_amplitude() {
        let adjustment = with_seed(1);
        let mut seen = [0; 9];
        for key in 0..9000 {
            seen[(adjustment.noise(mix(key)) + 4) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
    }

    #[test]
    fn noise_depends_on_the_seed() {
        let differ = |seed| {
            let (one, other) = (with_seed(1), with_seed(seed));
            (0..1000).filter(|&key| one.noise(key) != other.noise(key)).count()
        };
        assert_eq!(differ(1), 0);
        assert!(differ(2) > 800, "{}", differ(2));
    }
}
