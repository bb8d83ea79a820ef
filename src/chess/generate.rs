//! Staged generation of legal moves into a sink.
//!
//! Pins and checks are computed once for a position, so moves are legal without being tried.
//! Targets are passed as sets: a counter never unpacks them, which makes [`super::perft()`] fast.

use super::{Bitboard, Color, Move, MoveKind, Position, Role, Ruleset, Square, attacks};
use smallvec::SmallVec;

/// A stage of move generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// All legal moves.
    All,
    /// Captures and promotions.
    Noisy,
    /// Everything else.
    Quiet,
    /// Captures alone.
    Captures,
}

impl Stage {
    /// Returns true if moves that neither capture nor promote are wanted.
    #[inline]
    pub(super) const fn has_quiet(self) -> bool {
        matches!(self, Stage::All | Stage::Quiet)
    }

    /// Returns true if captures are wanted.
    #[inline]
    pub(super) const fn has_captures(self) -> bool {
        !matches!(self, Stage::Quiet)
    }

    /// Returns true if promotions are wanted that capture nothing.
    #[inline]
    const fn has_promotions(self) -> bool {
        matches!(self, Stage::All | Stage::Noisy)
    }
}

/// The legal moves of a position, in any order.
pub type MoveList = Vec<Move>;

/// Room for the moves of most positions.
const USUAL_MOVES: usize = 64;

/// A move list on the stack; on the heap if a position has very many moves.
pub(in crate::chess) type FewMoves = SmallVec<[Move; USUAL_MOVES]>;

const PROMOTIONS: &[Role] = &[Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// A receiver of generated moves.
pub trait Sink {
    /// Takes the targets of a piece.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Takes the targets of pawns, each from the square `step` indexes lower.
    fn pawns(&mut self, targets: Bitboard, step: i8);
    /// Takes the targets of pawns that promote to each of these roles.
    fn promotions(&mut self, targets: Bitboard, step: i8, roles: &'static [Role]);
    /// Takes the targets for drops of a piece in hand.
    fn drops(&mut self, role: Role, targets: Bitboard);
    /// Takes a castling or en passant move.
    fn special(&mut self, mv: Move);
}

impl<L: Extend<Move>> Sink for L {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::normal(from, to)));
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        self.extend(targets.into_iter().map(|to| Move::normal(origin(to, step), to)));
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8, roles: &'static [Role]) {
        for to in targets {
            let promotion = |&role| Move::new(origin(to, step), to, MoveKind::Promotion(role));
            self.extend(roles.iter().map(promotion));
        }
    }

    #[inline]
    fn drops(&mut self, role: Role, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::drop(role, to)));
    }

    #[inline]
    fn special(&mut self, mv: Move) {
        self.extend([mv]);
    }
}

#[inline]
pub(super) fn origin(to: Square, step: i8) -> Square {
    Square::new((to.index() as i8 - step) as u8)
}

/// A king to keep safe, and its checkers and shields.
pub(super) struct Guard {
    pub king: Square,
    /// Pieces that attack the king.
    pub checkers: Bitboard,
    /// Own pieces pinned to the king.
    pub pinned: Bitboard,
}

/// A sink that counts moves.
#[derive(Default)]
pub struct Count(pub u64);

impl Sink for Count {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8, roles: &'static [Role]) {
        self.0 += u64::from(targets.count()) * roles.len() as u64;
    }

    #[inline]
    fn drops(&mut self, _: Role, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl<R: Ruleset> Position<R> {
    /// Returns all legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::with_capacity(USUAL_MOVES);
        self.generate(Stage::All, Bitboard::ALL, &mut list);
        list
    }

    /// Returns true if there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut count = Count::default();
        self.generate(Stage::All, Bitboard::ALL, &mut count);
        count.0 > 0
    }

    /// Returns true if the move, from any source, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        if let (Some(fairy), MoveKind::Drop(role)) = (self.fairy(), mv.kind()) {
            return self.drop_is_legal(fairy, role, mv.to());
        }
        if !self.color(self.turn()).has(mv.from()) {
            return false;
        }
        let mut list = FewMoves::new();
        self.generate(Stage::All, Bitboard::of(mv.from()), &mut list);
        list.contains(&mv)
    }

    /// Generates the legal moves of a stage by the pieces on `movers`.
    #[inline]
    pub fn generate<S: Sink>(&self, stage: Stage, movers: Bitboard, sink: &mut S) {
        if let Some(fairy) = self.fairy() {
            return self.generate_fairy(fairy, stage, movers, sink);
        }
        let us = self.turn();
        let Some(king) = self.king(us) else { return };
        let pinned = self.shields(us) & self.color(us);
        self.generate_guarding(&Guard { king, checkers: self.checkers(), pinned }, stage, movers, sink);
    }

    /// Generates the moves of a stage that leave a king safe, without trying them.
    #[inline]
    pub(super) fn generate_guarding<S: Sink>(
        &self,
        guard: &Guard,
        stage: Stage,
        movers: Bitboard,
        sink: &mut S,
    ) {
        let &Guard { king, checkers, pinned } = guard;
        let us = self.turn();
        let wanted = self.targets(stage);
        if movers.has(king) {
            self.king_moves(king, wanted, sink);
        }
        if checkers.many() {
            return;
        }
        let shield = match checkers.first() {
            Some(checker) => attacks::between(king, checker) | Bitboard::of(checker),
            None => Bitboard::ALL,
        };
        self.piece_moves(movers, pinned, king, wanted & shield, sink);

        let pawns = self.pieces(us, Role::Pawn) & movers;
        self.pawn_moves(us, pawns & !pinned, shield, stage, sink);
        for pawn in pawns & pinned {
            self.pawn_moves(us, Bitboard::of(pawn), shield & attacks::through(king, pawn), stage, sink);
        }
        if stage.has_captures() {
            self.en_passant_moves(us, pawns, sink);
        }
        if stage.has_quiet() && checkers.is_empty() && movers.has(king) {
            self.castling_moves(us, king, sink);
        }
    }

    /// Returns the possible targets in a stage.
    #[inline]
    pub(super) fn targets(&self, stage: Stage) -> Bitboard {
        match stage {
            Stage::All => !self.color(self.turn()),
            Stage::Noisy | Stage::Captures => self.color(!self.turn()),
            Stage::Quiet => !self.occupied(),
        }
    }

    #[inline]
    pub(super) fn king_moves<S: Sink>(&self, king: Square, wanted: Bitboard, sink: &mut S) {
        // Without the king: a slider sees through the square it leaves.
        let occupied = self.occupied() ^ Bitboard::of(king);
        let mut safe = Bitboard::EMPTY;
        for to in attacks::king(king) & wanted {
            if self.is_shielded_by_kings(to, !self.turn()) || !self.attacked(to, !self.turn(), occupied) {
                safe |= Bitboard::of(to);
            }
        }
        sink.piece(king, safe);
    }

    #[inline]
    pub(super) fn piece_moves<S: Sink>(
        &self,
        movers: Bitboard,
        pinned: Bitboard,
        king: Square,
        wanted: Bitboard,
        sink: &mut S,
    ) {
        let own = self.color(self.turn()) & movers;
        let occupied = self.occupied();
        for from in own & self.role(Role::Knight) & !pinned {
            sink.piece(from, attacks::knight(from) & wanted);
        }
        for from in own & self.diagonal_sliders() & !pinned {
            sink.piece(from, attacks::bishop(from, occupied) & wanted);
        }
        for from in own & self.straight_sliders() & !pinned {
            sink.piece(from, attacks::rook(from, occupied) & wanted);
        }
        for from in own & self.diagonal_sliders() & pinned {
            sink.piece(from, attacks::bishop(from, occupied) & wanted & attacks::through(king, from));
        }
        for from in own & self.straight_sliders() & pinned {
            sink.piece(from, attacks::rook(from, occupied) & wanted & attacks::through(king, from));
        }
    }

    /// Generates pushes and captures of these pawns to squares of `allowed`.
    #[inline]
    pub(super) fn pawn_moves<S: Sink>(
        &self,
        us: Color,
        pawns: Bitboard,
        allowed: Bitboard,
        stage: Stage,
        sink: &mut S,
    ) {
        let empty = !self.occupied();
        let (forward, third, last) = match us {
            Color::White => (8, Bitboard::rank(2), Bitboard::rank(7)),
            Color::Black => (-8, Bitboard::rank(5), Bitboard::rank(0)),
        };
        let third = match self.fairy() {
            Some(fairy) => self.doubling_rank(fairy, us, third),
            None => third,
        };
        let step = advance(pawns, forward) & empty;
        if stage.has_quiet() {
            let double = advance(step & third, forward) & empty;
            sink.pawns(step & allowed & !last, forward);
            sink.pawns(double & allowed, 2 * forward);
        }
        let roles = match self.fairy() {
            Some(fairy) => fairy.rules().promotions,
            None => PROMOTIONS,
        };
        let promoting = step & allowed & last;
        if stage.has_promotions() && promoting.any() {
            sink.promotions(promoting, forward, roles);
        }
        if stage.has_captures() {
            let enemy = self.color(!us) & allowed;
            for (side, blocked) in [(-1, Bitboard::file(0)), (1, Bitboard::file(7))] {
                let hits = advance(pawns & !blocked, forward + side) & enemy;
                sink.pawns(hits & !last, forward + side);
                if (hits & last).any() {
                    sink.promotions(hits & last, forward + side, roles);
                }
            }
        }
    }

    pub(super) fn en_passant_moves<S: Sink>(&self, us: Color, pawns: Bitboard, sink: &mut S) {
        if let Some(target) = self.en_passant() {
            for taker in attacks::pawn(!us, target) & pawns {
                if self.en_passant_is_safe(taker, target) {
                    sink.special(Move::new(taker, target, MoveKind::EnPassant));
                }
            }
        }
    }

    pub(super) fn castling_moves<S: Sink>(&self, us: Color, king: Square, sink: &mut S) {
        for rook in self.castling() & self.color(us) {
            let targets = self.castling_targets(king, rook);
            let others = self.occupied() ^ Bitboard::of(king) ^ Bitboard::of(rook);
            let king_way = attacks::between(king, targets.king) | Bitboard::of(targets.king);
            let rook_way = attacks::between(rook, targets.rook) | Bitboard::of(targets.rook);
            if ((king_way | rook_way) & others).any() {
                continue;
            }
            // On its last square the castled rook may shield the king, or have discovered an attack
            // on it.
            let after = others | Bitboard::of(targets.rook);
            let is_safe = || {
                let is_safe_on = |square, occupied| {
                    self.is_shielded_by_kings(square, !us) || !self.attacked(square, !us, occupied)
                };
                king_way.into_iter().all(|square| square == targets.king || is_safe_on(square, others))
                    && is_safe_on(targets.king, after)
            };
            if self.king(us) != Some(king) || is_safe() {
                sink.special(Move::new(king, rook, MoveKind::Castle));
            }
        }
    }
}

#[inline]
pub(super) fn advance(pawns: Bitboard, step: i8) -> Bitboard {
    if step > 0 { pawns << step as u32 } else { pawns >> step.unsigned_abs() as u32 }
}
