//! The weights of the terms of [`super::variant`], in centipawns: a text for each variant, written by `farboard tune`.
//!
//! A line of a text is a term's name, its weight in the middlegame, and its weight in the endgame; terms that are missing count
//! nothing. Lines that begin with `#` say what the weights were fitted to.

use super::variant::{NAMES, TERMS};
use super::weights::{Pair, pair};
use crate::chess::zobrist::mix;
use crate::chess::{Rules, Variant};
use std::sync::LazyLock;

/// What the terms are worth in a variant.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Whether what counts in chess counts, too.
    pub besides_chess: bool,
    /// A weight for each term.
    pub terms: [Pair; TERMS],
}

/// The texts by the variant's name, and whether what counts in chess counts, too: not in losers, suicide and giveaway, where pieces
/// are a burden.
const TEXTS: [(&str, bool, &str); 13] = [
    ("nocastle", true, ""),
    ("crazyhouse", true, include_str!("variants/crazyhouse.txt")),
    ("bughouse", true, include_str!("variants/bughouse.txt")),
    ("twokings", true, include_str!("variants/twokings.txt")),
    ("atomic", true, include_str!("variants/atomic.txt")),
    ("atomic-icc", true, include_str!("variants/atomic.txt")),
    ("3check", true, include_str!("variants/3check.txt")),
    ("kingofthehill", true, include_str!("variants/kingofthehill.txt")),
    ("racingkings", true, include_str!("variants/racingkings.txt")),
    ("horde", true, include_str!("variants/horde.txt")),
    ("losers", false, include_str!("variants/losers.txt")),
    ("suicide", false, include_str!("variants/suicide.txt")),
    ("giveaway", false, include_str!("variants/giveaway.txt")),
];

/// The weights by [`Rules::id`].
static WEIGHTS: LazyLock<Vec<Weights>> = LazyLock::new(|| {
    let none = Weights { besides_chess: true, terms: [Pair::default(); TERMS] };
    let mut weights = vec![none; 256];
    for (name, besides_chess, text) in TEXTS {
        let variant = Variant::from_name(name).expect("a known variant");
        let terms = parse(text).expect("weights that a test has read");
        weights[usize::from(variant.rules().id)] = Weights { besides_chess, terms };
    }
    weights
});

/// The weights of a variant; of one without weights of its own, those of chess alone.
pub fn weights_of(rules: &Rules) -> &'static Weights {
    &WEIGHTS[usize::from(rules.id)]
}

/// A number that differs where the weights of a variant do.
pub fn hash(rules: &Rules) -> u32 {
    let numbers = weights_of(rules).terms.iter().flat_map(|weight| [weight.middle, weight.end]);
    (numbers.fold(0, |hash, number| mix(hash ^ number as u64)) >> 32) as u32
}

/// Reads a text; `None` if a line is not a known term with two numbers.
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

/// Writes the lines of a text; as they are read. Terms without weight are left out.
pub fn format(terms: &[(i32, i32); TERMS]) -> String {
    let lines = NAMES.iter().zip(terms).filter(|(_, weight)| **weight != (0, 0));
    lines.map(|(name, (middle, end))| format!("{name} {middle} {end}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_read_and_reads_back() {
        for (name, _, text) in TEXTS {
            let terms = parse(text).unwrap_or_else(|| panic!("the weights of {name}"));
            let numbers = terms.map(|weight| (weight.middle, weight.end));
            assert_eq!(parse(&format(&numbers)), Some(terms));
        }
        for bad in ["pawns 1", "pawns a 1", "dragons 1 2"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
