//! Legal moves, in stages, into anything that wants them.
//!
//! Pins and checks are worked out once for a position, so what comes out is legal without trying
//! moves. Targets are handed over as sets: a counter never unpacks them, which is what makes
//! [`super::perft()`] quick.

use super::{
    Bitboard, CastlingTargets, Color, List, Move, MoveKind, Position, Role, Ruleset, Square, attacks,
};

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// All legal moves.
    All,
    /// Captures and promotions.
    Noisy,
    /// Everything else.
    Quiet,
}

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// Takes generated moves.
pub trait Sink {
    /// One piece can go to these squares.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Pawns can go to these squares, each from the square `step` indexes lower.
    fn pawns(&mut self, targets: Bitboard, step: i8);
    /// The same for pawns that become something.
    fn promotions(&mut self, targets: Bitboard, step: i8);
    /// A move that is special otherwise.
    fn special(&mut self, mv: Move);
}

impl<L: List<Move>> Sink for L {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::normal(from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            self.push(Move::normal(origin(to, step), to));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            for role in PROMOTIONS {
                self.push(Move::new(origin(to, step), to, MoveKind::Promotion(role)));
            }
        }
    }

    #[inline]
    fn special(&mut self, mv: Move) {
        self.push(mv);
    }
}

#[inline]
pub(super) fn origin(to: Square, step: i8) -> Square {
    Square::new((to.index() as i8 - step) as u8)
}

/// Counts moves without looking at them.
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
    fn promotions(&mut self, targets: Bitboard, _: i8) {
        self.0 += u64::from(targets.count()) * PROMOTIONS.len() as u64;
    }

    #[inline]
    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl<R: Ruleset> Position<R> {
    /// All legal moves.
    pub fn legal_moves(&self) -> R::List<Move> {
        let mut list = R::List::default();
        self.generate(Stage::All, Bitboard::ALL, &mut list);
        list
    }

    /// Whether there is any legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut count = Count::default();
        self.generate(Stage::All, Bitboard::ALL, &mut count);
        count.0 > 0
    }

    /// Whether a move, whatever its source, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        if self.fairy().is_some() {
            return self.legal_moves().contains(&mv);
        }
        if !self.color(self.turn()).has(mv.from()) {
            return false;
        }
        let mut list = R::List::default();
        self.generate(Stage::All, Bitboard::of(mv.from()), &mut list);
        list.contains(&mv)
    }

    /// Hands the legal moves of a stage, of the pieces on `movers`, to a sink.
    #[inline]
    pub fn generate<S: Sink>(&self, stage: Stage, movers: Bitboard, sink: &mut S) {
        if let Some(fairy) = self.fairy() {
            return self.generate_fairy(fairy, stage, movers, sink);
        }
        let us = self.turn();
        let wanted = self.targets(stage);
        let Some(king) = self.king(us) else { return };
        if movers.has(king) {
            self.king_moves(king, wanted, sink);
        }
        if self.checkers().many() {
            return;
        }
        let shield = match self.checkers().first() {
            Some(checker) => attacks::between(king, checker) | Bitboard::of(checker),
            None => Bitboard::ALL,
        };
        let pinned = self.shields(us) & self.color(us);
        self.piece_moves(movers, pinned, king, wanted & shield, sink);

        let pawns = self.pieces(us, Role::Pawn) & movers;
        self.pawn_moves(us, pawns & !pinned, shield, stage, sink);
        for pawn in pawns & pinned {
            self.pawn_moves(us, Bitboard::of(pawn), shield & attacks::through(king, pawn), stage, sink);
        }
        if stage != Stage::Quiet {
            self.en_passant_moves(us, pawns, sink);
        }
        if stage != Stage::Noisy && self.checkers().is_empty() && movers.has(king) {
            self.castling_moves(us, king, sink);
        }
    }

    /// Squares that pieces may go to in a stage.
    #[inline]
    pub(super) fn targets(&self, stage: Stage) -> Bitboard {
        match stage {
            Stage::All => !self.color(self.turn()),
            Stage::Noisy => self.color(!self.turn()),
            Stage::Quiet => !self.occupied(),
        }
    }

    #[inline]
    fn king_moves<S: Sink>(&self, king: Square, wanted: Bitboard, sink: &mut S) {
        // Without the king himself: a slider looks through the square he leaves.
        let occupied = self.occupied() ^ Bitboard::of(king);
        let mut safe = Bitboard::EMPTY;
        for to in attacks::king(king) & wanted {
            if !self.attacked(to, !self.turn(), occupied) {
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

    /// Pushes and captures of these pawns to squares of `allowed`.
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
        let step = advance(pawns, forward) & empty;
        if stage != Stage::Noisy {
            let double = advance(step & third, forward) & empty;
            sink.pawns(step & allowed & !last, forward);
            sink.pawns(double & allowed, 2 * forward);
        }
        if stage != Stage::Quiet {
            let promoting = step & allowed & last;
            if promoting.any() {
                sink.promotions(promoting, forward);
            }
            let enemy = self.color(!us) & allowed;
            for (side, blocked) in [(-1, Bitboard::file(0)), (1, Bitboard::file(7))] {
                let hits = advance(pawns & !blocked, forward + side) & enemy;
                sink.pawns(hits & !last, forward + side);
                if (hits & last).any() {
                    sink.promotions(hits & last, forward + side);
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
            let targets = CastlingTargets::of(king, rook);
            let others = self.occupied() ^ Bitboard::of(king) ^ Bitboard::of(rook);
            let king_way = attacks::between(king, targets.king) | Bitboard::of(targets.king);
            let rook_way = attacks::between(rook, targets.rook) | Bitboard::of(targets.rook);
            if ((king_way | rook_way) & others).any() {
                continue;
            }
            // On the last square the castled rook may shield the king, or have unveiled an attack on him.
            let after = others | Bitboard::of(targets.rook);
            let is_safe = || {
                king_way
                    .into_iter()
                    .all(|square| square == targets.king || !self.attacked(square, !us, others))
                    && !self.attacked(targets.king, !us, after)
            };
            if self.king(us).is_none() || is_safe() {
                sink.special(Move::new(king, rook, MoveKind::Castle));
            }
        }
    }
}

#[inline]
fn advance(pawns: Bitboard, step: i8) -> Bitboard {
    if step > 0 { pawns << step as u32 } else { pawns >> step.unsigned_abs() as u32 }
}
