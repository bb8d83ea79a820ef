//! The games that nets are made for.

use super::features::COUNTER_INPUTS;
use crate::chess::{Standard, Variant};
use std::fmt;

/// A game that a net can evaluate. It decides the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Orthodox chess and variants that differ only in castling.
    Chess,
    /// Another variant of chess.
    Variant(Variant),
    /// English draughts.
    Draughts,
}

impl Domain {
    /// Number of different [`Domain::index`].
    pub(super) const COUNT: usize = 257;
    const DRAUGHTS: &str = "draughts";

    /// Returns the domain of a variant.
    pub fn of(variant: Variant) -> Domain {
        if Standard::of(variant).is_some() { Domain::Chess } else { Domain::Variant(variant) }
    }

    /// Returns the domain with this name: a variant's name in files, or `draughts`.
    pub fn from_name(name: &str) -> Option<Domain> {
        if name == Domain::DRAUGHTS {
            return Some(Domain::Draughts);
        }
        Variant::from_name(name).map(Domain::of)
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Domain::Chess => Variant::NORMAL.name(),
            Domain::Variant(variant) => variant.name(),
            Domain::Draughts => Domain::DRAUGHTS,
        }
    }

    /// Returns a number below [`Domain::COUNT`] that no other domain has.
    #[inline]
    pub(super) fn index(self) -> usize {
        match self {
            Domain::Chess => usize::from(Variant::NORMAL.rules().id),
            Domain::Variant(variant) => usize::from(variant.rules().id),
            Domain::Draughts => 256,
        }
    }

    /// Returns the number of squares.
    #[inline]
    pub const fn squares(self) -> usize {
        match self {
            Domain::Chess | Domain::Variant(_) => 64,
            Domain::Draughts => 32,
        }
    }

    /// Returns the number of inputs for men of both sides on squares.
    #[inline]
    pub const fn board_inputs(self) -> usize {
        match self {
            Domain::Chess | Domain::Variant(_) => 2 * 6 * 64,
            Domain::Draughts => 2 * 2 * 32,
        }
    }

    /// Returns the number of inputs.
    pub const fn inputs(self) -> usize {
        match self {
            Domain::Chess | Domain::Draughts => self.board_inputs(),
            Domain::Variant(_) => self.board_inputs() + COUNTER_INPUTS,
        }
    }

    /// Returns the number of men at the start of most games.
    pub const fn men(self) -> usize {
        match self {
            Domain::Chess | Domain::Variant(_) => 32,
            Domain::Draughts => 24,
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_indices_are_unique() {
        let mut domains = vec![Domain::Chess, Domain::Draughts];
        domains.extend(Variant::known().map(Domain::of));
        for &one in &domains {
            assert_eq!(Domain::from_name(one.name()), Some(one));
            for &other in &domains {
                assert_eq!(one == other, one.index() == other.index(), "{one} {other}");
            }
            assert!(one.index() < Domain::COUNT);
        }
        assert_eq!(Domain::from_name("halma"), None);
    }
}
