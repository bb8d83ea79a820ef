//! Weights of the chess terms ([`super::terms`]) in centipawns: a text for orthodox chess, and one
//! for each variant with its own, written by `farboard tune --chess`.
//!
//! A line has the name of a block and, for each of its terms, the weights in the middlegame and in
//! the endgame; or the name of a danger and its weight. Lines that begin with `#` are comments.

use super::pair::{Pair, pair};
use super::terms::*;
use crate::chess::{Role, Square};
use crate::random::mix;
use std::fmt::Write;
use std::sync::LazyLock;

/// Weights of the chess terms.
#[derive(Clone, Debug)]
pub struct ChessWeights {
    /// Weights of the linear terms.
    pub terms: [Pair; TERMS],
    /// Weights of the dangers, in units smaller than centipawns.
    pub dangers: [i32; DANGERS],
    /// Material and placement combined, by role and square.
    squares: [[Pair; 64]; 6],
}

/// Text of the weights of orthodox chess, and of variants without their own.
pub(super) const CHESS_TEXT: &str = include_str!("variants/normal.txt");
/// Weights of orthodox chess.
pub(crate) static CHESS: LazyLock<ChessWeights> =
    LazyLock::new(|| parse(CHESS_TEXT).expect("tested weights"));

/// Divisors of the squared danger in the middlegame, and of the danger in the endgame.
pub(crate) const DANGER_DIVISORS: (i32, i32) = (8192, 32);
/// Maximum danger that counts.
pub(crate) const MAX_DANGER: i32 = 3000;

/// Returns the value of the danger to the enemy king.
#[inline]
pub(crate) fn danger_worth(danger: i32) -> Pair {
    let danger = danger.clamp(0, MAX_DANGER);
    pair(danger * danger / DANGER_DIVISORS.0, danger / DANGER_DIVISORS.1)
}

/// Returns a hash of the weights.
pub(crate) fn hash(weights: &ChessWeights) -> u32 {
    let terms = weights.terms.iter().flat_map(|weight| [weight.middle(), weight.end()]);
    let numbers = terms.chain(weights.dangers);
    (numbers.fold(0, |hash, number| mix(hash ^ number as u64)) >> 32) as u32
}

/// Parses a text; `None` if a line is not a known block with all its numbers.
pub(super) fn parse(text: &str) -> Option<ChessWeights> {
    let (mut terms, mut dangers) = ([Pair::default(); TERMS], [0; DANGERS]);
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let words: Vec<&str> = line.split(' ').collect();
        let names = words.iter().take_while(|word| word.parse::<i32>().is_err()).count();
        let name = words[..names].join(" ");
        let numbers: Vec<i32> = words[names..].iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
        if let Some((_, danger, _)) = Danger::blocks().find(|(known, ..)| *known == name) {
            dangers[danger] = *numbers.first().filter(|_| numbers.len() == 1)?;
            continue;
        }
        let (_, first, len) = Linear::blocks().find(|(known, ..)| *known == name)?;
        if numbers.len() != 2 * len {
            return None;
        }
        for (term, numbers) in terms[first..].iter_mut().zip(numbers.chunks(2)) {
            *term = pair(numbers[0], numbers[1]);
        }
    }
    Some(ChessWeights::new(terms, dangers))
}

/// Formats a text that can be parsed.
pub fn format(terms: &[(i32, i32)], dangers: &[i32]) -> String {
    let mut text = String::new();
    for (name, first, len) in Linear::blocks() {
        text += name;
        for (middle, end) in &terms[first..first + len] {
            let _ = write!(text, " {middle} {end}");
        }
        text.push('\n');
    }
    for ((name, ..), weight) in Danger::blocks().zip(dangers) {
        let _ = writeln!(text, "{name} {weight}");
    }
    text
}

impl ChessWeights {
    fn new(terms: [Pair; TERMS], dangers: [i32; DANGERS]) -> ChessWeights {
        let worth = |role: usize, square: usize| {
            let material = if role < 5 { terms[MATERIAL + role] } else { Pair::default() };
            material + terms[SQUARES + 32 * role + half(square)]
        };
        let squares = std::array::from_fn(|role| std::array::from_fn(|square| worth(role, square)));
        ChessWeights { terms, dangers, squares }
    }
}

/// A sink that adds up weights.
pub(crate) struct Sum<'a> {
    weights: &'a ChessWeights,
    score: Pair,
    danger: i32,
}

impl Sum<'_> {
    /// An empty sum.
    pub(crate) fn new(weights: &ChessWeights) -> Sum<'_> {
        Sum { weights, score: Pair::default(), danger: 0 }
    }

    /// Returns the total.
    #[inline]
    pub(crate) fn total(&self) -> Pair {
        self.score + danger_worth(self.danger)
    }
}

impl TermSink for Sum<'_> {
    #[inline]
    fn add(&mut self, term: usize, times: i32) {
        self.score += self.weights.terms[term] * times;
    }

    #[inline]
    fn place(&mut self, role: Role, square: Square) {
        self.score += self.weights.squares[role.index()][square.index()];
    }

    #[inline]
    fn endanger(&mut self, danger: usize, times: i32) {
        self.danger += self.weights.dangers[danger] * times;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_survive_a_round_trip() {
        for (.., text, _) in super::super::variant_weights::TEXTS {
            let weights = parse(text).expect("weights");
            let terms = weights.terms.map(|weight| (weight.middle(), weight.end()));
            let again = parse(&format(&terms, &weights.dangers)).expect("weights");
            assert_eq!((again.terms, again.dangers), (weights.terms, weights.dangers));
        }
        let mut roles = CHESS.terms[MATERIAL..MATERIAL + 5].windows(2);
        assert!(roles.all(|two| two[0].middle() < two[1].middle()), "a pawn is least, a queen most");
        for bad in ["bishop pair 1", "bishop pair 1 2 3", "dragons 1 2", "danger, always", "bishop pair"] {
            assert!(parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn constants_are_the_first_terms_of_their_blocks() {
        let start = |name| Linear::blocks().find(|&(known, ..)| known == name).unwrap().1;
        assert_eq!((SQUARES, MOBILITY[0]), (start("squares of pawns"), start("mobility of knights")));
        assert_eq!(SQUARES + 6 * 32, MOBILITY[0]);
        assert_eq!(SAFE_CHECK + 1, TERMS);
    }
}
