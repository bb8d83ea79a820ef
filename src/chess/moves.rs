//! Moves, packed into 16 bits.

use super::{Role, Square};
use std::fmt;
use std::num::NonZeroU16;

/// A move: origin, target and kind in 16 bits, so that a transposition table entry can hold it.
/// Never 0, so an `Option<Move>` has 16 bits, too.
///
/// Castling is king takes own rook in every variant; the wire forms (`e1g1`, `O-O`) are written and
/// read by [`super::AnyPosition`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

/// The kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// A quiet move or a capture.
    Normal,
    /// An en passant capture.
    EnPassant,
    /// Castling; the target is the square of the own rook.
    Castle,
    /// A promotion to this role.
    Promotion(Role),
    /// A drop of a piece in hand; [`Move::from`] is meaningless.
    Drop(Role),
}

// No kind is 0: otherwise a move from a1 to a1 would be 0.
const EN_PASSANT: u16 = 1;
const CASTLE: u16 = 2;
const NORMAL: u16 = 3;
const PROMOTION: u16 = 4;
const DROP: u16 = 10;

impl Move {
    /// A move of this kind.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let tag = match kind {
            MoveKind::Normal => NORMAL,
            MoveKind::EnPassant => EN_PASSANT,
            MoveKind::Castle => CASTLE,
            MoveKind::Promotion(role) => PROMOTION + role as u16,
            MoveKind::Drop(role) => return Move::drop(role, to),
        };
        let bits = from.index() as u16 | (to.index() as u16) << 6 | tag << 12;
        Move(NonZeroU16::new(bits).expect("no kind is 0"))
    }

    /// A drop.
    #[inline]
    pub const fn drop(role: Role, to: Square) -> Move {
        Move(NonZeroU16::new(role as u16 | (to.index() as u16) << 6 | DROP << 12).expect("no kind is 0"))
    }

    /// A move of kind [`MoveKind::Normal`].
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::new(from, to, MoveKind::Normal)
    }

    /// Returns the origin.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.bits() & 63) as u8)
    }

    /// Returns the target; for castling, the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.bits() >> 6 & 63) as u8)
    }

    /// Returns the index of the origin among all origins ([`super::Ruleset::ORIGINS`]).
    #[inline]
    pub const fn origin(self) -> usize {
        match self.kind() {
            MoveKind::Drop(role) => 64 + role.index(),
            _ => self.from().index(),
        }
    }

    /// Returns the kind.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.bits() >> 12 {
            EN_PASSANT => MoveKind::EnPassant,
            CASTLE => MoveKind::Castle,
            5 => MoveKind::Promotion(Role::Knight),
            6 => MoveKind::Promotion(Role::Bishop),
            7 => MoveKind::Promotion(Role::Rook),
            8 => MoveKind::Promotion(Role::Queen),
            9 => MoveKind::Promotion(Role::King),
            DROP => MoveKind::Drop(Role::ALL[(self.bits() & 63) as usize % Role::ALL.len()]),
            _ => MoveKind::Normal,
        }
    }

    /// Returns the role of a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// Returns the 16 bits; never 0.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits; `None` for 0. Untrusted bits need not be a legal move.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let MoveKind::Drop(role) = self.kind() {
            return write!(f, "{}@{}", role.letter(), self.to());
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.kind() {
            MoveKind::Normal | MoveKind::Drop(_) => Ok(()),
            MoveKind::EnPassant => f.write_str("ep"),
            MoveKind::Castle => f.write_str("castle"),
            MoveKind::Promotion(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_optional_move_fits_16_bits() {
        assert_eq!(size_of::<Option<Move>>(), 2);
        let kinds = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(MoveKind::Promotion);
        let kinds = [&kinds[..], &[MoveKind::Normal, MoveKind::EnPassant, MoveKind::Castle]].concat();
        for (from, to) in (0..64).flat_map(|from| (0..64).map(move |to| (Square::new(from), Square::new(to))))
        {
            for &kind in &kinds {
                let mv = Move::new(from, to, kind);
                assert_eq!((mv.from(), mv.to(), mv.kind()), (from, to, kind));
                assert_eq!(Move::from_bits(mv.bits()), Some(mv));
            }
            let role = Role::ALL[from.index() % 6];
            let drop = Move::new(from, to, MoveKind::Drop(role));
            assert_eq!((drop.to(), drop.kind()), (to, MoveKind::Drop(role)));
        }
        assert_eq!(Move::from_bits(0), None);
    }
}
