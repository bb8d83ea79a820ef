//! The likelihood of pairs of games by their mean score. Of all distributions of the five results
//! with a mean, the likeliest counts, so nothing is assumed about the variance: the values hold
//! after a few equal pairs, too.

/// Pairs added to each result: every result is possible, even if none has occurred yet.
const PRIOR: f64 = 0.001;

/// The amount by which the logarithm of the likelihood falls short of its maximum if the mean
/// share of points is `mean`, between 0 and 1 exclusive. Not negative. `counts` are the pairs with
/// 0, ½, 1, 1½ and 2 points.
pub(super) fn shortfall(counts: [u32; 5], mean: f64) -> f64 {
    let weights = counts.map(|count| f64::from(count) + PRIOR);
    let multiplier = multiplier(&weights, mean);
    let term = |(result, weight): (usize, &f64)| weight * (multiplier * (share(result) - mean)).ln_1p();
    weights.iter().enumerate().map(term).sum::<f64>().max(0.0)
}

/// The mean nearest to `outer` whose shortfall is at most `most`, between `outer` and the
/// `observed` mean.
pub(super) fn bound(counts: [u32; 5], observed: f64, outer: f64, most: f64) -> f64 {
    let (mut outer, mut inner) = (outer, observed);
    for _ in 0..50 {
        let middle = (outer + inner) / 2.0;
        if shortfall(counts, middle) > most { outer = middle } else { inner = middle }
    }
    inner
}

/// The share of points of a result in half points.
pub(super) fn share(result: usize) -> f64 {
    result as f64 / 4.0
}

/// The Lagrange multiplier of the likeliest distribution with this mean: the probability of a
/// result is its frequency divided by `1 + multiplier × (result - mean)`. It is the zero of a
/// falling sum.
fn multiplier(weights: &[f64; 5], mean: f64) -> f64 {
    let excess = |multiplier: f64| -> f64 {
        let term = |(result, weight): (usize, &f64)| {
            let above = share(result) - mean;
            weight * above / (1.0 + multiplier * above)
        };
        weights.iter().enumerate().map(term).sum()
    };
    // At these ends a probability would be infinite.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_observed_mean_explains_the_pairs_best() {
        let counts = [3, 10, 20, 15, 2];
        let observed = 0.515;
        assert!(shortfall(counts, observed) < 1e-4);
        let falls = [0.52, 0.55, 0.6, 0.8].map(|mean| shortfall(counts, mean));
        assert!(falls.is_sorted() && falls[0] > 0.0, "{falls:?}");
    }

    #[test]
    fn lost_pairs_alone_leave_the_probability_of_losing() {
        // The mean m needs a probability of at least m of other results.
        for mean in [0.1, 0.3, 0.5f64] {
            let expected = -7.0 * (1.0 - mean).ln();
            assert!((shortfall([7, 0, 0, 0, 0], mean) - expected).abs() < 0.02, "{mean}");
        }
    }
}
