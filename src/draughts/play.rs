//! Playing moves.

use super::{Bitboard, Move, Position, zobrist};
use crate::chess::Color;

impl Position {
    /// Plays a move, which must be legal here.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        *self = self.after(mv);
    }

    /// Returns the position after a move, which must be legal here.
    ///
    /// It is constructed rather than copied and changed: a copy of recently written fields would
    /// stall on store forwarding.
    #[inline]
    pub fn after(&self, mv: Move) -> Position {
        let path = mv.path();
        let (us, them) = (self.turn, !self.turn);
        let (from, to) = (Bitboard::of(path.from), Bitboard::of(path.to));
        let was_king = (self.kings & from).any();
        let is_king = was_king || (to & Bitboard::crown_row(us)).any();
        let mut key = self.key ^ zobrist::WHITE_ON_MOVE;
        key ^= zobrist::piece(us, was_king, path.from) ^ zobrist::piece(us, is_king, path.to);
        for taken in path.jumped {
            key ^= zobrist::piece(them, self.kings.has(taken), taken);
        }
        let own = self.side(us) & !from | to;
        let opponents = self.side(them) & !path.jumped;
        let others = self.kings & !(from | path.jumped);
        let is_reversible = was_king && path.jumped.is_empty();
        Position {
            sides: if us == Color::White { [own, opponents] } else { [opponents, own] },
            kings: if is_king { others | to } else { others },
            key,
            reversible_plies: if is_reversible { self.reversible_plies.saturating_add(1) } else { 0 },
            turn: them,
        }
    }

    /// Passes, for NMP.
    #[inline]
    pub fn pass(&mut self) {
        self.turn = !self.turn;
        self.key ^= zobrist::WHITE_ON_MOVE;
    }
}
