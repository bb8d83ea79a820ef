//! The score of pairs of games, and the difference in Elo.
//!
//! The two games of a pair have the same opening, so only pairs are independent samples. A pair has
//! five results (pentanomial): 0, ½, 1, 1½ or 2 points for the first engine.

use super::likelihood::{bound, share, shortfall};

/// Pairs by the half points of the first engine in both games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pairs {
    counts: [u32; 5],
}

/// A value with its confidence interval of 95 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Standard deviations that hold 95 % of a normal distribution.
const CONFIDENCE: f64 = 1.959_964;
/// Elo of a standard deviation of a game, near equality: the logistic model's slope.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

impl Estimate {
    /// Half of the interval; infinite if one end is.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

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

    /// The share of points of the first engine, 0 to 1; `None` without pairs. The interval has the
    /// shares that a likelihood-ratio test does not refute, so it is as wide after equal pairs as
    /// their number makes it.
    pub fn score(&self) -> Option<Estimate> {
        let (mean, _) = self.moments()?;
        let most = CONFIDENCE.powi(2) / 2.0;
        let end = |end: f64| if mean == end { end } else { bound(self.counts, mean, end, most) };
        Some(Estimate { value: mean, low: end(0.0), high: end(1.0) })
    }

    /// The difference in Elo; `None` without pairs. At a score of 0 or 100 % it is infinite, as is
    /// one end of its interval.
    pub fn elo(&self) -> Option<Estimate> {
        let Estimate { value, low, high } = self.score()?;
        Some(Estimate { value: elo(value), low: elo(low), high: elo(high) })
    }

    /// The normalized difference in Elo: the score above one half in standard deviations of a game,
    /// on a scale near that of Elo. It needs as many games to show however many of them are drawn.
    /// `None` if all pairs are equal.
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments().filter(|&(_, variance)| variance > 0.0)?;
        let value = NORMALIZED * (mean - 0.5) / (2.0 * variance).sqrt();
        let error = NORMALIZED * CONFIDENCE / f64::from(2 * self.len()).sqrt();
        Some(Estimate { value, low: value - error, high: value + error })
    }

    /// The probability that the first engine is the stronger one (likelihood of superiority);
    /// `None` without pairs.
    pub fn superiority(&self) -> Option<f64> {
        let (mean, _) = self.moments()?;
        let deviations = (2.0 * shortfall(self.counts, 0.5)).sqrt().copysign(mean - 0.5);
        Some(below(deviations))
    }

    /// Adds the pairs of another match.
    pub fn append(&mut self, other: Pairs) {
        self.counts.iter_mut().zip(other.counts).for_each(|(count, more)| *count += more);
    }

    /// Mean and variance of the share of points of a pair.
    pub(super) fn moments(&self) -> Option<(f64, f64)> {
        let all = f64::from(self.len());
        let average = |value: &dyn Fn(usize) -> f64| {
            let weighted =
                self.counts.iter().enumerate().map(|(index, &count)| f64::from(count) * value(index));
            weighted.sum::<f64>() / all
        };
        let mean = average(&share);
        (all > 0.0).then(|| (mean, average(&|index| (share(index) - mean).powi(2))))
    }
}

/// The difference in Elo at which a player is expected to have this share of the points (logistic
/// model).
fn elo(share: f64) -> f64 {
    -400.0 * (1.0 / share - 1.0).log10()
}

/// The probability that a normal variable is below this number of standard deviations, with an
/// error below 10⁻⁷ (Abramowitz and Stegun, 26.2.17).
fn below(deviations: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * deviations.abs());
    let coefficients = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530];
    let series = coefficients.into_iter().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    let tail = series * (-deviations * deviations / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if deviations > 0.0 { 1.0 - tail } else { tail }
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

    /// Published results of tests of chess engines by fishtest and fastchess: pairs, Elo and its
    /// error, normalized Elo and its error.
    const PUBLISHED: [([u32; 5], [f64; 4]); 5] = [
        ([66, 1042, 2452, 1370, 70], [11.68, 3.7, 21.55, 6.9]),
        ([1, 137, 4659, 203, 0], [2.22, 1.3, 12.0, 6.8]),
        ([39, 5335, 18_992, 5622, 12], [1.35, 1.2, 3.13, 2.8]),
        ([235, 1384, 2521, 1341, 239], [-1.06, 4.05, -1.67, 6.37]),
        ([40, 309, 631, 363, 76], [15.44, 8.06, 24.5, 12.78]),
    ];

    #[test]
    fn differences_are_those_of_testing_frameworks() {
        for (counts, [value, error, normalized, its_error]) in PUBLISHED {
            let (elo, own) = (pairs(counts).elo().unwrap(), pairs(counts).normalized_elo().unwrap());
            assert!((elo.value - value).abs() < 0.01 && (elo.error() - error).abs() < 0.06, "{elo:?}");
            assert!(
                (own.value - normalized).abs() < 0.01 && (own.error() - its_error).abs() < 0.1,
                "{own:?}"
            );
        }
        // A small one, whose published interval is that of the normal distribution: ± 73.37.
        let few = pairs([30, 6, 18, 0, 6]);
        assert!((few.elo().unwrap().value + 168.4).abs() < 0.01);
        assert!((few.elo().unwrap().error() - 73.37).abs() < 2.0, "{few:?}");
        assert!((few.normalized_elo().unwrap().value + 170.08).abs() < 0.01);
        assert!((few.normalized_elo().unwrap().error() - 62.16).abs() < 0.01);
    }

    #[test]
    fn superiority_is_that_of_testing_frameworks() {
        let known = [([39, 5335, 18_992, 5622, 12], 0.986), ([235, 1384, 2521, 1341, 239], 0.3033)];
        for (counts, published) in known {
            let found = pairs(counts).superiority().unwrap();
            assert!((found - published).abs() < 5e-4, "{found}");
        }
        assert!(pairs([30, 6, 18, 0, 6]).superiority().unwrap() < 5e-5);
        assert!((pairs([1, 0, 0, 0, 1]).superiority().unwrap() - 0.5).abs() < 1e-6);
        for (deviations, probability) in [(1.0, 0.841_344_746), (-1.959_964, 0.025), (0.0, 0.5)] {
            assert!((below(deviations) - probability).abs() < 1e-7);
        }
    }

    #[test]
    fn error_bars_are_those_of_the_normal_distribution() {
        // Half of the pairs won, half lost: variance 1/4 a pair.
        let score = pairs([50, 0, 0, 0, 50]).score().unwrap();
        assert!((score.value - 0.5).abs() < 1e-12);
        assert!((score.error() - 1.959_964 * (0.25f64 / 100.0).sqrt()).abs() < 2e-3, "{score:?}");
    }

    #[test]
    fn equal_pairs_show_as_much_as_their_number() {
        // With only losses, the likelihood of a share is at least its probability of losing.
        let greatest = |count: u32| 1.0 - (-1.959_964f64.powi(2) / 2.0 / f64::from(count)).exp();
        for count in [1, 3, 50, 1000] {
            let lost = pairs([count, 0, 0, 0, 0]).score().unwrap();
            assert_eq!((lost.value, lost.low), (0.0, 0.0));
            assert!((lost.high - greatest(count)).abs() < 0.002, "{lost:?}");
            let won = pairs([0, 0, 0, 0, count]).score().unwrap();
            assert_eq!((won.value, won.high), (1.0, 1.0));
            assert!((won.low + lost.high - 1.0).abs() < 1e-6, "{won:?}");
            let shared = pairs([0, 0, count, 0, 0]).score().unwrap();
            assert!((shared.error() - greatest(count) / 2.0).abs() < 0.002, "{shared:?}");
        }
        // Lost 0 to 6: at most 47 %, so at least 18 Elo weaker.
        let lost = pairs([3, 0, 0, 0, 0]);
        let elo = lost.elo().unwrap();
        assert_eq!((elo.value, elo.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert!((-19.0..-17.0).contains(&elo.high), "{elo:?}");
        assert_eq!(lost.normalized_elo(), None);
        assert!((0.015..0.025).contains(&lost.superiority().unwrap()));
        assert_eq!((pairs([0; 5]).elo(), pairs([0; 5]).superiority()), (None, None));
    }

    #[test]
    fn shares_and_elo_are_inverse() {
        for difference in [-300.0, 0.0, 5.0, 120.0] {
            assert!((elo(expected_share(difference)) - difference).abs() < 1e-9);
        }
    }
}
