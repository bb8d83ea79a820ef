//! The network of draughts, fitted to results of games and scores of searches.

use super::fit::FitArguments;
use super::games::{self, GameRules, GamesError, Samples};
use super::regression::{self, Adam, HELD_OUT, MIN_GAMES, expected};
use crate::draughts::Position;
use crate::progress_bar::ProgressBar;
use crate::random::mix;
use crate::search::RootPosition;
use crate::search::tuning::evaluate_draughts;
use crate::search::tuning::network::{
    FULL, HIDDEN, INPUTS, Network, OUTPUTS, UNIT, WORTH, for_each_input, output,
};
use arrayvec::ArrayVec;

/// Share of the result in the target; the rest is the search's score.
const RESULT: f32 = 0.6;
const EPOCHS: u64 = 24;
const BATCH: usize = 512;
/// Lengths of the first and last steps.
const STEPS: [f32; 2] = [2e-3, 2e-5];
/// Maximum absolute weight, so that sums fit into 16 bits.
const LARGEST: f32 = 4.0;

/// The result of fitting.
#[derive(Clone, Debug)]
pub struct NetworkFit {
    /// Description of how the games were played.
    pub origin: String,
    /// Number of games.
    pub games: u64,
    /// Number of positions.
    pub positions: usize,
    /// Mean cross entropy of held-out games with the current network.
    pub loss_before: f32,
    /// Mean cross entropy of held-out games with the fitted network.
    pub loss: f32,
}

/// Fits the network of draughts and writes it to the file.
///
/// # Errors
/// The games cannot be read or are too few, or the network cannot be written.
pub fn fit_network(arguments: &FitArguments) -> Result<NetworkFit, GamesError> {
    let mut found = Samples::open(&arguments.files)?;
    found.require(|rules| rules == GameRules::Draughts)?;
    let (mut learnt, mut held_out) = (Vec::new(), Vec::new());
    for sample in &mut found {
        let sample = sample?;
        let samples = if sample.game % HELD_OUT == 0 { &mut held_out } else { &mut learnt };
        samples.extend(Sample::of(&sample));
    }
    let games = found.games();
    if games < MIN_GAMES || learnt.is_empty() || held_out.is_empty() {
        return Err(GamesError::TooFew { files: arguments.files.clone(), games });
    }
    let network = learn(&mut learnt).rounded();
    let loss_before = loss(&held_out, evaluate_draughts);
    let loss = loss(&held_out, |position| network.evaluate(position));
    if let Some(path) = &arguments.draughts {
        std::fs::write(path, network.bytes()).map_err(|error| GamesError::File(path.clone(), error))?;
    }
    let positions = learnt.len() + held_out.len();
    Ok(NetworkFit { origin: found.origin(), games, positions, loss_before, loss })
}

/// A position with its result and target, from the view of the side on move.
struct Sample {
    position: Position,
    /// 1 for a win, 0.5 for a draw, 0 for a loss.
    result: f32,
    /// Target of the network, as an expected result.
    target: f32,
}

impl Sample {
    /// A sample of draughts; `None` for another game.
    fn of(sample: &games::Sample) -> Option<Sample> {
        let RootPosition::Draughts(position) = sample.position else { return None };
        let result = sample.result.points();
        let target = RESULT * result + (1.0 - RESULT) * expected(sample.score.into());
        Some(Sample { position, result, target })
    }
}

fn loss(samples: &[Sample], evaluate: impl Fn(&Position) -> i32) -> f32 {
    let expected = |sample: &Sample| expected(evaluate(&sample.position) as f32);
    regression::loss(samples.iter().map(|sample| (sample.result, expected(sample))))
}

/// Offset of the output weights, after the input weights and the biases of the hidden layer.
const OUTPUT_WEIGHTS: usize = INPUTS * HIDDEN + HIDDEN;
const OUTPUT_BIASES: usize = OUTPUT_WEIGHTS + OUTPUTS * HIDDEN;
const WEIGHTS: usize = OUTPUT_BIASES + OUTPUTS;

/// Unrounded weights in one list, in units of a full neuron.
struct Weights(Vec<f32>);

impl Weights {
    /// Small random weights: equal neurons would stay equal.
    fn random() -> Weights {
        let random = |index: usize| (mix(index as u64) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        let weight = |index| match index {
            ..OUTPUT_WEIGHTS => random(index) * 0.25,
            OUTPUT_WEIGHTS..OUTPUT_BIASES => random(index) * 0.1,
            _ => 0.0,
        };
        Weights((0..WEIGHTS).map(weight).collect())
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.0[row * HIDDEN..(row + 1) * HIDDEN]
    }

    /// Returns the rounded weights.
    fn rounded(&self) -> Box<Network> {
        let full = |weight: f32| (weight * FULL as f32).round() as i16;
        let unit = |weight: f32| (weight * UNIT as f32).round() as i16;
        let row = |row, round: &dyn Fn(f32) -> i16| {
            let mut numbers = [0; HIDDEN];
            numbers.iter_mut().zip(self.row(row)).for_each(|(number, &weight)| *number = round(weight));
            numbers
        };
        Box::new(Network {
            inputs: std::array::from_fn(|input| row(input, &full)),
            biases: row(INPUTS, &full),
            outputs: std::array::from_fn(|output| row(INPUTS + 1 + output, &unit)),
            output_biases: std::array::from_fn(|output| unit(self.0[OUTPUT_BIASES + output])),
        })
    }

    /// Adds the gradient of a sample.
    fn descend(&self, sample: &Sample, gradient: &mut [f32]) {
        let mut inputs = ArrayVec::<usize, 24>::new();
        for_each_input(&sample.position, |input| inputs.push(input));
        let mut hidden = [0.0; HIDDEN];
        hidden.copy_from_slice(self.row(INPUTS));
        for &input in &inputs {
            hidden.iter_mut().zip(self.row(input)).for_each(|(sum, weight)| *sum += weight);
        }
        let output = output(&sample.position);
        let weights = self.row(INPUTS + 1 + output);
        let said: f32 = hidden.iter().zip(weights).map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight).sum();
        let said = expected((said + self.0[OUTPUT_BIASES + output]) * WORTH as f32);
        let error = said - sample.target;
        gradient[OUTPUT_BIASES + output] += error;
        let mut back = [0.0; HIDDEN];
        let slopes = &mut gradient[(INPUTS + 1 + output) * HIDDEN..][..HIDDEN];
        for neuron in 0..HIDDEN {
            slopes[neuron] += error * hidden[neuron].clamp(0.0, 1.0);
            let is_between = hidden[neuron] > 0.0 && hidden[neuron] < 1.0;
            back[neuron] = if is_between { error * weights[neuron] } else { 0.0 };
        }
        for row in inputs.into_iter().chain([INPUTS]) {
            let slopes = &mut gradient[row * HIDDEN..(row + 1) * HIDDEN];
            slopes.iter_mut().zip(&back).for_each(|(slope, back)| *slope += back);
        }
    }
}

/// Trains on all samples in several passes, each in another order.
fn learn(samples: &mut [Sample]) -> Weights {
    let mut weights = Weights::random();
    let mut adam = Adam::new(WEIGHTS, 1e-8);
    let mut gradient = vec![0.0f32; WEIGHTS];
    let batches = samples.len().div_ceil(BATCH) as u64;
    let mut progress = ProgressBar::new("batches", 0, EPOCHS * batches);
    let mut done = 0;
    for epoch in 0..EPOCHS {
        for index in (1..samples.len()).rev() {
            let other = mix(epoch << 32 ^ index as u64) % (index as u64 + 1);
            samples.swap(index, other as usize);
        }
        for batch in samples.chunks(BATCH) {
            gradient.fill(0.0);
            batch.iter().for_each(|sample| weights.descend(sample, &mut gradient));
            done += 1;
            let part = done as f32 / (EPOCHS * batches) as f32;
            let length = STEPS[1] + (STEPS[0] - STEPS[1]) * (1.0 + (part * std::f32::consts::PI).cos()) / 2.0;
            let slopes = gradient.iter().map(|slope| slope / batch.len() as f32);
            adam.step(length, weights.0.iter_mut().zip(slopes));
            weights.0.iter_mut().for_each(|weight| *weight = weight.clamp(-LARGEST, LARGEST));
            progress.show(done, "");
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::games::GameResult;

    /// A sample with the score and the result of the side on move.
    fn sample(fen: &str, score: i16, result: GameResult) -> Sample {
        let position = Position::from_fen(fen).unwrap().into();
        Sample::of(&games::Sample { position, score, result, game: 0, ply: 8 }).unwrap()
    }

    fn samples() -> Vec<Sample> {
        let texts = [
            ("W:W21,22,23:B5", 240, GameResult::Win),
            ("W:W21,22:B5", 160, GameResult::Win),
            ("B:W21,22,30:B5,6", -160, GameResult::Loss),
            ("B:W30:B1,5", 160, GameResult::Win),
            ("W:W30:B1,5,9", -240, GameResult::Loss),
            ("W:W29,30:B1,5", 0, GameResult::Draw),
        ];
        let samples = texts.into_iter().cycle().take(1200);
        samples.map(|(fen, score, result)| sample(fen, score, result)).collect()
    }

    #[test]
    fn material_is_learnt_and_survives_rounding() {
        let mut samples = samples();
        let network = learn(&mut samples).rounded();
        let says = |fen: &str| network.evaluate(&Position::from_fen(fen).unwrap());
        assert!(says("W:W21,22,23:B5") > 60, "{}", says("W:W21,22,23:B5"));
        assert!(says("B:W21,22,30:B5,6") < -40);
        assert!(says("W:W29,30:B1,5").abs() < 40);
        let loss = loss(&samples, |position| network.evaluate(position));
        assert!(loss < 0.35, "{loss}");
    }

    #[test]
    fn positions_of_chess_are_no_samples() {
        let position = RootPosition::default();
        let chess = games::Sample { position, score: 0, result: GameResult::Draw, game: 0, ply: 8 };
        assert!(Sample::of(&chess).is_none());
    }
}
