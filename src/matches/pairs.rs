//! The score of pairs of games, and the difference in Elo.
//!
//! The two games of a pair have the same opening, so only pairs are independent samples. A pair has
//! five results (pentanomial): 0, ½, 1, 1½ or 2 points for the first engine.

/// Pairs by the half points of the first engine in both games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pairs {
    counts: [u32; 5],
}

/// A value with its error at 95 % confidence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Half of its confidence interval.
    pub error: f64,
}

/// Pairs added to each result to estimate the error: a few equal pairs do not mean that all would
/// be equal.
const PRIOR: f64 = 0.2;
/// Standard deviations that hold 95 % of a normal distribution.
const CONFIDENCE: f64 = 1.959_964;

impl Pairs {
    /// Adds a pair; half points of the first engine, at most 4.
    pub fn add(&mut self, half_points: usize) {
        self.counts[half_points.min(4)] += 1;
    }

    /// Pairs with 0, ½, 1, 1½ and 2 points.
    pub fn counts(&self) -> [u32; 5] {
        self.counts
    }

    /// The number of pairs.
    pub fn len(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// Returns true if there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The share of points of the first engine, 0 to 1, and its error; `None` without pairs.
    pub fn score(&self) -> Option<Estimate> {
        let (mean, _) = self.moments()?;
        let all = f64::from(self.len());
        let variance = Pairs::moments_of(self.counts.map(|count| f64::from(count) + PRIOR))?.1;
        let error = CONFIDENCE * (variance / all).sqrt();
        Some(Estimate { value: mean, error })
    }

    /// The difference in Elo; a score of 0 or 100 % counts as half a point less extreme. `None`
    /// without pairs.
    pub fn elo(&self) -> Option<Estimate> {
        let score = self.score()?;
        let least = 0.25 / f64::from(self.len());
        let within = |share: f64| elo(share.clamp(least, 1.0 - least));
        let (low, high) = (within(score.value - score.error), within(score.value + score.error));
        Some(Estimate { value: within(score.value), error: (high - low) / 2.0 })
    }

    /// Mean and variance of the share of points of a pair.
    pub(super) fn moments(&self) -> Option<(f64, f64)> {
        Pairs::moments_of(self.counts.map(f64::from))
    }

    fn moments_of(weights: [f64; 5]) -> Option<(f64, f64)> {
        let all: f64 = weights.iter().sum();
        let share = |index: usize| index as f64 / 4.0;
        let mean = weights.iter().enumerate().map(|(index, weight)| share(index) * weight).sum::<f64>() / all;
        let squares =
            weights.iter().enumerate().map(|(index, weight)| (share(index) - mean).powi(2) * weight);
        (all > 0.0).then(|| (mean, squares.sum::<f64>() / all))
    }
}

/// The difference in Elo at which a player is expected to have this share of the points (logistic
/// model).
fn elo(share: f64) -> f64 {
    -400.0 * (1.0 / share - 1.0).log10()
}

/// The share of points expected at a difference in Elo.
pub(super) fn expected_share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(counts: [u32; 5]) -> Pairs {
        Pairs { counts }
    }

    #[test]
    fn elo_as_testing_frameworks_compute_it() {
        // Counts, Elo and errors of published tests of two chess engines.
        for (counts, value, error) in
            [([59, 1751, 4800, 3267, 169], 30.09, 2.56), ([5, 295, 1145, 466, 2], 14.99, 4.97)]
        {
            let elo = pairs(counts).elo().unwrap();
            assert!((elo.value - value).abs() < 0.01 && (elo.error - error).abs() < 0.02, "{elo:?}");
        }
    }

    #[test]
    fn error_bars_are_those_of_the_normal_distribution() {
        // Half of the pairs won, half lost: variance 1/4 a pair.
        let score = pairs([50, 0, 0, 0, 50]).score().unwrap();
        assert!((score.value - 0.5).abs() < 1e-12);
        assert!((score.error - 1.959_964 * (0.25f64 / 100.0).sqrt()).abs() < 1e-3);
        let shared = |count| pairs([0, 0, count, 0, 0]).elo().unwrap();
        assert!(shared(100).value.abs() < 1e-9 && shared(100).error < 5.0, "{:?}", shared(100));
        assert!(shared(1).error > 100.0, "{:?}", shared(1));
    }

    #[test]
    fn won_throughout_is_a_finite_difference() {
        let elo = pairs([0, 0, 0, 0, 50]).elo().unwrap();
        assert!(elo.value > 800.0 && elo.value.is_finite(), "{elo:?}");
        assert_eq!(pairs([0; 5]).elo(), None);
    }

    #[test]
    fn shares_and_elo_are_inverse() {
        for difference in [-300.0, 0.0, 5.0, 120.0] {
            assert!((elo(expected_share(difference)) - difference).abs() < 1e-9);
        }
    }
}
