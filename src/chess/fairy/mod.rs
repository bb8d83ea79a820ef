//! Rules that standard chess does not have, played as their values say. Moves are tried before they are found legal: that
//! is slower than what [`super::generate`] does for standard chess, and right for any combination of rules.

mod fen;

use super::generate::{Sink, Stage, origin};
use super::{
    Bitboard, Color, Fairy, Move, MoveKind, MoveList, NoMoves, Outcome, Piece, Position, Role, Ruleset,
    Square, attacks, zobrist,
};

impl<R: Ruleset> Position<R> {
    /// Plays a move that is legal here, by rules that standard chess does not have.
    pub(super) fn play_fairy(&mut self, mv: Move) {
        let us = self.turn();
        let Some(before) = self.fairy().copied() else { return };
        self.begin_ply();
        let piece = if let MoveKind::Drop(role) = mv.kind() {
            let piece = Piece { color: us, role };
            self.put(piece, mv.to());
            self.halfmove_clock = 0;
            self.change_fairy(|fairy| fairy.spend(us, role));
            // A drop ends no right to castle, and a pawn that is dropped passes no square.
            self.turn = !us;
            self.key ^= zobrist::BLACK_ON_MOVE;
            self.find_checkers();
            piece
        } else {
            let Some(piece) = self.piece_at(mv.from()) else {
                debug_assert!(false, "no piece to move by {mv:?}");
                return;
            };
            let captured = self.move_pieces(piece, mv);
            self.change_fairy(|fairy| fairy.note_move(us, mv, captured));
            self.lose_castling_of_captured(captured);
            self.end_ply(piece, mv);
            piece
        };
        debug_assert_eq!(piece.color, us, "{mv:?} moves the other side's man");
        if self.in_check() && before.rules().checks_to_win > 0 {
            self.change_fairy(|fairy| fairy.set_checks(us, fairy.checks(us).saturating_add(1)));
        }
    }

    /// Changes what is kept besides the board, and the key with it.
    pub(super) fn change_fairy(&mut self, change: impl FnOnce(&mut Fairy)) {
        let Some(fairy) = self.ruleset.fairy_mut() else { return };
        let before = fairy.key();
        change(fairy);
        let after = fairy.key();
        self.key ^= before ^ after;
    }

    /// Ends the rights of a king that was captured.
    fn lose_castling_of_captured(&mut self, captured: Option<(Piece, Square)>) {
        if let Some((Piece { color, role: Role::King }, square)) = captured
            && self.castling_king(color).is_none_or(|king| king == square)
        {
            self.forbid_castling(self.castling() & Bitboard::rank(color.home()));
        }
    }

    /// The king that castles: the royal one, or the one on its home square where there may be several.
    pub(super) fn castling_king(&self, color: Color) -> Option<Square> {
        match self.fairy() {
            Some(fairy) if !fairy.has_royal_king() => {
                let at_home = Square::at(4, color.home());
                self.pieces(color, Role::King).has(at_home).then_some(at_home)
            }
            _ => self.king(color),
        }
    }

    /// Hands the legal moves of a stage to a sink; drops only if all pieces may move.
    pub(super) fn generate_fairy<S: Sink>(
        &self,
        fairy: &Fairy,
        stage: Stage,
        movers: Bitboard,
        sink: &mut S,
    ) {
        if self.fairy_outcome().is_some() {
            return;
        }
        let must_capture = self.must_capture();
        let wanted = |mv: &Move| !must_capture || self.is_capture(*mv);
        for mv in self.candidates(fairy, stage, movers).into_iter().filter(wanted) {
            if self.is_safe(mv) {
                sink.special(mv);
            }
        }
    }

    /// Whether the side on move can capture, and so must.
    #[inline]
    pub fn must_capture(&self) -> bool {
        self.fairy().is_some_and(|fairy| fairy.rules().must_capture && self.can_capture(fairy))
    }

    fn can_capture(&self, fairy: &Fairy) -> bool {
        let noisy = self.candidates(fairy, Stage::Noisy, Bitboard::ALL);
        noisy.into_iter().any(|mv| self.is_capture(mv) && self.is_safe(mv))
    }

    /// Whether the royal king of the side that makes this move is not attacked afterwards.
    fn is_safe(&self, mv: Move) -> bool {
        let us = self.turn();
        let mut after = *self;
        after.play(mv);
        after.king(us).is_none_or(|king| !after.attacked(king, !us, after.occupied()))
    }

    /// Moves of a stage as the pieces go, whether or not their king is safe afterwards.
    fn candidates(&self, fairy: &Fairy, stage: Stage, movers: Bitboard) -> MoveList {
        let us = self.turn();
        let targets = self.targets(stage);
        let mut moves = Candidates { promotions: fairy.rules().promotions, moves: MoveList::new() };
        for king in self.pieces(us, Role::King) & movers {
            moves.piece(king, attacks::king(king) & targets);
        }
        self.piece_moves(movers, Bitboard::EMPTY, Square::new(0), targets, &mut moves);
        let pawns = self.pieces(us, Role::Pawn) & movers;
        self.pawn_moves(us, pawns, Bitboard::ALL, stage, &mut moves);
        if stage != Stage::Quiet {
            self.en_passant_moves(us, pawns, &mut moves);
        }
        if stage != Stage::Noisy && !self.in_check() {
            let king = self.castling_king(us).filter(|&king| movers.has(king));
            king.into_iter().for_each(|king| self.castling_moves(us, king, &mut moves));
        }
        if stage != Stage::Noisy && movers == Bitboard::ALL {
            self.drops(fairy, &mut moves);
        }
        moves.moves
    }

    fn drops(&self, fairy: &Fairy, moves: &mut Candidates) {
        let empty = !self.occupied();
        let inner = !(Bitboard::rank(0) | Bitboard::rank(7));
        for role in Role::ALL.into_iter().filter(|&role| fairy.in_hand(self.turn(), role) > 0) {
            for to in if role == Role::Pawn { empty & inner } else { empty } {
                moves.special(Move::drop(role, to));
            }
        }
    }

    /// How the game has ended although there may be moves left.
    #[inline]
    pub fn fairy_outcome(&self) -> Option<Outcome> {
        let fairy = self.fairy()?;
        let needed = fairy.rules().checks_to_win;
        let has_won = |&color: &Color| needed > 0 && fairy.checks(color) >= needed;
        Color::ALL.into_iter().find(has_won).map(Outcome::Win)
    }

    /// What it means that the side on move has no legal move.
    #[inline]
    pub fn outcome_without_moves(&self) -> Outcome {
        let no_moves = self.fairy().map_or(NoMoves::MateOrDraw, |fairy| fairy.rules().no_moves);
        let (us, them) = (self.turn(), !self.turn());
        match no_moves {
            NoMoves::MateOrDraw if self.in_check() => Outcome::Win(them),
            NoMoves::MateOrDraw => Outcome::Draw,
            NoMoves::Wins => Outcome::Win(us),
            NoMoves::Loses => Outcome::Win(them),
            NoMoves::FewerPiecesWin => match self.color(us).count().cmp(&self.color(them).count()) {
                std::cmp::Ordering::Less => Outcome::Win(us),
                std::cmp::Ordering::Equal => Outcome::Draw,
                std::cmp::Ordering::Greater => Outcome::Win(them),
            },
        }
    }
}

impl Fairy {
    /// Notes what a move does to hands and promoted pieces.
    fn note_move(&mut self, us: Color, mv: Move, captured: Option<(Piece, Square)>) {
        let was_pawn = self.promoted().has(mv.from()) || mv.promotion().is_some();
        if let Some((piece, square)) = captured {
            let role = if self.promoted().has(square) { Role::Pawn } else { piece.role };
            self.set_promoted(square, false);
            if self.rules().drops {
                self.gain(us, role);
            }
        }
        if mv.kind() != MoveKind::Castle && self.rules().drops {
            self.set_promoted(mv.from(), false);
            self.set_promoted(mv.to(), was_pawn);
        }
    }
}

/// Collects moves, with the promotions that the rules allow.
struct Candidates {
    promotions: &'static [Role],
    moves: MoveList,
}

impl Sink for Candidates {
    fn piece(&mut self, from: Square, targets: Bitboard) {
        self.moves.piece(from, targets);
    }

    fn pawns(&mut self, targets: Bitboard, step: i8) {
        self.moves.pawns(targets, step);
    }

    fn promotions(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            let from = origin(to, step);
            self.moves
                .extend(self.promotions.iter().map(|&role| Move::new(from, to, MoveKind::Promotion(role))));
        }
    }

    fn special(&mut self, mv: Move) {
        self.moves.push(mv);
    }
}
