//! Weights that tell the results of games best: logistic regression, by Adam.

use super::positions::{GameFile, PositionsError};
use crate::chess::{AnyPosition, Variant};
use crate::progress_bar::ProgressBar;
use crate::search::tuning::{Sample, TERMS, format_weights, sample};
use clap::Args;
use std::path::PathBuf;

/// A score of this many centipawns is expected to win ten games for each that it loses.
const SCALE: f32 = 400.0;
/// Every tenth game is kept back, to see whether what was learnt holds.
pub(super) const HELD_OUT: u64 = 10;
/// How much large weights cost, against data that cannot tell them.
const RIDGE: f32 = 1e-7;
const STEPS: u64 = 1500;
const STEP: f32 = 2.0;
/// Fewer games tell nothing.
pub(super) const MIN_GAMES: usize = 20;

/// Arguments of `farboard tune`.
#[derive(Args)]
pub struct FitArguments {
    /// The games, made by `farboard generate`
    pub(super) file: PathBuf,
    /// The rules, by their name in files
    #[arg(long, required_unless_present = "draughts")]
    pub variant: Option<Variant>,
    /// Fit the network of English draughts, and write it to this file
    #[arg(long, value_name = "FILE", conflicts_with = "variant")]
    pub draughts: Option<PathBuf>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Fit {
    /// How the games were played.
    pub origin: String,
    /// Games.
    pub games: usize,
    /// Positions of all games.
    pub positions: usize,
    /// Mean cross entropy of games that were kept back, without weights.
    pub loss_before: f32,
    /// The same with the weights.
    pub loss: f32,
    /// The lines of the weights.
    pub lines: String,
}

/// Fits the weights of a variant.
///
/// # Errors
/// The file cannot be read, has too few games, or the variant has no weights.
pub fn fit(arguments: &FitArguments, variant: Variant) -> Result<Fit, PositionsError> {
    let GameFile { origin, games, .. } = GameFile::read(&arguments.file)?;
    let Some(origin) = origin.filter(|_| games.len() >= MIN_GAMES) else {
        return Err(PositionsError::TooFew(arguments.file.clone()));
    };
    if !origin.starts_with(&format!("{}: ", variant.name())) {
        return Err(PositionsError::Origin(arguments.file.clone(), origin));
    }
    let (mut learnt, mut held_out) = (Vec::new(), Vec::new());
    for game in &games {
        for fen in &game.positions {
            let position = AnyPosition::from_fen(variant, fen);
            let position =
                position.map_err(|_| PositionsError::Position(arguments.file.clone(), game.number))?;
            let sample = sample(&position).ok_or(PositionsError::NoWeights(variant.name()))?;
            let samples = if game.number % HELD_OUT == 0 { &mut held_out } else { &mut learnt };
            samples.push((sample, game.result));
        }
    }
    let positions = learnt.len() + held_out.len();
    if learnt.is_empty() || held_out.is_empty() {
        return Err(PositionsError::TooFew(arguments.file.clone()));
    }
    let loss_before = loss(&held_out, &[0.0; 2 * TERMS]);
    let weights = descend(&learnt);
    let rounded = weights.map(f32::round);
    let pairs = std::array::from_fn(|term| (rounded[term] as i32, rounded[TERMS + term] as i32));
    let loss = loss(&held_out, &rounded);
    Ok(Fit { origin, games: games.len(), positions, loss_before, loss, lines: format_weights(&pairs) })
}

type Samples = [(Sample, f32)];

/// The expected result.
fn expected(sample: &Sample, weights: &[f32; 2 * TERMS]) -> f32 {
    let score =
        sample.factors.iter().zip(weights).fold(sample.base, |sum, (factor, weight)| sum + factor * weight);
    1.0 / (1.0 + 10f32.powf(-score / SCALE))
}

fn loss(samples: &Samples, weights: &[f32; 2 * TERMS]) -> f32 {
    let each = samples.iter().map(|(sample, result)| {
        let expected = expected(sample, weights).clamp(1e-6, 1.0 - 1e-6);
        -result * expected.ln() - (1.0 - result) * (1.0 - expected).ln()
    });
    each.sum::<f32>() / samples.len() as f32
}

/// Adam (Kingma and Ba, 2014) over all samples at once, with steps that get shorter.
fn descend(samples: &Samples) -> [f32; 2 * TERMS] {
    let mut weights = [0.0; 2 * TERMS];
    let (mut mean, mut square) = ([0.0f32; 2 * TERMS], [0.0f32; 2 * TERMS]);
    let mut progress = ProgressBar::new("steps", 0, STEPS);
    for step in 1..=STEPS {
        let mut gradient = weights.map(|weight| RIDGE * weight);
        for (sample, result) in samples {
            let error = (expected(sample, &weights) - result) / samples.len() as f32;
            gradient.iter_mut().zip(sample.factors).for_each(|(slope, factor)| *slope += error * factor);
        }
        let (bias, square_bias) = (1.0 - 0.9f32.powi(step as i32), 1.0 - 0.999f32.powi(step as i32));
        let length = STEP * (1.0 - step as f32 / STEPS as f32);
        for term in 0..2 * TERMS {
            mean[term] = 0.9 * mean[term] + 0.1 * gradient[term];
            square[term] = 0.999 * square[term] + 0.001 * gradient[term] * gradient[term];
            weights[term] -= length * (mean[term] / bias) / ((square[term] / square_bias).sqrt() + 1e-9);
        }
        progress.show(step, "");
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_made_the_results_are_found_again() {
        let sample = |number: u32| {
            let mut factors = [0.0; 2 * TERMS];
            (factors[0], factors[TERMS + 3]) = ((number % 7) as f32 - 3.0, (number / 7 % 5) as f32 - 2.0);
            Sample { base: 0.0, factors }
        };
        let mut truth = [0.0; 2 * TERMS];
        (truth[0], truth[TERMS + 3]) = (100.0, -50.0);
        let samples: Vec<_> =
            (0..350).map(|number| (sample(number), expected(&sample(number), &truth))).collect();
        let found = descend(&samples);
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 5.0, "{found} is not {truth}");
        }
    }
}
