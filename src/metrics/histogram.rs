//! Histograms of times.

use super::Counter;
use std::time::Duration;

/// A histogram of times with fixed bounds.
#[derive(Debug)]
pub struct Histogram {
    /// Upper bounds in microseconds, ascending. Times above the last are counted as well.
    bounds: &'static [u64],
    counts: Box<[Counter]>,
    nanoseconds: Counter,
}

/// A snapshot of a histogram.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    /// Upper bounds in seconds, the last one infinite, each with the number of times above the
    /// previous bound.
    pub buckets: Vec<(f64, u64)>,
    /// Number of times observed.
    pub count: u64,
    /// Their sum in seconds.
    pub sum: f64,
}

impl Histogram {
    /// Creates a histogram with these upper bounds in microseconds, in ascending order.
    pub fn new(bounds: &'static [u64]) -> Histogram {
        let counts = (0..=bounds.len()).map(|_| Counter::new()).collect();
        Histogram { bounds, counts, nanoseconds: Counter::new() }
    }

    /// Counts a time.
    pub fn observe(&self, time: Duration) {
        self.counts[self.bounds.partition_point(|&bound| Duration::from_micros(bound) < time)].add(1);
        self.nanoseconds.add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    /// Reads the counts. Other threads may count meanwhile: `count` matches the buckets, while the
    /// sum may be of a moment later.
    pub fn read(&self) -> Reading {
        let bounds = self
            .bounds
            .iter()
            .map(|&bound| Duration::from_micros(bound).as_secs_f64())
            .chain([f64::INFINITY]);
        let buckets: Vec<(f64, u64)> = bounds.zip(self.counts.iter().map(Counter::get)).collect();
        let count = buckets.iter().map(|&(_, count)| count).sum();
        Reading { buckets, count, sum: Duration::from_nanos(self.nanoseconds.get()).as_secs_f64() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: &[u64] = &[1_000, 10_000, 1_000_000];

    #[test]
    fn a_time_is_counted_below_the_first_bound_that_is_not_less() {
        let histogram = Histogram::new(BOUNDS);
        for micros in [0, 1000, 1001, 10_000, 999_999, 1_000_001, 7_000_000] {
            histogram.observe(Duration::from_micros(micros));
        }
        let reading = histogram.read();
        assert_eq!(reading.buckets, [(0.001, 2), (0.01, 2), (1.0, 1), (f64::INFINITY, 2)]);
        assert_eq!(reading.count, 7);
        assert!((reading.sum - 9.012_001).abs() < 1e-9, "{}", reading.sum);
    }
}
