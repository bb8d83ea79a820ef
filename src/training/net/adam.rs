//! Steps down the gradient by Adam (Kingma and Ba, 2014).

use super::portable::power;

const DECAYS: [f32; 2] = [0.9, 0.999];
/// Keeps steps finite where slopes vanish.
const EPSILON: f32 = 1e-8;

/// Some rows of weights with what Adam remembers of their slopes.
#[derive(Debug)]
pub(super) struct Part {
    pub weights: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    /// Maximum absolute value of each weight.
    most: Vec<f32>,
}

/// Lengths of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Length divided by the bias of the means, in units of weights.
    length: f32,
    /// Bias of the mean squares.
    square_bias: f32,
}

impl Step {
    /// The step with this number, from 1, and length.
    pub(super) fn new(number: u64, length: f64) -> Step {
        let [bias, square_bias] = DECAYS.map(|decay| 1.0 - power(f64::from(decay), number));
        Step { length: (length / bias) as f32, square_bias: square_bias as f32 }
    }
}

impl Part {
    /// Weights with their bounds.
    pub(super) fn new(weights: Vec<f32>, most: Vec<f32>) -> Part {
        let zeros = vec![0.0; weights.len()];
        Part { weights, means: zeros.clone(), squares: zeros, most }
    }

    /// Takes a step down these slopes.
    pub(super) fn step(&mut self, slopes: &[f32], step: Step) {
        let Part { weights, means, squares, most } = self;
        let moments = means.iter_mut().zip(squares).zip(slopes);
        for ((weight, most), ((mean, square), slope)) in weights.iter_mut().zip(most).zip(moments) {
            *mean = DECAYS[0] * *mean + (1.0 - DECAYS[0]) * slope;
            *square = DECAYS[1] * *square + (1.0 - DECAYS[1]) * (slope * slope);
            let moved = *weight - step.length * *mean / ((*square / step.square_bias).sqrt() + EPSILON);
            *weight = moved.max(-*most).min(*most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_point_within_the_bounds_is_found() {
        let mut part = Part::new(vec![0.0, 0.0], vec![1.0, 0.5]);
        for number in 1..=2000 {
            let slopes: Vec<f32> = part.weights.iter().map(|weight| weight - 0.75).collect();
            part.step(&slopes, Step::new(number, 0.01));
        }
        assert!((part.weights[0] - 0.75).abs() < 1e-3, "{}", part.weights[0]);
        assert_eq!(part.weights[1], 0.5);
    }
}
