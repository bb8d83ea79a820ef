//! Explosions of atomic chess.

use crate::chess::{Bitboard, Position, Role, Ruleset, Square, attacks};

impl<R: Ruleset> Position<R> {
    /// Removes the capturing piece on a square and all adjacent pieces except pawns, and their
    /// castling rights.
    pub(super) fn explode(&mut self, center: Square) {
        let around = attacks::king(center) & self.occupied() & !self.role(Role::Pawn);
        let mut lost = Bitboard::EMPTY;
        for square in around | Bitboard::of(center) {
            let Some(piece) = self.piece_at(square) else { continue };
            self.take(piece, square);
            lost |= Bitboard::of(square);
            if piece.role == Role::King {
                lost |= Bitboard::rank(piece.color.home());
            }
        }
        self.forbid_castling(self.castling() & lost);
    }
}
