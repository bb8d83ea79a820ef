//! Logistic regression of results of games by Adam (Kingma and Ba, 2014).

/// Score in centipawns at which ten games are expected to be won for each lost, draws aside.
const SCALE: f32 = 400.0;
/// Every tenth game is held out, for validation.
pub(super) const HELD_OUT: u64 = 10;
/// Minimum number of games.
pub(super) const MIN_GAMES: u64 = 20;

/// Returns the expected result at a score in centipawns, with draws as half a win.
pub(super) fn expected(score: f32) -> f32 {
    1.0 / (1.0 + 10f32.powf(-score / SCALE))
}

/// Returns the mean cross entropy of results, each with its expectation.
pub(super) fn loss(games: impl ExactSizeIterator<Item = (f32, f32)>) -> f32 {
    let count = games.len() as f64;
    let each = games.map(|(result, expected)| {
        let expected = expected.clamp(1e-6, 1.0 - 1e-6);
        f64::from(-result * expected.ln() - (1.0 - result) * (1.0 - expected).ln())
    });
    (each.sum::<f64>() / count) as f32
}

/// The optimizer.
pub(super) struct Adam {
    /// Keeps steps finite where slopes vanish.
    epsilon: f32,
    steps: i32,
    /// Decaying means of each weight's slope and its square.
    means: Vec<[f32; 2]>,
}

impl Adam {
    /// An optimizer of this number of weights.
    pub(super) fn new(weights: usize, epsilon: f32) -> Adam {
        Adam { epsilon, steps: 0, means: vec![[0.0; 2]; weights] }
    }

    /// Takes a step of this length down the slopes of the weights.
    pub(super) fn step<'a>(&mut self, length: f32, weights: impl Iterator<Item = (&'a mut f32, f32)>) {
        self.steps += 1;
        let unbiased = |decay: f32| 1.0 - decay.powi(self.steps.min(100_000));
        let (bias, square_bias) = (unbiased(0.9), unbiased(0.999));
        for ((weight, slope), [mean, square]) in weights.zip(&mut self.means) {
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.999 * *square + 0.001 * slope * slope;
            *weight -= length * (*mean / bias) / ((*square / square_bias).sqrt() + self.epsilon);
        }
    }
}
