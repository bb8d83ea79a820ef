//! Rules as types. There are two families, so the search is compiled twice: [`Standard`], where
//! nothing differs from orthodox chess but castling and no code checks for anything else, and
//! [`Fairy`], whose rules are read from a value ([`Rules`]) at run time.

use super::piece::HAND_LIMIT;
use super::variants::{CastlingStyle, Drops, Goal, NOCASTLE, NoMoves, Royal, Rules, Variant, WILDCASTLE};
use super::{Bitboard, Color, Piece, Role, Square, zobrist};
use std::fmt::Debug;

/// The rules of a position, and their state besides the board.
pub trait Ruleset: Copy + Debug + Send + Sync + 'static {
    /// Number of origins of moves: squares, then pieces in hand by role.
    const ORIGINS: usize;

    /// Returns the variant.
    fn variant(&self) -> Variant;

    /// Returns the castling style.
    fn castling(&self) -> CastlingStyle;

    /// Returns the state of rules that standard chess does not have. Always `None` in standard
    /// chess, so that their code is not even compiled.
    #[inline]
    fn fairy(&self) -> Option<&Fairy> {
        None
    }

    /// Like [`Ruleset::fairy`], mutable.
    #[inline]
    fn fairy_mut(&mut self) -> Option<&mut Fairy> {
        None
    }
}

/// Chess that differs from orthodox chess at most in castling and in what the players see.
#[derive(Clone, Copy, Debug)]
pub struct Standard {
    castling: CastlingStyle,
    /// Index in [`STANDARD`].
    index: u8,
}

/// The variants that differ from orthodox chess at most in castling.
const STANDARD: [Variant; 5] = [
    Variant::NORMAL,
    Variant::FISCHERANDOM,
    Variant::of(&NOCASTLE),
    Variant::of(&WILDCASTLE),
    Variant::KRIEGSPIEL,
];

impl Standard {
    /// Orthodox chess.
    pub const NORMAL: Standard = Standard { castling: CastlingStyle::Orthodox, index: 0 };
    /// Chess960.
    pub const FISCHERANDOM: Standard = Standard { castling: CastlingStyle::Chess960, index: 1 };
    /// Orthodox chess in which each side sees only its own men.
    pub const KRIEGSPIEL: Standard = Standard { castling: CastlingStyle::Orthodox, index: 4 };

    /// The standard chess of a variant; `None` if its rules differ in more than castling.
    pub fn of(variant: Variant) -> Option<Standard> {
        let index = STANDARD.iter().position(|&standard| standard == variant)?;
        Some(Standard { castling: variant.rules().castling, index: index as u8 })
    }
}

impl Ruleset for Standard {
    const ORIGINS: usize = 64;

    fn variant(&self) -> Variant {
        STANDARD[usize::from(self.index)]
    }

    #[inline]
    fn castling(&self) -> CastlingStyle {
        self.castling
    }
}

/// Rules given by a value, and their state besides the board.
#[derive(Clone, Copy, Debug)]
pub struct Fairy {
    rules: &'static Rules,
    /// Pieces in hand, by side and role.
    hands: [[u8; 6]; 2],
    /// Promoted pieces on the board: captured, they become pawns again.
    promoted: Bitboard,
    /// Checks given, by side.
    checks: [u8; 2],
}

impl Fairy {
    /// A variant's rules, with empty hands.
    pub fn of(variant: Variant) -> Fairy {
        Fairy { rules: variant.rules(), hands: [[0; 6]; 2], promoted: Bitboard::EMPTY, checks: [0; 2] }
    }

    /// Returns the rules.
    #[inline]
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Returns true if a king must not be left in check.
    #[inline]
    pub(crate) fn has_royal_king(&self) -> bool {
        self.rules.royal != Royal::Nothing
    }

    /// Returns true if check depends only on the pieces that attack the one king.
    #[inline]
    pub(crate) fn checks_like_standard_chess(&self) -> bool {
        !self.rules.explodes && self.rules.royal != Royal::FirstKing
    }

    /// Returns true if a game is won only by giving check, as in standard chess: by mate, or by a
    /// number of checks.
    pub(crate) fn is_won_by_check_alone(&self) -> bool {
        let rules = self.rules;
        let has_other_ends =
            rules.explodes || rules.white_horde || rules.bare_king_wins || rules.goal != Goal::None;
        let mates = matches!(rules.no_moves, NoMoves::MateOrDraw | NoMoves::MateOrWait);
        rules.royal != Royal::Nothing && mates && !has_other_ends
    }

    /// Returns true if pieces may be dropped.
    #[inline]
    pub(crate) fn has_drops(&self) -> bool {
        self.rules.drops != Drops::None
    }

    /// Returns the pieces in hand, by side and role.
    pub fn hands(&self) -> [[u8; 6]; 2] {
        self.hands
    }

    /// Returns the number of pieces of a role that a side has in hand.
    #[inline]
    pub(crate) fn in_hand(&self, color: Color, role: Role) -> u8 {
        self.hands[color.index()][role.index()]
    }

    /// Returns the promoted pieces on the board.
    pub(crate) fn promoted(&self) -> Bitboard {
        self.promoted
    }

    /// Returns the number of checks that a side has given.
    pub fn checks(&self, color: Color) -> u8 {
        self.checks[color.index()]
    }

    /// Returns the state's part of the position's key.
    pub fn key(&self) -> u64 {
        let mut key = 0;
        for color in Color::ALL {
            for role in Role::ALL {
                key ^= zobrist::in_hand(Piece { color, role }, self.in_hand(color, role));
            }
            key ^= zobrist::checks(color, self.checks(color));
        }
        self.promoted.into_iter().fold(key, |key, square| key ^ zobrist::promoted(square))
    }

    /// Adds pieces to a hand (or removes them, if negative); those above [`HAND_LIMIT`] are
    /// dropped. Returns the change of the key.
    pub(super) fn change_hand(&mut self, color: Color, role: Role, by: i8) -> u64 {
        let held = &mut self.hands[color.index()][role.index()];
        let before = *held;
        *held = before.saturating_add_signed(by).min(HAND_LIMIT);
        let piece = Piece { color, role };
        zobrist::in_hand(piece, before) ^ zobrist::in_hand(piece, *held)
    }

    /// Marks the piece on this square as promoted or not. Returns the change of the key.
    pub(super) fn set_promoted(&mut self, square: Square, was_pawn: bool) -> u64 {
        if self.promoted.has(square) == was_pawn {
            return 0;
        }
        self.promoted ^= Bitboard::of(square);
        zobrist::promoted(square)
    }

    /// Sets the number of checks a side has given, at most [`u8::MAX`] - 1. Returns the change of
    /// the key.
    pub(super) fn set_checks(&mut self, color: Color, given: u8) -> u64 {
        let before = std::mem::replace(&mut self.checks[color.index()], given);
        zobrist::checks(color, before) ^ zobrist::checks(color, given)
    }
}

impl Ruleset for Fairy {
    const ORIGINS: usize = 64 + Role::ALL.len();

    #[inline]
    fn variant(&self) -> Variant {
        Variant::of(self.rules)
    }

    #[inline]
    fn castling(&self) -> CastlingStyle {
        self.rules.castling
    }

    #[inline]
    fn fairy(&self) -> Option<&Fairy> {
        Some(self)
    }

    #[inline]
    fn fairy_mut(&mut self) -> Option<&mut Fairy> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{NORMAL, Position};

    #[test]
    fn standard_variants_differ_only_in_castling() {
        static NEEDS_A_CAPTURE: Rules = Rules { must_capture: true, ..NORMAL };
        assert!(Standard::of(Variant::NORMAL).is_some());
        assert!(
            Standard::of(Variant::FISCHERANDOM)
                .is_some_and(|rules| rules.castling == CastlingStyle::Chess960)
        );
        assert!(Standard::of(Variant::of(&NEEDS_A_CAPTURE)).is_none());
        for variant in STANDARD {
            let &Rules { name, id, start, castling, hidden, .. } = variant.rules();
            assert_eq!(*variant.rules(), Rules { name, id, start, castling, hidden, ..NORMAL });
            assert_eq!(Standard::of(variant).map(|rules| rules.variant()), Some(variant));
        }
    }

    #[test]
    fn standard_chess_stays_small() {
        assert_eq!(size_of::<Position<Standard>>(), 160);
    }
}
