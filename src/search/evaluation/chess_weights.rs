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

/// Weights of orthodox chess, and of variants without their own.
pub(crate) static CHESS: LazyLock<ChessWeights> = LazyLock::new(|| read(NORMAL_TEXT));
/// Weights of three checks.
pub(crate) static THREE_CHECKS: LazyLock<ChessWeights> = LazyLock::new(|| read(THREE_CHECKS_TEXT));
/// Weights of crazyhouse and bughouse.
pub(crate) static CRAZYHOUSE: LazyLock<ChessWeights> = LazyLock::new(|| read(CRAZYHOUSE_TEXT));
/// Weights of racing kings.
pub(crate) static RACING_KINGS: LazyLock<ChessWeights> = LazyLock::new(|| read(RACING_KINGS_TEXT));
/// Weights of horde.
pub(crate) static HORDE: LazyLock<ChessWeights> = LazyLock::new(|| read(HORDE_TEXT));
/// Weights of losers.
pub(crate) static LOSERS: LazyLock<ChessWeights> = LazyLock::new(|| read(LOSERS_TEXT));
/// Weights of suicide and giveaway.
pub(crate) static SUICIDE: LazyLock<ChessWeights> = LazyLock::new(|| read(SUICIDE_TEXT));
/// Weights of king of the hill.
pub(crate) static KING_OF_THE_HILL: LazyLock<ChessWeights> = LazyLock::new(|| read(KING_OF_THE_HILL_TEXT));
/// Weights of atomic.
pub(crate) static ATOMIC: LazyLock<ChessWeights> = LazyLock::new(|| read(ATOMIC_TEXT));

const NORMAL_TEXT: &str = include_str!("variants/normal.txt");
const THREE_CHECKS_TEXT: &str = include_str!("variants/3check-chess.txt");
const CRAZYHOUSE_TEXT: &str = include_str!("variants/crazyhouse-chess.txt");
const RACING_KINGS_TEXT: &str = include_str!("variants/racingkings-chess.txt");
const HORDE_TEXT: &str = include_str!("variants/horde-chess.txt");
const LOSERS_TEXT: &str = include_str!("variants/losers-chess.txt");
const SUICIDE_TEXT: &str = include_str!("variants/suicide-chess.txt");
const KING_OF_THE_HILL_TEXT: &str = include_str!("variants/kingofthehill-chess.txt");
const ATOMIC_TEXT: &str = include_str!("variants/atomic-chess.txt");

fn read(text: &str) -> ChessWeights {
    parse(text).expect("weights that a test has read")
}

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
fn parse(text: &str) -> Option<ChessWeights> {
    let (mut terms, mut dangers) = ([Pair::default(); TERMS], [0; DANGERS]);
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let words: Vec<&str> = line.split(' ').collect();
        let names = words.iter().take_while(|word| word.parse::<i32>().is_err()).count();
        let name = words[..names].join(" ");
        let numbers: Vec<i32> = words[names..].iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
        if let Some(danger) = DANGER_NAMES.iter().position(|known| *known == name) {
            dangers[danger] = *numbers.first().filter(|_| numbers.len() == 1)?;
            continue;
        }
        let &(_, first, len) = BLOCKS.iter().find(|(known, ..)| *known == name)?;
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
    for (name, first, len) in BLOCKS {
        text += name;
        for (middle, end) in &terms[first..first + len] {
            let _ = write!(text, " {middle} {end}");
        }
        text.push('\n');
    }
    for (name, weight) in DANGER_NAMES.iter().zip(dangers) {
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
        for text in [
            NORMAL_TEXT,
            THREE_CHECKS_TEXT,
            CRAZYHOUSE_TEXT,
            RACING_KINGS_TEXT,
            HORDE_TEXT,
            LOSERS_TEXT,
            SUICIDE_TEXT,
            KING_OF_THE_HILL_TEXT,
            ATOMIC_TEXT,
        ] {
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
    fn blocks_are_contiguous() {
        assert!(BLOCKS.windows(2).all(|two| two[0].1 + two[0].2 == two[1].1));
        assert_eq!(SQUARES + 6 * 32, MOBILITY[0]);
        assert_eq!(SAFE_CHECK + 1, TERMS);
    }
}
