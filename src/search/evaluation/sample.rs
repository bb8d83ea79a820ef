//! Positions as samples for fitting weights.

use super::chess_weights::{self, ChessWeights, MAX_DANGER};
use super::terms::*;
use super::variant_weights::weights_of;
use super::{FULL_PHASE, count_terms, endgame, phase, taper, variant};
use crate::chess::{AnyPosition, Position, Role, Ruleset, Square};

/// A position as a linear function of the weights, plus dangers.
#[derive(Clone)]
pub struct Sample {
    /// Part of the score that does not depend on the weights to fit, in centipawns.
    pub base: f32,
    /// Shares of the middlegame and endgame weights.
    pub shares: [f32; 2],
    /// Terms that differ between the sides, and White's surplus.
    pub terms: Box<[(u16, i16)]>,
    /// The dangers to either king, White's attack first. Empty for weights of variants.
    pub dangers: Box<[[i16; DANGERS]]>,
}

impl Sample {
    /// Returns the score in centipawns with these middlegame and endgame weights of each term, and
    /// of each danger.
    pub fn score(&self, terms: &[[f32; 2]], dangers: &[f32]) -> f32 {
        let mut sums = [0.0; 2];
        for &(term, times) in &self.terms {
            let weight = terms[usize::from(term)];
            sums[0] += weight[0] * f32::from(times);
            sums[1] += weight[1] * f32::from(times);
        }
        for (sign, counts) in [1.0, -1.0].into_iter().zip(&self.dangers) {
            let danger = danger(counts, dangers).clamp(0.0, MAX_DANGER as f32);
            sums[0] += sign * danger * danger / chess_weights::DANGER_DIVISORS.0 as f32;
            sums[1] += sign * danger / chess_weights::DANGER_DIVISORS.1 as f32;
        }
        self.base + sums[0] * self.shares[0] + sums[1] * self.shares[1]
    }

    /// Adds the score's gradient, times a factor.
    pub fn add_slopes(&self, factor: f32, dangers: &[f32], terms_slope: &mut [[f32; 2]], slope: &mut [f32]) {
        let shares = self.shares.map(|share| share * factor);
        for &(term, times) in &self.terms {
            let slope = &mut terms_slope[usize::from(term)];
            slope[0] += shares[0] * f32::from(times);
            slope[1] += shares[1] * f32::from(times);
        }
        for (sign, counts) in [1.0, -1.0].into_iter().zip(&self.dangers) {
            let danger = danger(counts, dangers);
            if !(0.0..MAX_DANGER as f32).contains(&danger) {
                continue;
            }
            let middle = 2.0 * danger / chess_weights::DANGER_DIVISORS.0 as f32;
            let each = sign * (shares[0] * middle + shares[1] / chess_weights::DANGER_DIVISORS.1 as f32);
            slope.iter_mut().zip(counts).for_each(|(slope, &count)| *slope += each * f32::from(count));
        }
    }
}

fn danger(counts: &[i16; DANGERS], weights: &[f32]) -> f32 {
    counts.iter().zip(weights).map(|(&count, weight)| f32::from(count) * weight).sum()
}

/// A sink that records counts.
struct Trace {
    terms: [i16; TERMS],
    dangers: [i16; DANGERS],
}

impl TermSink for Trace {
    fn add(&mut self, term: usize, times: i32) {
        self.terms[term] += times as i16;
    }

    fn place(&mut self, role: Role, square: Square) {
        if role != Role::King {
            self.add(MATERIAL + role.index(), 1);
        }
        self.add(SQUARES + 32 * role.index() + half(square.index()), 1);
    }

    fn endanger(&mut self, danger: usize, times: i32) {
        self.dangers[danger] += times as i16;
    }
}

/// Returns the sample of a position for the weights of a variant; `None` in orthodox chess.
pub fn of_variant(position: &AnyPosition) -> Option<Sample> {
    let AnyPosition::Fairy(position) = position else { return None };
    let fairy = position.fairy()?;
    let base = taper(position, super::chess(position, &weights_of(fairy.rules()).chess));
    let terms = variant::terms(position, fairy);
    let shares = shares(position, 1.0);
    Some(Sample { base: base as f32, shares, terms: sparse(terms), dangers: Box::default() })
}

/// Returns the sample of a position for the chess weights; `None` where knowledge of the ending
/// overrides them.
pub fn of_chess(position: &AnyPosition) -> Option<Sample> {
    match position {
        AnyPosition::Standard(position) => {
            let total = super::chess(position, &chess_weights::CHESS);
            let scaled = endgame::scaled(position, total);
            let score = taper(position, scaled);
            if endgame::adjust(position, score) != score {
                return None;
            }
            let scale = if total.end() == 0 { 1.0 } else { scaled.end() as f32 / total.end() as f32 };
            Some(accounts(position, 0, scale))
        }
        AnyPosition::Fairy(position) => {
            let worth = variant::worth(position, position.fairy()?);
            Some(accounts(position, taper(position, worth), 1.0))
        }
    }
}

/// Returns the chess weights by which a variant is played, where fitting begins.
pub fn chess_weights_of(position: &AnyPosition) -> &'static ChessWeights {
    match position {
        AnyPosition::Standard(_) => &chess_weights::CHESS,
        AnyPosition::Fairy(_) => &weights_of(position.variant().rules()).chess,
    }
}

fn accounts<R: Ruleset>(position: &Position<R>, base: i32, scale: f32) -> Sample {
    let mut sinks = [(); 2].map(|()| Trace { terms: [0; TERMS], dangers: [0; DANGERS] });
    count_terms(position, &mut sinks);
    let [white, black] = &sinks;
    let terms: [i32; TERMS] = std::array::from_fn(|term| i32::from(white.terms[term] - black.terms[term]));
    let dangers = Box::new([white.dangers, black.dangers]);
    Sample { base: base as f32, shares: shares(position, scale), terms: sparse(terms), dangers }
}

fn shares<R: Ruleset>(position: &Position<R>, scale: f32) -> [f32; 2] {
    let middle = phase(position) as f32 / FULL_PHASE as f32;
    [middle, (1.0 - middle) * scale]
}

fn sparse<const N: usize>(terms: [i32; N]) -> Box<[(u16, i16)]> {
    let differing = terms.into_iter().enumerate().filter(|&(_, times)| times != 0);
    differing.map(|(term, times)| (term as u16, times as i16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_reproduce_the_engines_scores() {
        let weights = &*chess_weights::CHESS;
        let terms = weights.terms.map(|weight| [weight.middle() as f32, weight.end() as f32]);
        let dangers = weights.dangers.map(|weight| weight as f32);
        for position in crate::search::bench::positions() {
            let AnyPosition::Standard(standard) = &position else { continue };
            let Some(sample) = of_chess(&position) else { continue };
            let score = taper(
                standard,
                endgame::scaled(standard, crate::search::evaluation::chess(standard, weights)),
            );
            let sampled = sample.score(&terms, &dangers);
            assert!((sampled - score as f32).abs() < 4.0, "{}: {sampled} {score}", position.fen());
        }
    }
}
