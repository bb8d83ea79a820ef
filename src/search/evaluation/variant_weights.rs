//! Weights of the terms of variants ([`super::variant`]) in centipawns: a text for each, written by
//! `farboard tune`.
//!
//! A line has a term's name and its weights in the middlegame and endgame; missing terms count
//! nothing. Lines that begin with `#` are comments.

use super::chess_weights::{
    self, ATOMIC, CHESS, CRAZYHOUSE, ChessWeights, HORDE, KING_OF_THE_HILL, LOSERS, RACING_KINGS, SUICIDE,
    THREE_CHECKS,
};
use super::pair::{Pair, pair};
use super::variant::{NAMES, TERMS};
use crate::chess::{Rules, Variant};
use crate::random::mix;
use std::sync::LazyLock;

/// Weights of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// The chess weights, if the chess terms count, too.
    pub chess: Option<&'static ChessWeights>,
    /// A weight for each term.
    pub terms: [Pair; TERMS],
}

/// The texts by the variant's name, with the weights of the chess terms.
static TEXTS: [(&str, Option<&LazyLock<ChessWeights>>, &str); 13] = [
    ("nocastle", Some(&CHESS), ""),
    ("crazyhouse", Some(&CRAZYHOUSE), include_str!("variants/crazyhouse.txt")),
    ("bughouse", Some(&CRAZYHOUSE), include_str!("variants/bughouse.txt")),
    ("twokings", Some(&CHESS), include_str!("variants/twokings.txt")),
    ("atomic", Some(&ATOMIC), include_str!("variants/atomic.txt")),
    ("atomic-icc", Some(&ATOMIC), include_str!("variants/atomic.txt")),
    ("3check", Some(&THREE_CHECKS), include_str!("variants/3check.txt")),
    ("kingofthehill", Some(&KING_OF_THE_HILL), include_str!("variants/kingofthehill.txt")),
    ("racingkings", Some(&RACING_KINGS), include_str!("variants/racingkings.txt")),
    ("horde", Some(&HORDE), include_str!("variants/horde.txt")),
    ("losers", Some(&LOSERS), include_str!("variants/losers.txt")),
    ("suicide", Some(&SUICIDE), include_str!("variants/suicide.txt")),
    ("giveaway", Some(&SUICIDE), include_str!("variants/giveaway.txt")),
];

/// The weights by [`Rules::id`].
static WEIGHTS: LazyLock<Vec<Weights>> = LazyLock::new(|| {
    let none = Weights { chess: Some(&CHESS), terms: [Pair::default(); TERMS] };
    let mut weights = vec![none; 256];
    for &(name, chess, text) in &TEXTS {
        let variant = Variant::from_name(name).expect("a known variant");
        let terms = parse(text).expect("weights that a test has read");
        let chess = chess.map(|weights| &**weights);
        weights[usize::from(variant.rules().id)] = Weights { chess, terms };
    }
    weights
});

/// Returns the weights of a variant; the chess weights alone if it has none.
pub(crate) fn weights_of(rules: &Rules) -> &'static Weights {
    &WEIGHTS[usize::from(rules.id)]
}

/// Returns a hash of a variant's weights.
pub fn hash(rules: &Rules) -> u32 {
    let weights = weights_of(rules);
    let chess = weights.chess.map_or(0, chess_weights::hash);
    let numbers = weights.terms.iter().flat_map(|weight| [weight.middle(), weight.end()]);
    (numbers.fold(u64::from(chess), |hash, number| mix(hash ^ number as u64)) >> 32) as u32
}

/// Parses a text; `None` if a line is not a known term with two numbers.
fn parse(text: &str) -> Option<[Pair; TERMS]> {
    let mut terms = [Pair::default(); TERMS];
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (rest, end) = line.rsplit_once(' ')?;
        let (name, middle) = rest.rsplit_once(' ')?;
        let term = NAMES.iter().position(|&known| known == name)?;
        terms[term] = pair(middle.parse().ok()?, end.parse().ok()?);
    }
    Some(terms)
}

/// Formats the lines of a text that can be parsed. Leaves out terms without weight.
pub fn format(terms: &[(i32, i32)]) -> String {
    let lines = NAMES.iter().zip(terms).filter(|(_, weight)| **weight != (0, 0));
    lines.map(|(name, (middle, end))| format!("{name} {middle} {end}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_survive_a_round_trip() {
        for (name, _, text) in &TEXTS {
            let terms = parse(text).unwrap_or_else(|| panic!("the weights of {name}"));
            let numbers = terms.map(|weight| (weight.middle(), weight.end()));
            assert_eq!(parse(&format(&numbers)), Some(terms));
        }
        for bad in ["pawns 1", "pawns a 1", "dragons 1 2"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
