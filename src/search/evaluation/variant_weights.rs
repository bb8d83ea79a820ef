//! Weights of the terms of variants ([`super::variant`]) in centipawns: a text for each, written by
//! `farboard tune`.
//!
//! A line has a term's name and its weights in the middlegame and endgame; missing terms count
//! nothing. Lines that begin with `#` are comments.

use super::chess_weights::{self, CHESS_TEXT, ChessWeights};
use super::pair::{Pair, pair};
use super::variant::{TERMS, Term};
use crate::chess::{Rules, Variant};
use crate::random::mix;
use std::sync::LazyLock;

/// Weights of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// Weights of the chess terms.
    pub chess: ChessWeights,
    /// A weight for each term.
    pub terms: [Pair; TERMS],
}

const ATOMIC: [&str; 2] = [include_str!("variants/atomic-chess.txt"), include_str!("variants/atomic.txt")];

/// The texts of variants without a net by their names: of the chess terms, and of their own.
pub(super) static TEXTS: [(&str, &str, &str); 8] = [
    ("nocastle", CHESS_TEXT, ""),
    ("bughouse", include_str!("variants/bughouse-chess.txt"), include_str!("variants/bughouse.txt")),
    ("twokings", CHESS_TEXT, include_str!("variants/twokings.txt")),
    ("atomic", ATOMIC[0], ATOMIC[1]),
    ("atomic-icc", ATOMIC[0], ATOMIC[1]),
    (
        "kingofthehill",
        include_str!("variants/kingofthehill-chess.txt"),
        include_str!("variants/kingofthehill.txt"),
    ),
    ("losers", include_str!("variants/losers-chess.txt"), include_str!("variants/losers.txt")),
    ("suicide", include_str!("variants/suicide-chess.txt"), include_str!("variants/suicide.txt")),
];

/// The weights by [`Rules::id`]; the first ones belong to variants without their own.
static WEIGHTS: LazyLock<([u8; 256], Vec<Weights>)> = LazyLock::new(|| {
    let read = |chess, terms| Some(Weights { chess: chess_weights::parse(chess)?, terms: parse(terms)? });
    let (mut places, mut weights) = ([0; 256], Vec::new());
    weights.extend(read(CHESS_TEXT, ""));
    for (name, chess, terms) in TEXTS {
        let variant = Variant::from_name(name).expect("a known variant");
        places[usize::from(variant.rules().id)] = weights.len() as u8;
        weights.push(read(chess, terms).expect("tested weights"));
    }
    (places, weights)
});

/// Returns the weights of a variant; the chess weights alone if it has none.
pub(crate) fn weights_of(rules: &Rules) -> &'static Weights {
    let (places, weights) = &*WEIGHTS;
    &weights[usize::from(places[usize::from(rules.id)])]
}

/// Returns a hash of a variant's weights.
pub fn hash(rules: &Rules) -> u32 {
    let weights = weights_of(rules);
    let numbers = weights.terms.iter().flat_map(|weight| [weight.middle(), weight.end()]);
    (numbers.fold(chess_weights::hash(&weights.chess).into(), |hash, number| mix(hash ^ number as u64)) >> 32)
        as u32
}

/// Parses a text; `None` if a line is not a known term with two numbers.
fn parse(text: &str) -> Option<[Pair; TERMS]> {
    let mut terms = [Pair::default(); TERMS];
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (rest, end) = line.rsplit_once(' ')?;
        let (name, middle) = rest.rsplit_once(' ')?;
        let (_, term, _) = Term::blocks().find(|(known, ..)| *known == name)?;
        terms[term] = pair(middle.parse().ok()?, end.parse().ok()?);
    }
    Some(terms)
}

/// Formats the lines of a text that can be parsed. Leaves out terms without weight.
pub fn format(terms: &[(i32, i32)]) -> String {
    let lines = Term::blocks().zip(terms).filter(|(_, weight)| **weight != (0, 0));
    lines.map(|((name, ..), (middle, end))| format!("{name} {middle} {end}\n")).collect()
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
