//! What a move changes.

use super::{Bitboard, Move, Position, zobrist};

impl Position {
    /// Plays a legal move. Must be legal here.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let path = mv.path();
        let (us, them) = (self.turn, !self.turn);
        let (from, to) = (Bitboard::of(path.from), Bitboard::of(path.to));
        let was_king = (self.kings & from).any();
        let is_king = was_king || (to & Bitboard::crown_row(us)).any();
        for taken in path.jumped {
            self.key ^= zobrist::piece(them, self.kings.has(taken), taken);
        }
        self.key ^= zobrist::piece(us, was_king, path.from) ^ zobrist::piece(us, is_king, path.to);
        self.sides[us.index()] = self.side(us) & !from | to;
        self.sides[them.index()] &= !path.jumped;
        self.kings &= !(from | path.jumped);
        if is_king {
            self.kings |= to;
        }
        let is_reversible = was_king && path.jumped.is_empty();
        self.reversible_plies = if is_reversible { self.reversible_plies.saturating_add(1) } else { 0 };
        self.pass();
    }

    /// Passes the move to the other side, for NMP.
    #[inline]
    pub fn pass(&mut self) {
        self.turn = !self.turn;
        self.key ^= zobrist::WHITE_ON_MOVE;
    }

    /// The position after a legal move.
    #[inline]
    pub fn after(&self, mv: Move) -> Position {
        let mut after = *self;
        after.play(mv);
        after
    }
}
