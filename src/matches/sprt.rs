//! The sequential probability ratio test: a match ends as soon as its pairs refute one of two
//! hypotheses.

use super::likelihood::shortfall;
use super::pairs::{Pairs, expected_share};
use std::str::FromStr;

/// Two differences in Elo (logistic), one of which the match refutes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hypotheses {
    /// The lower one.
    pub elo0: f64,
    /// The higher one.
    pub elo1: f64,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The higher difference is refuted.
    Lower,
    /// The lower difference is refuted.
    Higher,
    /// More games are needed.
    Undecided,
}

/// Probability of each kind of error.
const ERROR: f64 = 0.05;

impl Hypotheses {
    /// The logarithm of the likelihood ratio: how much better the higher difference explains the
    /// pairs. The test is the generalized one: for each difference the likeliest distribution of
    /// results counts.
    pub fn log_likelihood_ratio(&self, pairs: &Pairs) -> f64 {
        let unlikely = |elo: f64| shortfall(pairs.counts(), expected_share(elo));
        unlikely(self.elo0) - unlikely(self.elo1)
    }

    /// The verdict on these pairs.
    pub fn verdict(&self, pairs: &Pairs) -> Verdict {
        let ratio = self.log_likelihood_ratio(pairs);
        if ratio >= Hypotheses::bound() {
            Verdict::Higher
        } else if ratio <= -Hypotheses::bound() {
            Verdict::Lower
        } else {
            Verdict::Undecided
        }
    }

    /// The ratio that decides, and its negative.
    pub fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }
}

impl FromStr for Hypotheses {
    type Err = String;

    fn from_str(text: &str) -> Result<Hypotheses, String> {
        let wrong = || format!("{text:?} is not ELO0,ELO1 such as 0,5");
        let (low, high) = text.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
        let hypotheses =
            Hypotheses { elo0: number(low).ok_or_else(wrong)?, elo1: number(high).ok_or_else(wrong)? };
        if hypotheses.elo0 >= hypotheses.elo1 {
            return Err(format!("{text:?}: the first difference must be the lower one"));
        }
        Ok(hypotheses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::mix;

    /// The verdict on an engine that wins this share of the games, without draws, and the pairs
    /// needed.
    fn simulate(seed: u64, share: f64, hypotheses: Hypotheses) -> (Verdict, u32) {
        let mut pairs = Pairs::default();
        let mut draws = 0;
        let mut wins = || {
            draws += 1;
            mix(seed ^ mix(draws)) as f64 / u64::MAX as f64 <= share
        };
        while pairs.len() < 100_000 {
            pairs.add(2 * (usize::from(wins()) + usize::from(wins())));
            let verdict = hypotheses.verdict(&pairs);
            if verdict != Verdict::Undecided {
                return (verdict, pairs.len());
            }
        }
        (Verdict::Undecided, pairs.len())
    }

    #[test]
    fn errors_are_as_rare_as_intended() {
        let hypotheses: Hypotheses = "0,30".parse().unwrap();
        let wrong = |share: f64, right: Verdict| {
            (0..400).filter(|&seed| simulate(seed, share, hypotheses).0 != right).count()
        };
        assert!(wrong(0.5, Verdict::Lower) <= 32, "5 % of 400, and some luck");
        assert!(wrong(expected_share(30.0), Verdict::Higher) <= 32);
    }

    #[test]
    fn a_great_difference_needs_few_games() {
        let (verdict, pairs) = simulate(1, 0.8, "0,30".parse().unwrap());
        assert!(verdict == Verdict::Higher && pairs < 200, "{pairs}");
    }

    #[test]
    fn it_is_about_the_normal_approximation_after_many_games() {
        let mut pairs = Pairs::default();
        for (half_points, count) in [190, 1200, 2100, 1300, 210].into_iter().enumerate() {
            (0..count).for_each(|_| pairs.add(half_points));
        }
        let (mean, variance) = pairs.moments().unwrap();
        let (low, high) = (expected_share(0.0), expected_share(5.0));
        let expected = 5000.0 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance);
        let ratio = "0,5".parse::<Hypotheses>().unwrap().log_likelihood_ratio(&pairs);
        assert!((ratio - expected).abs() < 0.05, "{ratio} {expected}");
    }

    #[test]
    fn a_few_equal_pairs_decide_nothing() {
        let hypotheses: Hypotheses = "0,5".parse().unwrap();
        let mut pairs = Pairs::default();
        assert_eq!(hypotheses.verdict(&pairs), Verdict::Undecided);
        (0..3).for_each(|_| pairs.add(4));
        assert_eq!(
            hypotheses.verdict(&pairs),
            Verdict::Undecided,
            "{}",
            hypotheses.log_likelihood_ratio(&pairs)
        );
    }

    #[test]
    fn hypotheses_are_two_numbers_in_order() {
        for wrong in ["", "5", "5,0", "0,0", "a,b", "0,99999"] {
            assert!(wrong.parse::<Hypotheses>().is_err(), "{wrong}");
        }
    }
}
