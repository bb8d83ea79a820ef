//! Percentiles, fairness and ratios.

use hdrhistogram::Histogram;
use std::time::Duration;

/// A set of durations, with three significant digits.
#[derive(Clone, Debug)]
pub struct Samples(Histogram<u64>);

impl Default for Samples {
    fn default() -> Samples {
        // Three digits are among those that a histogram can have.
        Samples(Histogram::new(3).unwrap_or_else(|_| unreachable!()))
    }
}

impl Samples {
    /// Adds a sample.
    pub fn add(&mut self, sample: Duration) {
        // A histogram that resizes itself takes any value.
        let _ = self.0.record(u64::try_from(sample.as_micros()).unwrap_or(u64::MAX));
    }

    /// Adds all samples of `others`.
    pub fn extend(&mut self, others: &Samples) {
        let _ = self.0.add(&others.0);
    }

    /// Number of samples.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Returns true if there are no samples.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A percentile in milliseconds; `None` without samples.
    pub fn percentile(&self, percent: f64) -> Option<f64> {
        (!self.is_empty()).then(|| self.0.value_at_percentile(percent) as f64 / 1000.0)
    }

    /// The longest sample, in milliseconds.
    pub fn worst(&self) -> Option<f64> {
        self.percentile(100.0)
    }
}

/// Jain's fairness index: 1 if all shares are equal, 1/n if one of n has everything; `None` if all
/// are zero.
///
/// R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of Fairness and Discrimination, 1984.
pub fn jain(shares: impl IntoIterator<Item = u64>) -> Option<f64> {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for share in shares {
        let share = share as f64;
        count += 1.0;
        sum += share;
        squares += share * share;
    }
    (squares > 0.0).then(|| sum * sum / (count * squares))
}

/// `part / whole`; `None` if `whole` is zero.
pub fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(millis: &[u64]) -> Samples {
        let mut samples = Samples::default();
        millis.iter().for_each(|&one| samples.add(Duration::from_millis(one)));
        samples
    }

    #[test]
    fn percentiles_have_three_digits() {
        let mut hundred = samples(&(1..=100).rev().collect::<Vec<_>>());
        for (percent, expected) in [(0.0, 1.0), (50.0, 50.0), (99.0, 99.0), (100.0, 100.0)] {
            let found = hundred.percentile(percent).unwrap();
            assert!((found / expected - 1.0).abs() < 1e-3, "{found} for {expected}");
        }
        hundred.extend(&samples(&[500]));
        assert!((hundred.worst().unwrap() / 500.0 - 1.0).abs() < 1e-3);
        assert_eq!((hundred.len(), samples(&[]).percentile(50.0)), (101, None));
    }

    #[test]
    fn fairness_is_between_one_and_one_in_n() {
        assert_eq!(jain([5, 5, 5, 5]), Some(1.0));
        assert_eq!(jain([0, 0, 8, 0]), Some(0.25));
        assert!((jain([1, 2, 3]).unwrap() - 36.0 / 42.0).abs() < 1e-12);
        assert_eq!(jain([0, 0]), None);
        assert_eq!(jain([]), None);
    }

    #[test]
    fn nothing_is_no_part_of_nothing() {
        assert_eq!(ratio(1.0, 4.0), Some(0.25));
        assert_eq!(ratio(1.0, 0.0), None);
    }
}
