//! Rules that standard chess does not have.
//!
//! * `generate`: legal moves; `royal`: which king must be safe, and when it is.
//! * `ending`: outcomes; `fen`: hands and counters in FEN.
//! * `lenient`: moves by other servers' rules; `partner`: pieces from another board.

mod ending;
mod fen;
mod generate;
mod lenient;
mod partner;
mod royal;

use super::{
    Bitboard, Color, Drops, Fairy, Move, MoveKind, Piece, Position, Role, Ruleset, Square, attacks, zobrist,
};

impl<R: Ruleset> Position<R> {
    /// Plays a move that is legal here, by rules that standard chess does not have.
    pub(super) fn play_fairy(&mut self, mv: Move) {
        let us = self.turn();
        let Some(rules) = self.fairy().map(Fairy::rules) else { return };
        self.begin_ply();
        if let MoveKind::Drop(role) = mv.kind() {
            self.drop_piece(Piece { color: us, role }, mv.to());
        } else {
            let Some(piece) = self.piece_at(mv.from()) else {
                debug_assert!(false, "no piece to move by {mv:?}");
                return;
            };
            debug_assert_eq!(piece.color, us, "{mv:?} moves a piece of the other side");
            let captured = self.move_pieces(piece, mv);
            if rules.drops != Drops::None {
                self.note_hands(us, mv, captured, rules.drops);
            }
            if captured.is_some() && rules.explodes {
                self.explode(mv.to());
            }
            self.lose_castling_of_captured(captured);
            self.end_ply(piece, mv);
        }
        if rules.checks_to_win > 0 && self.in_check() {
            self.change_fairy(|fairy| fairy.set_checks(us, fairy.checks(us).saturating_add(1)));
        }
    }

    /// Drops a piece from the hand. Castling rights and the en passant square stay.
    fn drop_piece(&mut self, piece: Piece, to: Square) {
        self.put(piece, to);
        self.halfmove_clock = 0;
        self.change_fairy(|fairy| fairy.change_hand(piece.color, piece.role, -1));
        self.turn = !self.turn;
        self.key ^= zobrist::BLACK_ON_MOVE;
        self.find_checkers();
    }

    /// Changes the data of the variant; `change` returns the change of the key.
    #[inline]
    pub(super) fn change_fairy(&mut self, change: impl FnOnce(&mut Fairy) -> u64) {
        if let Some(fairy) = self.ruleset.fairy_mut() {
            self.key ^= change(fairy);
        }
    }

    /// Updates hands and promoted pieces after a move.
    fn note_hands(&mut self, us: Color, mv: Move, captured: Option<(Piece, Square)>, drops: Drops) {
        if mv.kind() == MoveKind::Castle {
            return;
        }
        let promoted = self.fairy().map_or(Bitboard::EMPTY, Fairy::promoted);
        if let Some((piece, square)) = captured {
            let role = if promoted.has(square) { Role::Pawn } else { piece.role };
            self.change_fairy(|fairy| {
                let hand = if drops == Drops::Captured { fairy.change_hand(us, role, 1) } else { 0 };
                hand ^ fairy.set_promoted(square, false)
            });
        }
        let was_pawn = promoted.has(mv.from()) || mv.promotion().is_some();
        if was_pawn {
            self.change_fairy(|fairy| {
                fairy.set_promoted(mv.from(), false) ^ fairy.set_promoted(mv.to(), true)
            });
        }
    }

    /// Removes the castling rights of a captured king.
    fn lose_castling_of_captured(&mut self, captured: Option<(Piece, Square)>) {
        if let Some((Piece { color, role: Role::King }, square)) = captured
            && !self.castling().is_empty()
            && square == self.castling_home(color)
        {
            self.forbid_castling(self.castling() & Bitboard::rank(color.home()));
        }
    }

    /// Removes the capturing piece on a square and all adjacent pieces except pawns, and their
    /// castling rights.
    fn explode(&mut self, center: Square) {
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
