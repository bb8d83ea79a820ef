//! Games that the engine plays against itself: variants of chess, and draughts.

use crate::chess::{AnyPosition, Variant, shuffled};
use crate::draughts;
use crate::search::RootPosition;
use crate::search::net::{Domain, net_hash};
use std::fmt;

/// Name of English draughts; no variant of chess has it.
const DRAUGHTS: &str = "draughts";

/// Number of starts of fischerandom. Each position has two: the knights are interchangeable.
const SHUFFLED_STARTS: u16 = 4 * 4 * 6 * 5 * 4;

/// The rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameRules {
    /// Chess or a variant.
    Chess(Variant),
    /// English draughts.
    Draughts,
}

impl GameRules {
    /// The rules with this name ([`GameRules`]'s text).
    pub fn from_name(name: &str) -> Option<GameRules> {
        if name == DRAUGHTS {
            return Some(GameRules::Draughts);
        }
        Variant::from_name(name).map(GameRules::Chess)
    }

    /// Returns the number of start positions.
    pub(in crate::training) fn starts(self) -> u16 {
        if self == GameRules::Chess(Variant::FISCHERANDOM) { SHUFFLED_STARTS } else { 1 }
    }

    /// Returns a start position by its number below [`GameRules::starts`].
    pub(in crate::training) fn start(self, number: u16) -> RootPosition {
        match self {
            GameRules::Draughts => draughts::Position::start().into(),
            GameRules::Chess(variant) if variant == Variant::FISCHERANDOM => shuffled_start(number).into(),
            GameRules::Chess(variant) => AnyPosition::start(variant).into(),
        }
    }

    /// Returns the upper half of the hash of the net that evaluates these games.
    pub(in crate::training) fn net_hash(self) -> u32 {
        let domain = match self {
            GameRules::Chess(variant) => Domain::of(variant),
            GameRules::Draughts => Domain::Draughts,
        };
        (net_hash(domain) >> 32) as u32
    }
}

impl fmt::Display for GameRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameRules::Chess(variant) => variant.name(),
            GameRules::Draughts => DRAUGHTS,
        })
    }
}

/// The digits of the number, in mixed radix, choose the squares.
fn shuffled_start(number: u16) -> AnyPosition {
    let mut left = usize::from(number % SHUFFLED_STARTS);
    let fen = shuffled(&mut |sides| {
        let digit = left % sides;
        left /= sides;
        digit
    });
    AnyPosition::from_fen(Variant::FISCHERANDOM, &fen).expect("a start position is legal")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_rules_have_a_name() {
        let all = Variant::ALL.map(GameRules::Chess).into_iter().chain([GameRules::Draughts]);
        for rules in all {
            assert_eq!(GameRules::from_name(&rules.to_string()), Some(rules));
        }
        assert_eq!(GameRules::from_name("chequers"), None);
    }

    #[test]
    fn fischerandom_has_960_starts() {
        let rules = GameRules::Chess(Variant::FISCHERANDOM);
        let keys: HashSet<u64> = (0..rules.starts()).map(|number| rules.start(number).key()).collect();
        assert_eq!(keys.len(), 960);
    }
}
