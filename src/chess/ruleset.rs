//! Which rules the compiler knows. There are two families, so the search is compiled twice: [`Standard`], where nothing but
//! castling differs from orthodox chess and no code asks for anything else, and [`Fairy`], whose rules are read from a
//! value ([`Rules`]) while they are played.

use super::list::{List, StandardList};
use super::variants::{CastlingStyle, NORMAL, Royal, Rules, Variant};
use super::{Bitboard, Color, Role, Square, zobrist};
use std::fmt::Debug;

/// What a position knows of its rules, and keeps for them besides the board.
pub trait Ruleset: Copy + Debug + Send + Sync + 'static {
    /// A list that has room for all moves of a position.
    type List<T>: List<T>;

    /// Where moves may come from: squares, and after them pieces in hand by role.
    const ORIGINS: usize;

    /// The variant.
    fn variant(&self) -> Variant;

    /// How castling is set up.
    fn castling(&self) -> CastlingStyle;

    /// The rules that standard chess does not have, and what is kept for them. Always `None` in standard chess, so that
    /// code for them is not even compiled.
    #[inline]
    fn fairy(&self) -> Option<&Fairy> {
        None
    }

    /// The same, to be changed.
    #[inline]
    fn fairy_mut(&mut self) -> Option<&mut Fairy> {
        None
    }
}

/// Orthodox chess and Chess960.
#[derive(Clone, Copy, Debug)]
pub struct Standard(CastlingStyle);

impl Standard {
    /// Orthodox chess.
    pub const NORMAL: Standard = Standard(CastlingStyle::Orthodox);
    /// Chess960.
    pub const FISCHERANDOM: Standard = Standard(CastlingStyle::Chess960);

    /// The standard chess that a variant is; `None` if its rules differ in more than castling.
    pub fn of(variant: Variant) -> Option<Standard> {
        let Rules { name, id, start, castling, .. } = *variant.rules();
        let standard = Rules { name, id, start, castling, ..NORMAL };
        (*variant.rules() == standard).then_some(Standard(castling))
    }
}

impl Ruleset for Standard {
    type List<T> = StandardList<T>;

    const ORIGINS: usize = 64;

    fn variant(&self) -> Variant {
        match self.0 {
            CastlingStyle::Orthodox => Variant::NORMAL,
            CastlingStyle::Chess960 => Variant::FISCHERANDOM,
        }
    }

    #[inline]
    fn castling(&self) -> CastlingStyle {
        self.0
    }
}

/// Pieces of a role that a hand holds at most; more are not counted.
pub const HAND_LIMIT: u8 = 32;

/// Any rules that can be written as a value, and what they need besides the board.
#[derive(Clone, Copy, Debug)]
pub struct Fairy {
    rules: &'static Rules,
    /// Pieces in hand, by side and role.
    hands: [[u8; 6]; 2],
    /// Pieces on the board that were pawns: captured, they are pawns again.
    promoted: Bitboard,
    /// Checks given, by side.
    checks: [u8; 2],
}

impl Fairy {
    /// A variant's rules, with empty hands.
    pub fn of(variant: Variant) -> Fairy {
        Fairy { rules: variant.rules(), hands: [[0; 6]; 2], promoted: Bitboard::EMPTY, checks: [0; 2] }
    }

    /// The rules.
    #[inline]
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Whether a king must not be left in check.
    #[inline]
    pub fn has_royal_king(&self) -> bool {
        self.rules.royal == Royal::King
    }

    /// Pieces of a role that a side has in hand.
    #[inline]
    pub fn in_hand(&self, color: Color, role: Role) -> u8 {
        self.hands[color.index()][role.index()]
    }

    /// Pieces on the board that were pawns.
    pub fn promoted(&self) -> Bitboard {
        self.promoted
    }

    /// Checks that a side has given.
    pub fn checks(&self, color: Color) -> u8 {
        self.checks[color.index()]
    }

    /// Its part of the position's key: equal where hands, promoted pieces and counters are equal.
    pub fn key(&self) -> u64 {
        let hands = self.hands.as_flattened().iter().chain(&self.checks);
        let key = hands.enumerate().fold(0, |key, (what, &count)| key ^ zobrist::count(what, count));
        self.promoted.into_iter().fold(key, |key, square| key ^ zobrist::promoted(square))
    }

    /// Takes a piece into a hand; one more than [`HAND_LIMIT`] is forgotten.
    pub(super) fn gain(&mut self, color: Color, role: Role) {
        let held = &mut self.hands[color.index()][role.index()];
        *held = (*held + 1).min(HAND_LIMIT);
    }

    /// Takes a piece out of a hand.
    pub(super) fn spend(&mut self, color: Color, role: Role) {
        let held = &mut self.hands[color.index()][role.index()];
        debug_assert!(*held > 0, "a drop of what is not in hand");
        *held = held.saturating_sub(1);
    }

    /// Notes that a piece on this square was a pawn, or no longer.
    pub(super) fn set_promoted(&mut self, square: Square, was_pawn: bool) {
        let bit = Bitboard::of(square);
        self.promoted = if was_pawn { self.promoted | bit } else { self.promoted & !bit };
    }

    /// Sets how many checks a side has given.
    pub(super) fn set_checks(&mut self, color: Color, given: u8) {
        self.checks[color.index()] = given;
    }
}

impl Ruleset for Fairy {
    type List<T> = Vec<T>;

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
    use crate::chess::Position;

    #[test]
    fn standard_chess_differs_in_castling_alone() {
        static NEEDS_A_CAPTURE: Rules = Rules { must_capture: true, ..NORMAL };
        assert!(Standard::of(Variant::NORMAL).is_some());
        assert!(Standard::of(Variant::FISCHERANDOM).is_some_and(|rules| rules.0 == CastlingStyle::Chess960));
        assert!(Standard::of(Variant::of(&NEEDS_A_CAPTURE)).is_none());
    }

    #[test]
    fn standard_chess_pays_nothing_for_others() {
        assert_eq!(size_of::<Position<Standard>>(), 160);
    }
}
