//! Playing moves.

use super::position::{EMPTY, NOWHERE, encode};
use super::{
    Bitboard, Color, Move, MoveKind, Piece, Position, Role, Royal, Ruleset, Square, attacks, zobrist,
};

impl<R: Ruleset> Position<R> {
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.colors[piece.color.index()] ^= bit;
        self.roles[piece.role.index()] ^= bit;
        self.mailbox[square.index()] = encode(piece);
        self.key ^= zobrist::piece(piece, square);
    }

    #[inline]
    pub(super) fn take(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.colors[piece.color.index()] ^= bit;
        self.roles[piece.role.index()] ^= bit;
        self.mailbox[square.index()] = EMPTY;
        self.key ^= zobrist::piece(piece, square);
    }

    /// Plays a move that is legal here, or by other rules of the same variant
    /// ([`super::AnyPosition::parse_opponents_move`]).
    #[inline]
    pub fn play(&mut self, mv: Move) {
        if self.fairy().is_some() {
            return self.play_fairy(mv);
        }
        let Some(piece) = self.piece_at(mv.from()) else {
            debug_assert!(false, "no piece to move by {mv:?}");
            return;
        };
        self.begin_ply();
        self.move_pieces(piece, mv);
        self.end_ply(piece, mv);
    }

    /// Returns the key of the position after a legal move, unless castling, en passant or the rules
    /// of a variant change more than the moving and the captured piece.
    #[inline]
    pub(crate) fn likely_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else { return self.key };
        let captured = self.piece_at(to).map_or(0, |captured| zobrist::piece(captured, to));
        let put = Piece { role: mv.promotion().unwrap_or(piece.role), ..piece };
        let en_passant = self.en_passant().map_or(0, zobrist::en_passant);
        let moved = zobrist::piece(piece, from) ^ zobrist::piece(put, to);
        self.key ^ moved ^ captured ^ en_passant ^ zobrist::BLACK_ON_MOVE
    }

    /// Counts the ply and clears the en passant square.
    #[inline]
    pub(super) fn begin_ply(&mut self) {
        self.forget_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if self.turn == Color::Black {
            self.fullmove = self.fullmove.saturating_add(1);
        }
    }

    /// Moves the pieces of a move. Returns the captured piece and its square.
    #[inline]
    pub(super) fn move_pieces(&mut self, piece: Piece, mv: Move) -> Option<(Piece, Square)> {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        if mv.kind() == MoveKind::Castle {
            let targets = self.castling_targets(from, to);
            let rook = Piece { color: us, role: Role::Rook };
            self.take(piece, from);
            self.take(rook, to);
            self.put(piece, targets.king);
            self.put(rook, targets.rook);
            return None;
        }
        let captured_on =
            if mv.kind() == MoveKind::EnPassant { Square::at(to.file(), from.rank()) } else { to };
        let captured = self.piece_at(captured_on);
        if let Some(captured) = captured {
            self.take(captured, captured_on);
            self.halfmove_clock = 0;
        }
        self.take(piece, from);
        self.put(Piece { color: us, role: mv.promotion().unwrap_or(piece.role) }, to);
        if piece.role == Role::Pawn {
            self.halfmove_clock = 0;
        }
        captured.map(|captured| (captured, captured_on))
    }

    /// Puts the other side on move, after a move of this piece.
    #[inline]
    pub(super) fn end_ply(&mut self, piece: Piece, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        self.lose_castling(piece, from, to);
        self.turn = !self.turn;
        self.key ^= zobrist::BLACK_ON_MOVE;
        let is_double_step = piece.role == Role::Pawn && from.index().abs_diff(to.index()) == 16;
        if is_double_step && from.rank() != piece.color.home() {
            self.remember_en_passant(Square::at(from.file(), (from.rank() + to.rank()) / 2));
        }
        self.find_checkers();
    }

    /// Passes. Must not be done in check.
    #[inline]
    pub fn pass(&mut self) {
        self.forget_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.turn = !self.turn;
        self.key ^= zobrist::BLACK_ON_MOVE;
        self.find_checkers();
    }

    /// Removes castling rights after a rook moved or was captured, or a king moved.
    #[inline]
    fn lose_castling(&mut self, moved: Piece, from: Square, to: Square) {
        if self.castling.is_empty() {
            return;
        }
        let mut lost = self.castling & (Bitboard::of(from) | Bitboard::of(to));
        if moved.role == Role::King && self.ends_castling(moved.color, from) {
            lost |= self.castling & Bitboard::rank(moved.color.home());
        }
        self.forbid_castling(lost);
    }

    /// Returns true if a move of the king from this square ends the castling rights: where kings
    /// are ordinary pieces, only from its home square; with two kings, of either (ICC's help on
    /// wild 9).
    #[inline]
    fn ends_castling(&self, color: Color, from: Square) -> bool {
        match self.fairy() {
            Some(fairy) if fairy.rules().royal == Royal::Nothing => from == self.castling_home(color),
            _ => true,
        }
    }

    /// Removes the rights of these rooks, all of which have one.
    #[inline]
    pub(super) fn forbid_castling(&mut self, rooks: Bitboard) {
        self.castling ^= rooks;
        for rook in rooks {
            self.key ^= zobrist::castling(rook);
        }
    }

    /// Gives the rook on this square the right to castle.
    pub(super) fn allow_castling(&mut self, rook: Square) {
        if !self.castling.has(rook) {
            self.castling |= Bitboard::of(rook);
            self.key ^= zobrist::castling(rook);
        }
    }

    pub(super) fn set_turn(&mut self, turn: Color) {
        self.key ^= zobrist::turn(self.turn) ^ zobrist::turn(turn);
        self.turn = turn;
    }

    pub(super) fn set_clocks(&mut self, halfmove_clock: u16, fullmove: u16) {
        self.halfmove_clock = halfmove_clock;
        self.fullmove = fullmove;
    }

    #[inline]
    pub(super) fn find_checkers(&mut self) {
        let us = self.turn;
        self.checkers = match self.king(us) {
            Some(king) if !self.is_shielded_by_kings(king, !us) => {
                self.attackers(king, self.occupied()) & self.color(!us)
            }
            _ => Bitboard::EMPTY,
        };
    }

    #[inline]
    pub(super) fn forget_en_passant(&mut self) {
        if let Some(square) = self.en_passant() {
            self.key ^= zobrist::en_passant(square);
            self.en_passant = NOWHERE;
        }
    }

    /// Sets the en passant square after a double step, but only if a capture there is legal:
    /// otherwise equal positions would have different keys for the repetition rule.
    #[inline]
    pub(super) fn remember_en_passant(&mut self, square: Square) {
        let us = self.turn;
        let mut takers = attacks::pawn(!us, square) & self.pieces(us, Role::Pawn);
        if takers.find(|&taker| self.en_passant_is_safe(taker, square)).is_some() {
            self.en_passant = square.index() as u8;
            self.key ^= zobrist::en_passant(square);
        }
    }

    /// Returns true if the king of the side on move is out of check after this en passant capture.
    /// The double step was the last move, so only sliders can attack it then.
    #[inline]
    pub(crate) fn en_passant_is_safe(&self, taker: Square, target: Square) -> bool {
        let mv = Move::new(taker, target, MoveKind::EnPassant);
        if let Some(safe) = self.fairy().and_then(|fairy| self.fairy_en_passant_is_safe(fairy, mv)) {
            return safe;
        }
        let Some(king) = self.king(self.turn) else { return true };
        let captured = Square::at(target.file(), taker.rank());
        let occupied = self.occupied() ^ Bitboard::of(taker) ^ Bitboard::of(captured) | Bitboard::of(target);
        !self.slider_sees(king, !self.turn, occupied)
    }
}
