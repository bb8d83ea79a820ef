//! Functions that give the same bits on every machine: they use only operations that IEEE 754
//! defines exactly.

/// Centipawns at which ten games are expected to be won for each lost, draws aside.
const SCALE: f64 = 400.0;

/// Returns the expected result at a score in centipawns, with draws as half a win: from 0 to 1.
pub(super) fn expected(score: f32) -> f32 {
    let tens = (f64::from(score) / SCALE).clamp(-12.0, 12.0);
    (1.0 / (1.0 + power_of_two(-tens * std::f64::consts::LOG2_10))) as f32
}

/// Returns 2ˣ for |x| below 1,000, to about 11 digits.
fn power_of_two(x: f64) -> f64 {
    let whole = x.floor();
    let rest = (x - whole - 0.5) * std::f64::consts::LN_2;
    // The series of the exponential function, around the middle of the interval.
    let series = (1..=11).rev().fold(1.0, |sum, term| 1.0 + sum * rest / f64::from(term));
    let scale = f64::from_bits(((whole as i64 + 1023) as u64) << 52);
    series * std::f64::consts::SQRT_2 * scale
}

/// Returns `base` to the power of a natural number.
pub(super) fn power(base: f64, exponent: u64) -> f64 {
    let (mut base, mut left, mut product) = (base, exponent, 1.0);
    while left > 0 {
        if left & 1 == 1 {
            product *= base;
        }
        base *= base;
        left >>= 1;
    }
    product
}

/// Returns a value that falls from 1 to 0 along half a wave of the cosine, as `part` rises from 0
/// to 1; within 1 % of it.
pub(super) fn falling(part: f64) -> f64 {
    1.0 - part * part * (3.0 - 2.0 * part)
}

/// Returns the cross entropy of a target and an expectation. Only for people, as the logarithm is
/// not the same everywhere.
pub(super) fn cross_entropy(target: f32, expected: f32) -> f64 {
    let (target, expected) = (f64::from(target), f64::from(expected).clamp(1e-6, 1.0 - 1e-6));
    -target * expected.ln() - (1.0 - target) * (1.0 - expected).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_logistic() {
        for score in -3000..=3000i16 {
            let expected = 1.0 / (1.0 + 10f64.powf(-f64::from(score) / SCALE));
            assert!((f64::from(super::expected(score.into())) - expected).abs() < 1e-7, "{score}");
        }
        assert!(expected(f32::MAX) == 1.0 && expected(f32::MIN) < 1e-9);
        assert_eq!(expected(0.0), 0.5);
    }

    #[test]
    fn powers_and_the_wave_are_close() {
        for exponent in [0, 1, 2, 7, 1000] {
            assert!((power(0.999, exponent) - 0.999f64.powi(exponent as i32)).abs() < 1e-12);
        }
        assert!(power(0.9, u64::MAX) == 0.0);
        for step in 0..=100 {
            let part = f64::from(step) / 100.0;
            assert!((falling(part) - (1.0 + (part * std::f64::consts::PI).cos()) / 2.0).abs() < 0.011);
        }
    }
}
