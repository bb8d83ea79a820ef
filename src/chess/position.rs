//! The board and what can be seen from it.

use super::{
    Bitboard, CastlingStyle, Color, Ending, Fairy, Move, MoveKind, NoMoves, Outcome, Piece, Role, Ruleset,
    Square, Variant, attacks,
};

/// "No square" in a byte.
pub(super) const NOWHERE: u8 = 64;
/// An empty square in the mailbox.
pub(super) const EMPTY: u8 = 0;

/// A position. In standard chess a legal one: one king each, and the side not on move is not in
/// check. In variants an opponent may have left its king in check
/// ([`super::AnyPosition::parse_opponents_move`]).
///
/// Small, and copied for every move of a search (copy-make), so nothing has to be undone.
#[derive(Clone, Copy, Debug)]
pub struct Position<R: Ruleset> {
    pub(super) colors: [Bitboard; 2],
    pub(super) roles: [Bitboard; 6],
    pub(super) mailbox: [u8; 64],
    pub(super) key: u64,
    /// Enemy pieces that attack the king of the side on move.
    pub(super) checkers: Bitboard,
    /// Rooks of both sides that may still castle.
    pub(super) castling: Bitboard,
    /// The square behind a pawn that can legally be captured en passant, or [`NOWHERE`].
    pub(super) en_passant: u8,
    pub(super) turn: Color,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove: u16,
    /// The rules and their state besides the board.
    pub(super) ruleset: R,
}

#[inline]
pub(super) const fn encode(piece: Piece) -> u8 {
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

/// Squares of king and rook after castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CastlingTargets {
    /// Square of the king afterwards.
    pub king: Square,
    /// Square of the rook afterwards.
    pub rook: Square,
}

impl CastlingTargets {
    /// The squares after castling with a king and a rook on these squares of one rank.
    #[inline]
    pub(crate) const fn of(style: CastlingStyle, king: Square, rook: Square) -> CastlingTargets {
        let (king_file, rook_file) = match (style, rook.file() > king.file()) {
            (CastlingStyle::Wild, true) if king.file() == 3 => (5, 4),
            (CastlingStyle::Wild, false) if king.file() == 3 => (1, 2),
            (_, true) => (6, 5),
            (_, false) => (2, 3),
        };
        CastlingTargets { king: Square::at(king_file, king.rank()), rook: Square::at(rook_file, king.rank()) }
    }
}

impl<R: Ruleset> Position<R> {
    /// An empty board, White on move: not a legal position, but a base for [`super::fen`].
    pub(super) fn empty(ruleset: R) -> Position<R> {
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
            ruleset,
        }
    }

    /// Returns the piece on each square: 0 for none, else 1 + role + 8 × color.
    #[inline]
    pub(crate) fn board(&self) -> &[u8; 64] {
        &self.mailbox
    }

    /// Returns the variant.
    pub fn variant(&self) -> Variant {
        self.ruleset.variant()
    }

    /// Returns the state of a fairy variant. Always `None` in standard chess.
    #[inline]
    pub(crate) fn fairy(&self) -> Option<&Fairy> {
        self.ruleset.fairy()
    }

    /// Returns the side on move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Returns the zobrist key: equal for positions that the repetition rule considers equal.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Enemy pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Returns true if the side on move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Returns the number of plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        u32::from(self.halfmove_clock)
    }

    /// Returns the number of the next move, from 1; Black's move has the number of White's.
    #[inline]
    pub fn fullmove(&self) -> u32 {
        u32::from(self.fullmove)
    }

    /// Returns the square of a legal en passant capture, if any.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        if self.en_passant == NOWHERE { None } else { Some(Square::new(self.en_passant)) }
    }

    /// Returns the rooks of both sides that may still castle.
    #[inline]
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    /// Returns all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Returns all pieces of a side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// Returns both sides' pieces of a role.
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// Returns one side's pieces of a role.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.colors[color.index()] & self.roles[role.index()]
    }

    /// Returns both sides' rooks and queens.
    #[inline]
    pub(crate) fn straight_sliders(&self) -> Bitboard {
        self.role(Role::Rook) | self.role(Role::Queen)
    }

    /// Returns both sides' bishops and queens.
    #[inline]
    pub(crate) fn diagonal_sliders(&self) -> Bitboard {
        self.role(Role::Bishop) | self.role(Role::Queen)
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        decode(self.mailbox[square.index()])
    }

    /// Returns the role of the piece on a square.
    #[inline]
    pub(crate) fn role_at(&self, square: Square) -> Option<Role> {
        self.piece_at(square).map(|piece| piece.role)
    }

    /// Returns the king that a side must not lose; `None` in variants without one. In standard
    /// chess each side always has exactly one king.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        if let Some(fairy) = self.fairy() {
            return self.royal_king(fairy, color);
        }
        let king = self.pieces(color, Role::King).first();
        debug_assert!(king.is_some(), "{color:?} has no king");
        king
    }

    /// Returns the squares of this king and rook after castling.
    #[inline]
    pub(crate) fn castling_targets(&self, king: Square, rook: Square) -> CastlingTargets {
        CastlingTargets::of(self.ruleset.castling(), king, rook)
    }

    /// Returns the pieces of both sides that attack a square, with these pieces on the board.
    #[inline]
    pub(crate) fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let pawns = attacks::pawn(Color::White, square) & self.colors[Color::Black.index()]
            | attacks::pawn(Color::Black, square) & self.colors[Color::White.index()];
        pawns & self.role(Role::Pawn)
            | attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | attacks::rook(square, occupied) & self.straight_sliders()
            | attacks::bishop(square, occupied) & self.diagonal_sliders()
    }

    /// Returns true if a side attacks a square, with these pieces on the board.
    #[inline]
    pub fn attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let enemy = self.color(by);
        (attacks::pawn(!by, square) & enemy & self.role(Role::Pawn)
            | attacks::knight(square) & enemy & self.role(Role::Knight)
            | attacks::king(square) & enemy & self.role(Role::King))
        .any()
            || self.slider_sees(square, by, occupied)
    }

    /// Returns true if a sliding piece of a side attacks a square, with these pieces on the board.
    #[inline]
    pub(super) fn slider_sees(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let straight = self.straight_sliders() & self.color(by) & attacks::rook_lines(square);
        let diagonal = self.diagonal_sliders() & self.color(by) & attacks::bishop_lines(square);
        straight.any() && (attacks::rook(square, occupied) & straight).any()
            || diagonal.any() && (attacks::bishop(square, occupied) & diagonal).any()
    }

    /// Returns the pieces of either colour that alone stand between `color`'s king and an enemy
    /// slider.
    #[inline]
    pub(crate) fn shields(&self, color: Color) -> Bitboard {
        let Some(king) = self.king(color) else { return Bitboard::EMPTY };
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

    /// Returns true if the move is a capture.
    #[inline]
    pub(crate) fn is_capture(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::EnPassant => true,
            MoveKind::Castle => false,
            _ => self.mailbox[mv.to().index()] != EMPTY,
        }
    }

    /// Returns the outcome by the position alone, if the game has ended.
    pub fn outcome(&self) -> Option<(Outcome, Ending)> {
        if let Some(outcome) = self.fairy_outcome() {
            return Some((outcome, Ending::VariantRule));
        }
        if !self.has_legal_move() {
            let ending = match self.no_moves() {
                NoMoves::MateOrWait if self.may_wait() => return None,
                NoMoves::MateOrDraw | NoMoves::MateOrWait if self.in_check() => Ending::Checkmate,
                NoMoves::MateOrDraw | NoMoves::MateOrWait => Ending::Stalemate,
                NoMoves::Wins | NoMoves::Loses | NoMoves::FewerPiecesWin => Ending::VariantRule,
            };
            return Some((self.outcome_without_moves(), ending));
        }
        self.insufficient_material().then_some((Outcome::Draw, Ending::InsufficientMaterial))
    }

    /// Returns true if neither side can mate by any sequence of legal moves with the material left:
    /// bare kings, one minor piece, or bishops on squares of one colour (FIDE Laws 5.2.2, as far as
    /// material shows). Always false in fairy variants.
    pub(crate) fn insufficient_material(&self) -> bool {
        if self.fairy().is_some() {
            return false;
        }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Standard, zobrist};
    use crate::random::mix;
    use crate::with_position;

    /// Computes the key from scratch, to verify the incremental one.
    fn key_from_scratch<R: Ruleset>(position: &Position<R>) -> u64 {
        let mut key = zobrist::turn(position.turn);
        for square in Square::all() {
            if let Some(piece) = position.piece_at(square) {
                key ^= zobrist::piece(piece, square);
            }
        }
        for rook in position.castling {
            key ^= zobrist::castling(rook);
        }
        if let Some(square) = position.en_passant() {
            key ^= zobrist::en_passant(square);
        }
        key ^ position.fairy().map_or(0, Fairy::key)
    }

    #[test]
    fn keys_after_moves_are_foreseen() {
        for fen in ["4k3/1P4n1/8/8/3q4/2B5/1P2N3/4K3 w - - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"] {
            let position = Position::from_fen(Standard::NORMAL, fen).unwrap();
            for mv in position.legal_moves().into_iter().filter(|mv| mv.kind() != MoveKind::EnPassant) {
                let mut after = position;
                after.play(mv);
                assert_eq!(position.likely_key_after(mv), after.key(), "{mv:?}");
            }
        }
    }

    #[test]
    fn incremental_keys_equal_computed_ones() {
        for (variant, seed) in Variant::known().flat_map(|variant| (0..24).map(move |seed| (variant, seed))) {
            let mut position = AnyPosition::start(variant);
            for ply in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[mix(seed << 16 | ply) as usize % moves.len()]);
                with_position!(&position, position => {
                    assert_eq!(position.key(), key_from_scratch(position), "{}: {}", variant.name(), position.fen());
                });
            }
        }
    }
}
