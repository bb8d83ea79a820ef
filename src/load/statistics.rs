//! Percentiles, fairness and ratios.

use std::time::Duration;

/// A set of durations.
#[derive(Clone, Default, Debug)]
pub struct Samples {
    micros: Vec<u32>,
    sorted: bool,
}

impl Samples {
    /// Adds a sample. More than an hour counts as an hour.
    pub fn add(&mut self, sample: Duration) {
        let most = Duration::from_secs(3600);
        self.micros.push(sample.min(most).as_micros() as u32);
        self.sorted = false;
    }

    /// Adds all samples of `others`.
    pub fn extend(&mut self, others: &Samples) {
        self.micros.extend_from_slice(&others.micros);
        self.sorted = false;
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.micros.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.micros.is_empty()
    }

    /// The least sample that is at least as long as `percent` percent of all, in milliseconds; `None` without
    /// samples.
    pub fn percentile(&mut self, percent: f64) -> Option<f64> {
        if !self.sorted {
            self.micros.sort_unstable();
            self.sorted = true;
        }
        let rank = (self.micros.len() as f64 * percent / 100.0).ceil() as usize;
        let last = self.micros.len().checked_sub(1)?;
        Some(f64::from(self.micros[rank.saturating_sub(1).min(last)]) / 1000.0)
    }

    /// The longest sample, in milliseconds.
    pub fn worst(&mut self) -> Option<f64> {
        self.percentile(100.0)
    }
}

/// Jain's fairness index: 1 if all shares are equal, 1/n if one of n has everything; `None` if all are zero.
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
    fn percentiles_are_samples() {
        let mut hundred = samples(&(1..=100).rev().collect::<Vec<_>>());
        assert_eq!(hundred.percentile(50.0), Some(50.0));
        assert_eq!(hundred.percentile(99.0), Some(99.0));
        assert_eq!(hundred.percentile(99.5), Some(100.0));
        assert_eq!(hundred.percentile(0.0), Some(1.0));
        assert_eq!(hundred.worst(), Some(100.0));
        hundred.add(Duration::from_millis(500));
        assert_eq!(hundred.worst(), Some(500.0), "also after it was asked before");
        assert_eq!(samples(&[7]).percentile(50.0), Some(7.0));
        assert_eq!(samples(&[]).percentile(50.0), None);
        assert_eq!(samples(&[u64::MAX]).worst(), Some(3_600_000.0));
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
