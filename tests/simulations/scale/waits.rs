//! A histogram of waits.

/// Bins for each doubling.
const BINS_PER_DOUBLING: f64 = 4.0;
/// The bin that begins at [`PATIENCE_MS`].
const PATIENCE_BIN: usize = 40;
/// The last bin begins at 51 s.
const BINS: usize = 81;

/// Acceptable total wait of a move for cores, in milliseconds.
pub const PATIENCE_MS: f64 = 50.0;

/// Counts of waits by length. Counts may be expected values, hence fractions.
#[derive(Clone, PartialEq, Debug)]
pub struct Waits {
    counts: [f64; BINS],
}

impl Default for Waits {
    fn default() -> Waits {
        Waits { counts: [0.0; BINS] }
    }
}

/// The lower bound of a bin, in milliseconds.
fn begin(bin: usize) -> f64 {
    if bin == 0 { 0.0 } else { PATIENCE_MS * ((bin as f64 - PATIENCE_BIN as f64) / BINS_PER_DOUBLING).exp2() }
}

impl Waits {
    /// Adds a wait in milliseconds.
    pub fn note(&mut self, wait: f64) {
        let bin = (wait.max(1e-6) / PATIENCE_MS).log2() * BINS_PER_DOUBLING + PATIENCE_BIN as f64;
        self.counts[bin.clamp(0.0, (BINS - 1) as f64) as usize] += 1.0;
    }

    /// Adds another histogram, multiplied by `times`.
    pub fn add(&mut self, other: &Waits, times: f64) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more * times;
        }
    }

    pub fn total(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// The wait in milliseconds that this share of all does not exceed.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut left = share * self.total();
        for (bin, &count) in self.counts.iter().enumerate() {
            if left <= count && count > 0.0 {
                let end = begin(bin + 1);
                return begin(bin) + (end - begin(bin)) * left / count;
            }
            left -= count;
        }
        begin(BINS)
    }

    /// The 99th percentile in milliseconds.
    pub fn p99(&self) -> f64 {
        self.quantile(0.99)
    }

    /// The share of waits longer than [`PATIENCE_MS`].
    pub fn impatient(&self) -> f64 {
        self.counts[PATIENCE_BIN..].iter().sum::<f64>() / self.total().max(f64::MIN_POSITIVE)
    }
}

#[test]
fn quantiles_match_the_recorded_waits() {
    let mut waits = Waits::default();
    (0..1000).for_each(|wait| waits.note(f64::from(wait) / 10.0));
    assert!((waits.quantile(0.5) - 50.0).abs() < 1.0, "{}", waits.quantile(0.5));
    assert!((waits.p99() - 99.0).abs() < 2.0, "{}", waits.p99());
    assert!((waits.impatient() - 0.5).abs() < 0.01, "{}", waits.impatient());
    let mut sum = Waits::default();
    sum.add(&waits, 3.0);
    assert_eq!((sum.total(), sum.p99()), (3000.0, waits.p99()));
}
