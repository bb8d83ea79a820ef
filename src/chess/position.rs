//! The board, and how a move changes it.

use super::{Bitboard, Color, Move, MoveKind, Piece, Role, Rules, Square, attacks, zobrist};
use std::marker::PhantomData;

/// Marks "no square" in a byte.
const NOWHERE: u8 = 64;
/// Marks an empty square in the mailbox.
const EMPTY: u8 = 0;

/// A legal position: one king each, the side not on move not in check.
///
/// Small and copied for every move of a search (copy-make), so nothing has to be undone.
#[derive(Clone, Copy, Debug)]
pub struct Position<R: Rules> {
    colors: [Bitboard; 2],
    roles: [Bitboard; 6],
    mailbox: [u8; 64],
    key: u64,
    /// Enemy men that attack the king of the side on move.
    checkers: Bitboard,
    /// Own rooks and enemy rooks that may still castle.
    castling: Bitboard,
    /// The square behind a pawn that can legally be taken en passant, or [`NOWHERE`].
    en_passant: u8,
    turn: Color,
    halfmove_clock: u16,
    fullmove: u16,
    rules: PhantomData<R>,
}

#[inline]
const fn encode(piece: Piece) -> u8 {
    1 + piece.role as u8 + 8 * piece.color as u8
}

#[inline]
const fn decode(code: u8) -> Option<Piece> {
    let role = match code & 7 {
        1 => Role::Pawn,
        2 => Role::Knight,
        3 => Role::Bishop,
        4 => Role::Rook,
        5 => Role::Queen,
        6 => Role::King,
        _ => return None,
    };
    Some(Piece { color: Color::white_if(code < 8), role })
}

/// Where king and rook stand after castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingTargets {
    /// Square of the king afterwards.
    pub king: Square,
    /// Square of the rook afterwards.
    pub rook: Square,
}

impl<R: Rules> Position<R> {
    /// An empty board, White on move. Not a legal position: for [`super::fen`] to build on.
    pub(super) fn empty() -> Position<R> {
        Position {
            colors: [Bitboard::EMPTY; 2],
            roles: [Bitboard::EMPTY; 6],
            mailbox: [EMPTY; 64],
            key: 0,
            checkers: Bitboard::EMPTY,
            castling: Bitboard::EMPTY,
            en_passant: NOWHERE,
            turn: Color::White,
            halfmove_clock: 0,
            fullmove: 1,
            rules: PhantomData,
        }
    }

    /// The side on move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Equal for positions that are the same for the repetition rule.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Enemy men that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side on move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        u32::from(self.halfmove_clock)
    }

    /// The number of the move about to be played, from 1; Black's move has the number of White's.
    #[inline]
    pub fn fullmove(&self) -> u32 {
        u32::from(self.fullmove)
    }

    /// Where a pawn can legally be taken en passant, if anywhere.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        if self.en_passant == NOWHERE { None } else { Some(Square::new(self.en_passant)) }
    }

    /// Rooks of both sides that may still castle.
    #[inline]
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    /// All men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// All men of a side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// Both sides' men of a role.
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// One side's men of a role.
    #[inline]
    pub fn men(&self, color: Color, role: Role) -> Bitboard {
        self.colors[color.index()] & self.roles[role.index()]
    }

    /// Both sides' rooks and queens.
    #[inline]
    pub fn straight_sliders(&self) -> Bitboard {
        self.role(Role::Rook) | self.role(Role::Queen)
    }

    /// Both sides' bishops and queens.
    #[inline]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.role(Role::Bishop) | self.role(Role::Queen)
    }

    /// What stands on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        decode(self.mailbox[square.index()])
    }

    /// The role of what stands on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.piece_at(square).map(|piece| piece.role)
    }

    /// The king a side must not lose.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.men(color, Role::King).first().unwrap_or(Square::new(0))
    }

    /// Men of both sides that attack a square, with these men on the board.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let pawns = attacks::pawn(Color::White, square) & self.colors[Color::Black.index()]
            | attacks::pawn(Color::Black, square) & self.colors[Color::White.index()];
        pawns & self.role(Role::Pawn)
            | attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | attacks::rook(square, occupied) & self.straight_sliders()
            | attacks::bishop(square, occupied) & self.diagonal_sliders()
    }

    /// Whether a side attacks a square, with these men on the board.
    #[inline]
    pub fn attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let enemy = self.color(by);
        (attacks::pawn(!by, square) & enemy & self.role(Role::Pawn)
            | attacks::knight(square) & enemy & self.role(Role::Knight)
            | attacks::king(square) & enemy & self.role(Role::King))
        .any()
            || self.slider_sees(square, by, occupied)
    }

    /// Whether a sliding piece of a side attacks a square, with these men on the board.
    #[inline]
    fn slider_sees(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let straight = self.straight_sliders() & self.color(by) & attacks::rook_lines(square);
        let diagonal = self.diagonal_sliders() & self.color(by) & attacks::bishop_lines(square);
        straight.any() && (attacks::rook(square, occupied) & straight).any()
            || diagonal.any() && (attacks::bishop(square, occupied) & diagonal).any()
    }

    /// Men of either colour that alone stand between `color`'s king and an enemy slider.
    #[inline]
    pub fn shields(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        let snipers = self.color(!color)
            & (attacks::rook_lines(king) & self.straight_sliders()
                | attacks::bishop_lines(king) & self.diagonal_sliders());
        let occupied = self.occupied();
        let mut shields = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(king, sniper) & occupied;
            if !between.many() {
                shields |= between;
            }
        }
        shields
    }

    /// Where king and rook go when the king of `color` castles with this rook.
    pub fn castling_targets(&self, color: Color, rook: Square) -> CastlingTargets {
        let king = self.king(color);
        let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
        CastlingTargets { king: Square::at(king_file, king.rank()), rook: Square::at(rook_file, king.rank()) }
    }

    /// Whether the move takes something.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::EnPassant => true,
            MoveKind::Castle => false,
            _ => self.mailbox[mv.to().index()] != EMPTY,
        }
    }

    #[inline]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.colors[piece.color.index()] ^= bit;
        self.roles[piece.role.index()] ^= bit;
        self.mailbox[square.index()] = encode(piece);
        self.key ^= zobrist::piece(piece, square);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.colors[piece.color.index()] ^= bit;
        self.roles[piece.role.index()] ^= bit;
        self.mailbox[square.index()] = EMPTY;
        self.key ^= zobrist::piece(piece, square);
    }

    /// Plays a move that is legal here.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let (us, them) = (self.turn, !self.turn);
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else {
            debug_assert!(false, "no piece to move by {mv:?}");
            return;
        };
        self.forget_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if us == Color::Black {
            self.fullmove = self.fullmove.saturating_add(1);
        }

        let mut double_step = false;
        if mv.kind() == MoveKind::Castle {
            let targets = self.castling_targets(us, to);
            let rook = Piece { color: us, role: Role::Rook };
            self.take(piece, from);
            self.take(rook, to);
            self.put(piece, targets.king);
            self.put(rook, targets.rook);
        } else {
            let captured_on =
                if mv.kind() == MoveKind::EnPassant { Square::at(to.file(), from.rank()) } else { to };
            if let Some(captured) = self.piece_at(captured_on) {
                self.take(captured, captured_on);
                self.halfmove_clock = 0;
            }
            self.take(piece, from);
            self.put(Piece { color: us, role: mv.promotion().unwrap_or(piece.role) }, to);
            if piece.role == Role::Pawn {
                self.halfmove_clock = 0;
                double_step = from.index().abs_diff(to.index()) == 16;
            }
        }
        self.lose_castling(us, piece.role, from, to);

        self.turn = them;
        self.key ^= zobrist::BLACK_ON_MOVE;
        if double_step {
            self.remember_en_passant(Square::at(from.file(), (from.rank() + to.rank()) / 2));
        }
        self.find_checkers();
    }

    /// Passes the move to the other side. Must not be done in check.
    #[inline]
    pub fn pass(&mut self) {
        self.forget_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.turn = !self.turn;
        self.key ^= zobrist::BLACK_ON_MOVE;
        self.find_checkers();
    }

    #[inline]
    fn lose_castling(&mut self, us: Color, moved: Role, from: Square, to: Square) {
        if self.castling.is_empty() {
            return;
        }
        let mut lost = self.castling & (Bitboard::of(from) | Bitboard::of(to));
        if moved == Role::King {
            lost |= self.castling & Bitboard::rank(if us == Color::White { 0 } else { 7 });
        }
        self.castling ^= lost;
        for rook in lost {
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
        self.checkers = self.attackers(self.king(us), self.occupied()) & self.color(!us);
    }

    #[inline]
    pub(super) fn forget_en_passant(&mut self) {
        if let Some(square) = self.en_passant() {
            self.key ^= zobrist::en_passant(square);
            self.en_passant = NOWHERE;
        }
    }

    /// Notes the square a pawn just passed, but only if it can legally be taken there: positions
    /// that differ in nothing else are then the same, as the repetition rule wants.
    #[inline]
    pub(super) fn remember_en_passant(&mut self, square: Square) {
        let us = self.turn;
        let mut takers = attacks::pawn(!us, square) & self.men(us, Role::Pawn);
        if takers.find(|&taker| self.en_passant_is_safe(taker, square)).is_some() {
            self.en_passant = square.index() as u8;
            self.key ^= zobrist::en_passant(square);
        }
    }

    /// Whether the king of the side on move is out of check after this en passant capture. The double
    /// step was the last move, so only sliders can attack him then.
    #[inline]
    pub fn en_passant_is_safe(&self, taker: Square, target: Square) -> bool {
        let captured = Square::at(target.file(), taker.rank());
        let occupied = self.occupied() ^ Bitboard::of(taker) ^ Bitboard::of(captured) | Bitboard::of(target);
        !self.slider_sees(self.king(self.turn), !self.turn, occupied)
    }

    /// Whether neither side can mate by any sequence of legal moves with what is left: bare kings, one
    /// minor piece, or bishops on squares of one colour only (FIDE Laws 5.2.2, as far as material tells).
    pub fn insufficient_material(&self) -> bool {
        let heavy = self.role(Role::Pawn) | self.role(Role::Rook) | self.role(Role::Queen);
        if heavy.any() {
            return false;
        }
        let knights = self.role(Role::Knight);
        let bishops = self.role(Role::Bishop);
        if knights.any() {
            return bishops.is_empty() && knights.count() == 1;
        }
        (bishops & Bitboard::DARK).is_empty() || (bishops & !Bitboard::DARK).is_empty()
    }

    /// The key computed from nothing, to check the incremental one against.
    #[cfg(test)]
    pub(super) fn key_from_scratch(&self) -> u64 {
        let mut key = zobrist::turn(self.turn);
        for square in Square::all() {
            if let Some(piece) = self.piece_at(square) {
                key ^= zobrist::piece(piece, square);
            }
        }
        for rook in self.castling {
            key ^= zobrist::castling(rook);
        }
        if let Some(square) = self.en_passant() {
            key ^= zobrist::en_passant(square);
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::{AnyPosition, Variant, zobrist};
    use crate::with_position;

    #[test]
    fn the_incremental_key_is_the_one_computed_from_nothing() {
        for seed in 0..64 {
            let mut position = AnyPosition::start(Variant::Normal);
            for ply in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[zobrist::mix(seed << 16 | ply) as usize % moves.len()]);
                with_position!(&position, position => {
                    assert_eq!(position.key(), position.key_from_scratch());
                });
            }
        }
    }
}
