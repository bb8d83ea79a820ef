//! Weights fitted to the results of games.

use super::games::{GameRules, GamesError, Samples};
use super::regression::{self, Adam, HELD_OUT, MIN_GAMES, expected};
use crate::chess::{AnyPosition, Variant};
use crate::progress_bar::ProgressBar;
use crate::random::mix;
use crate::search::tuning::{
    ChessWeights, Sample, TERMS, chess_weights_of, format_chess_weights, format_weights, of_chess, of_variant,
};
use clap::Args;
use std::path::PathBuf;

/// Ridge penalties, which keep weights near their initial values where the data do not determine
/// them: of material and terms of variants, of other chess terms, and of dangers, which have
/// smaller units.
const RIDGES: [f32; 3] = [1e-7, 3e-6, 1e-8];
/// Number of leading chess terms that are material.
const MATERIAL_TERMS: usize = 5;
const STEPS: u64 = 1500;
/// Samples in a step.
const BATCH: usize = 8192;
const STEP: f32 = 2.0;

/// Arguments of `farboard tune`.
#[derive(Args)]
pub struct FitArguments {
    /// Files of games made by `farboard generate`; several for normal and fischerandom, which share
    /// their weights
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Variant, by its name in files
    #[arg(long)]
    pub variant: Variant,
    /// For a variant with chess weights of its own: fit these instead of the weights of its own
    /// terms
    #[arg(long)]
    pub chess: bool,
    /// Share of the search's score in the target; the rest is the result of the game
    #[arg(long, default_value_t = 0.0)]
    by_score: f32,
}

/// The result of fitting.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Description of how the games were played.
    pub origin: String,
    /// Number of games.
    pub games: u64,
    /// Number of informative positions.
    pub positions: usize,
    /// Mean cross entropy of held-out games with the initial weights; without the terms, for those
    /// of variants.
    pub loss_before: f32,
    /// Mean cross entropy of held-out games with the fitted weights.
    pub loss: f32,
    /// The text of the weights.
    pub lines: String,
}

/// Weights during fitting.
#[derive(Clone)]
struct Weights {
    /// Middlegame and endgame weights of each term.
    terms: Vec<[f32; 2]>,
    dangers: Vec<f32>,
}

/// A position, the result of its game, and the target.
struct Example {
    sample: Sample,
    result: f32,
    target: f32,
}

/// Games as examples.
struct Examples {
    origin: String,
    games: u64,
    learnt: Vec<Example>,
    held_out: Vec<Example>,
}

/// Fits the weights of a variant, or its chess weights.
///
/// # Errors
/// A file cannot be read, has games of other rules or too few.
pub fn fit(arguments: &FitArguments) -> Result<Fit, GamesError> {
    let variant = arguments.variant;
    let start = AnyPosition::start(variant);
    let is_chess = arguments.chess || matches!(start, AnyPosition::Standard(_));
    let before = if is_chess {
        Weights::of_chess(chess_weights_of(&start))
    } else {
        Weights { terms: vec![[0.0; 2]; TERMS], dangers: Vec::new() }
    };
    let examples = Examples::read(arguments, variant, is_chess)?;
    let fitted = descend(&examples.learnt, &before, &before.ridges(is_chess)).rounded();
    Ok(Fit {
        origin: examples.origin,
        games: examples.games,
        positions: examples.learnt.len() + examples.held_out.len(),
        loss_before: loss(&examples.held_out, &before),
        loss: loss(&examples.held_out, &fitted),
        lines: fitted.lines(is_chess),
    })
}

impl Examples {
    fn read(arguments: &FitArguments, variant: Variant, is_chess: bool) -> Result<Examples, GamesError> {
        let mut samples = Samples::open(&arguments.files)?;
        samples.require(|rules| matches!(rules, GameRules::Chess(other) if is_alike(other, variant)))?;
        let (mut learnt, mut held_out) = (Vec::new(), Vec::new());
        for found in &mut samples {
            let found = found?;
            let Some(position) = found.position.chess() else { continue };
            let sample = if is_chess { of_chess(&position) } else { of_variant(&position) };
            let Some(sample) = sample else { continue };
            let result = found.white_result().points();
            let by_score = expected(f32::from(found.white_score()));
            let target = (1.0 - arguments.by_score) * result + arguments.by_score * by_score;
            let examples = if found.game % HELD_OUT == 0 { &mut held_out } else { &mut learnt };
            examples.push(Example { sample, result, target });
        }
        let games = samples.games();
        if games < MIN_GAMES || learnt.is_empty() || held_out.is_empty() {
            return Err(GamesError::TooFew { files: arguments.files.clone(), games });
        }
        Ok(Examples { origin: samples.origin(), games, learnt, held_out })
    }
}

/// Returns true if two variants share their weights.
fn is_alike(one: Variant, other: Variant) -> bool {
    let orthodox = |variant| matches!(AnyPosition::start(variant), AnyPosition::Standard(_));
    one == other || orthodox(one) && orthodox(other)
}

impl Weights {
    fn of_chess(weights: &ChessWeights) -> Weights {
        let terms = weights.terms.iter().map(|weight| [weight.middle() as f32, weight.end() as f32]);
        Weights {
            terms: terms.collect(),
            dangers: weights.dangers.iter().map(|&weight| weight as f32).collect(),
        }
    }

    /// Returns zeros for all weights.
    fn zero(&self) -> Weights {
        Weights { terms: vec![[0.0; 2]; self.terms.len()], dangers: vec![0.0; self.dangers.len()] }
    }

    /// Returns the ridge penalty of each weight.
    fn ridges(&self, is_chess: bool) -> Weights {
        let of_term = |term: usize| RIDGES[usize::from(is_chess && term >= MATERIAL_TERMS)];
        Weights {
            terms: (0..self.terms.len()).map(|term| [of_term(term); 2]).collect(),
            dangers: vec![RIDGES[2]; self.dangers.len()],
        }
    }

    fn rounded(&self) -> Weights {
        Weights {
            terms: self.terms.iter().map(|pair| pair.map(f32::round)).collect(),
            dangers: self.dangers.iter().map(|weight| weight.round()).collect(),
        }
    }

    fn lines(&self, is_chess: bool) -> String {
        let terms: Vec<(i32, i32)> =
            self.terms.iter().map(|&[middle, end]| (middle as i32, end as i32)).collect();
        let dangers: Vec<i32> = self.dangers.iter().map(|&weight| weight as i32).collect();
        if is_chess { format_chess_weights(&terms, &dangers) } else { format_weights(&terms) }
    }

    fn each(&mut self) -> impl Iterator<Item = &mut f32> {
        self.terms.as_flattened_mut().iter_mut().chain(&mut self.dangers)
    }
}

/// Returns the expected result of a sample.
fn chance(sample: &Sample, weights: &Weights) -> f32 {
    expected(sample.score(&weights.terms, &weights.dangers))
}

fn loss(examples: &[Example], weights: &Weights) -> f32 {
    regression::loss(examples.iter().map(|example| (example.result, chance(&example.sample, weights))))
}

/// Descends over batches of examples, with decreasing steps.
fn descend(examples: &[Example], before: &Weights, ridges: &Weights) -> Weights {
    let mut weights = before.clone();
    let mut adam = Adam::new(weights.each().count(), 1e-9);
    let mut progress = ProgressBar::new("steps", 0, STEPS);
    let batch = BATCH.min(examples.len());
    for step in 1..=STEPS {
        let mut slope = before.zero();
        for index in 0..batch as u64 {
            let number = mix(step * BATCH as u64 + index) % examples.len() as u64;
            let Example { sample, target, .. } = &examples[number as usize];
            let error = (chance(sample, &weights) - target) / batch as f32;
            sample.add_slopes(error, &weights.dangers, &mut slope.terms, &mut slope.dangers);
        }
        let (mut origin, mut ridges) = (before.clone(), ridges.clone());
        let pulls = slope.each().zip(origin.each()).zip(ridges.each());
        let slopes = weights.each().zip(pulls).map(|(weight, ((slope, origin), ridge))| {
            let slope = *slope + *ridge * (*weight - *origin);
            (weight, slope)
        });
        adam.step(STEP * (1.0 - step as f32 / STEPS as f32), slopes);
        progress.show(step, "");
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::games::tests::{TemporaryFile, write_games};

    #[test]
    fn too_few_games_are_counted() {
        let file = TemporaryFile::new("too-few");
        let arguments = FitArguments {
            files: vec![file.0.clone()],
            variant: Variant::NORMAL,
            chess: false,
            by_score: 0.0,
        };
        for games in [0, 3, 19] {
            write_games(&file.0, GameRules::Chess(Variant::NORMAL), games);
            let error = fit(&arguments).expect_err("too few").to_string();
            let expected = format!(
                "too few games in {}: {games}. Make more with farboard generate, at least 20 with positions",
                file.0.display()
            );
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn games_of_other_rules_are_refused() {
        let file = TemporaryFile::new("other-rules");
        write_games(&file.0, GameRules::Chess("atomic".parse().expect("a variant")), 1);
        let arguments = FitArguments {
            files: vec![file.0.clone()],
            variant: Variant::NORMAL,
            chess: false,
            by_score: 0.0,
        };
        let error = fit(&arguments).expect_err("other rules");
        assert!(matches!(error, GamesError::Other(..)), "{error}");
    }

    #[test]
    fn true_weights_are_recovered() {
        let sample = |number: u32| {
            let terms = [(0, (number % 7) as i16 - 3), (3, (number / 7 % 5) as i16 - 2)];
            let shares = [[1.0, 0.0], [0.0, 1.0]][number as usize % 2];
            Sample { base: 0.0, shares, terms: terms.into(), dangers: Box::default() }
        };
        let before = Weights { terms: vec![[0.0; 2]; 4], dangers: Vec::new() };
        let mut truth = before.clone();
        (truth.terms[0][0], truth.terms[3][1]) = (100.0, -50.0);
        let examples: Vec<_> = (0..350)
            .map(|number| {
                let (sample, result) = (sample(number), chance(&sample(number), &truth));
                Example { sample, result, target: result }
            })
            .collect();
        let mut found = descend(&examples, &before, &before.ridges(false));
        for (found, truth) in found.each().zip(truth.each()) {
            assert!((*found - *truth).abs() < 5.0, "{found} is not {truth}");
        }
    }
}
