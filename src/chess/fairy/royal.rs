//! Royal kings, and when they are safe.

use crate::chess::{Bitboard, Color, Fairy, Move, Position, Role, Royal, Ruleset, Square, attacks};

/// The method of distinguishing legal moves from pseudo-legal ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Legality {
    /// All are legal: no king must be safe.
    Free,
    /// By pins and checks, as in standard chess.
    Guarded,
    /// As in standard chess, but captures are tried.
    CapturesTried,
    /// Each move is tried.
    Tried,
}

impl<R: Ruleset> Position<R> {
    /// Returns the king of a side that must not be left in check, if there is one.
    pub(in crate::chess) fn royal_king(&self, fairy: &Fairy, color: Color) -> Option<Square> {
        let kings = self.pieces(color, Role::King);
        match fairy.rules().royal {
            Royal::King => kings.first(),
            Royal::FirstKing => kings.min_by_key(|king| (king.file(), king.rank())),
            Royal::Nothing => None,
        }
    }

    /// Returns how legal moves of the side on move are distinguished.
    pub(super) fn legality(&self, fairy: &Fairy) -> Legality {
        let rules = fairy.rules();
        let has_king = self.king(self.turn()).is_some();
        match rules.royal {
            _ if rules.explodes => Legality::CapturesTried,
            _ if !rules.may_check => Legality::Tried,
            Royal::FirstKing => Legality::Tried,
            Royal::King if has_king => Legality::Guarded,
            Royal::King | Royal::Nothing => Legality::Free,
        }
    }

    /// Returns true if a king on this square is safe because it touches a king of the side `by`: no
    /// capture may explode both.
    #[inline]
    pub(in crate::chess) fn is_shielded_by_kings(&self, square: Square, by: Color) -> bool {
        let explodes = self.fairy().is_some_and(|fairy| fairy.rules().explodes);
        explodes && (attacks::king(square) & self.pieces(by, Role::King)).any()
    }

    /// Returns true if a pseudo-legal move leaves its side what it must not lose.
    pub(super) fn is_safe(&self, fairy: &Fairy, mv: Move) -> bool {
        let us = self.turn();
        let mut after = *self;
        after.play(mv);
        if fairy.rules().explodes {
            if after.pieces(us, Role::King).is_empty() {
                return false;
            }
            if after.pieces(!us, Role::King).is_empty() {
                return true;
            }
        }
        let is_safe = |color: Color| {
            after.king(color).is_none_or(|king| {
                after.is_shielded_by_kings(king, !color) || !after.attacked(king, !color, after.occupied())
            })
        };
        is_safe(us) && (fairy.rules().may_check || is_safe(!us))
    }

    /// Returns whether an en passant capture is safe where it has to be tried; `None` where it need
    /// not be.
    pub(in crate::chess) fn fairy_en_passant_is_safe(&self, fairy: &Fairy, mv: Move) -> Option<bool> {
        match self.legality(fairy) {
            Legality::Free | Legality::Guarded => None,
            Legality::Tried => Some(self.is_safe(fairy, mv)),
            // By ICC's rules, so that an opponent can play by them. The generator tries the capture
            // again.
            Legality::CapturesTried => {
                let mut after = *self;
                after.play(mv);
                Some(after.pieces(self.turn(), Role::King).any())
            }
        }
    }

    /// Returns the square of the castling king where a side may have several.
    pub(in crate::chess) fn castling_home(&self, color: Color) -> Square {
        Square::at(4, color.home())
    }

    /// Returns the castling king: the only one, or, in variants with several, the one on its home
    /// square.
    pub(in crate::chess) fn castling_king(&self, color: Color) -> Option<Square> {
        let several = self.fairy().is_some_and(|fairy| fairy.rules().royal != Royal::King);
        if several {
            let home = self.castling_home(color);
            return self.pieces(color, Role::King).has(home).then_some(home);
        }
        self.king(color)
    }

    /// Returns the squares that a pawn's single step must reach to be followed by another.
    pub(in crate::chess) fn doubling_rank(&self, fairy: &Fairy, us: Color, third: Bitboard) -> Bitboard {
        if fairy.rules().white_horde && us == Color::White { third | Bitboard::rank(1) } else { third }
    }
}
