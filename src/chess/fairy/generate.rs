//! Move generation by rules that standard chess does not have.

use super::royal::Legality;
use crate::chess::generate::{Count, FewMoves, Guard, Sink, Stage, advance};
use crate::chess::{Bitboard, Color, Fairy, Position, Role, Ruleset, Square, attacks};

impl<R: Ruleset> Position<R> {
    /// Generates the legal moves of a stage; drops only if all pieces are movers.
    pub(in crate::chess) fn generate_fairy<S: Sink>(
        &self,
        fairy: &Fairy,
        stage: Stage,
        movers: Bitboard,
        sink: &mut S,
    ) {
        if self.fairy_outcome().is_some() {
            return;
        }
        if !self.must_capture() {
            self.generate_uncompelled(fairy, stage, movers, sink);
        } else if stage.has_captures() {
            self.generate_uncompelled(fairy, Stage::Captures, movers, sink);
        }
    }

    /// Returns true if the side on move can capture, and so must.
    #[inline]
    pub fn must_capture(&self) -> bool {
        self.fairy().filter(|fairy| fairy.rules().must_capture).is_some_and(|fairy| self.can_capture(fairy))
    }

    /// Returns true if the side on move has a legal capture. Captures are generated only if attacks
    /// leave a doubt.
    fn can_capture(&self, fairy: &Fairy) -> bool {
        let us = self.turn();
        let own = self.color(us);
        let king = match self.legality(fairy) {
            Legality::Free => None,
            Legality::Guarded if self.checkers().is_empty() => self.king(us),
            _ => return self.compulsory_captures() > 0,
        };
        let men = own & !king.map_or(Bitboard::EMPTY, Bitboard::of);
        if self.attack_enemies(men) {
            let pinned = if king.is_some() { self.shields(us) & own } else { Bitboard::EMPTY };
            if pinned.is_empty() || self.attack_enemies(men & !pinned) {
                return true;
            }
        } else if self.en_passant().is_none()
            && king.is_none_or(|king| (attacks::king(king) & self.color(!us)).is_empty())
        {
            return false;
        }
        self.compulsory_captures() > 0
    }

    /// Returns true if any of these men of the side on move attacks an enemy.
    fn attack_enemies(&self, men: Bitboard) -> bool {
        let (us, occupied) = (self.turn(), self.occupied());
        let enemies = self.color(!us);
        let hits = |targets: Bitboard| (targets & enemies).any();
        any(men & self.role(Role::Pawn), |from| hits(attacks::pawn(us, from)))
            || any(men & self.role(Role::Knight), |from| hits(attacks::knight(from)))
            || any(men & self.straight_sliders(), |from| hits(attacks::rook(from, occupied)))
            || any(men & self.diagonal_sliders(), |from| hits(attacks::bishop(from, occupied)))
            || any(men & self.role(Role::King), |from| hits(attacks::king(from)))
    }

    /// Returns true if a pawn can be pushed that is not pinned. The side on move is not in check.
    pub(crate) fn can_push(&self) -> bool {
        let us = self.turn();
        let pawns = self.pieces(us, Role::Pawn) & !self.shields(us);
        (advance(pawns, if us == Color::White { 8 } else { -8 }) & !self.occupied()).any()
    }

    /// Returns the number of compulsory captures; 0 if there is none.
    #[inline]
    pub(crate) fn compulsory_captures(&self) -> u64 {
        let Some(fairy) = self.fairy().filter(|fairy| fairy.rules().must_capture) else { return 0 };
        let mut captures = Count::default();
        self.generate_uncompelled(fairy, Stage::Captures, Bitboard::ALL, &mut captures);
        captures.0
    }

    /// Generates the legal moves of a stage regardless of compulsory captures.
    fn generate_uncompelled<S: Sink>(&self, fairy: &Fairy, stage: Stage, movers: Bitboard, sink: &mut S) {
        match self.legality(fairy) {
            Legality::Free => self.generate_free(fairy, stage, movers, sink),
            Legality::Guarded => self.generate_guarded(fairy, stage, movers, sink),
            Legality::CapturesTried => {
                if stage.has_quiet() {
                    self.generate_guarded(fairy, Stage::Quiet, movers, sink);
                }
                match stage {
                    Stage::All | Stage::Noisy => self.generate_tried(fairy, Stage::Noisy, movers, sink),
                    Stage::Captures => self.generate_tried(fairy, Stage::Captures, movers, sink),
                    Stage::Quiet => {}
                }
            }
            Legality::Tried => self.generate_tried(fairy, stage, movers, sink),
        }
    }

    /// Generates moves that leave the royal king safe, by pins and checks; all moves if there is
    /// none.
    fn generate_guarded<S: Sink>(&self, fairy: &Fairy, stage: Stage, movers: Bitboard, sink: &mut S) {
        let us = self.turn();
        let Some(king) = self.king(us) else { return self.generate_free(fairy, stage, movers, sink) };
        let checkers = self.checkers();
        let pinned = if self.is_shielded_by_kings(king, !us) {
            Bitboard::EMPTY
        } else {
            self.shields(us) & self.color(us)
        };
        self.generate_guarding(&Guard { king, checkers, pinned }, stage, movers, sink);
        if stage.has_quiet() && movers == Bitboard::ALL && fairy.has_drops() {
            self.drops(fairy, sink);
        }
    }

    /// Generates pseudo-legal moves.
    fn generate_free<S: Sink>(&self, fairy: &Fairy, stage: Stage, movers: Bitboard, sink: &mut S) {
        let us = self.turn();
        let targets = self.targets(stage);
        // A king that captured would explode.
        let king_targets = if fairy.rules().explodes { targets & !self.color(!us) } else { targets };
        for king in self.pieces(us, Role::King) & movers {
            sink.piece(king, attacks::king(king) & king_targets);
        }
        self.piece_moves(movers, Bitboard::EMPTY, Square::new(0), targets, sink);
        let pawns = self.pieces(us, Role::Pawn) & movers;
        self.pawn_moves(us, pawns, Bitboard::ALL, stage, sink);
        if stage.has_captures() {
            self.en_passant_moves(us, pawns, sink);
        }
        if stage.has_quiet() && !self.castling().is_empty() && !self.in_check() {
            let king = self.castling_king(us).filter(|&king| movers.has(king));
            king.into_iter().for_each(|king| self.castling_moves(us, king, sink));
        }
        if stage.has_quiet() && movers == Bitboard::ALL && fairy.has_drops() {
            self.drops(fairy, sink);
        }
    }

    /// Generates pseudo-legal moves that a trial shows to be safe.
    fn generate_tried<S: Sink>(&self, fairy: &Fairy, stage: Stage, movers: Bitboard, sink: &mut S) {
        let mut candidates = FewMoves::new();
        self.generate_free(fairy, stage, movers, &mut candidates);
        candidates.into_iter().filter(|&mv| self.is_safe(fairy, mv)).for_each(|mv| sink.special(mv));
    }

    fn drops<S: Sink>(&self, fairy: &Fairy, sink: &mut S) {
        let us = self.turn();
        for role in Role::ALL.into_iter().filter(|&role| fairy.in_hand(us, role) > 0) {
            sink.drops(role, self.drop_targets(role));
        }
    }

    /// Returns the squares for drops of a role: in check, between the king and the checker.
    pub(super) fn drop_targets(&self, role: Role) -> Bitboard {
        let us = self.turn();
        let empty = !self.occupied();
        let inner = match role {
            Role::Pawn => empty & !(Bitboard::rank(0) | Bitboard::rank(7)),
            _ => empty,
        };
        let mut checkers = self.checkers();
        match (checkers.next(), checkers.next(), self.king(us)) {
            (None, ..) => inner,
            (Some(checker), None, Some(king)) => inner & attacks::between(king, checker),
            _ => Bitboard::EMPTY,
        }
    }

    /// Returns true if a drop, from any source, is legal here.
    pub(in crate::chess) fn drop_is_legal(&self, fairy: &Fairy, role: Role, to: Square) -> bool {
        fairy.has_drops()
            && fairy.in_hand(self.turn(), role) > 0
            && self.drop_targets(role).has(to)
            && self.fairy_outcome().is_none()
            && !self.must_capture()
    }

    /// Returns true if a piece from the partner could be dropped to help the side on move, which
    /// has no legal move.
    pub(in crate::chess) fn may_wait(&self) -> bool {
        self.drop_targets(Role::Queen).any()
    }
}

/// Returns true if the condition holds for one of the squares.
fn any(mut squares: Bitboard, condition: impl Fn(Square) -> bool) -> bool {
    Iterator::any(&mut squares, condition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;

    #[test]
    fn what_attacks_show_of_captures_and_pushes_agrees_with_the_moves() {
        for line in include_str!("../../../tests/data/perft-variants.epd").lines() {
            let mut fields = line.split(';');
            let (Some(name), Some(fen)) = (fields.next(), fields.next()) else { continue };
            let Some(variant) = Variant::from_name(name) else { continue };
            let rules = Fairy::of(variant);
            if rules.rules().must_capture {
                agrees(&Position::from_fen(rules, fen).unwrap(), 3);
            }
        }
    }

    fn agrees(position: &Position<Fairy>, plies: u32) {
        assert_eq!(position.must_capture(), position.compulsory_captures() > 0, "{}", position.fen());
        let over = position.fairy_outcome().is_some();
        if position.can_push() && !over && !position.in_check() && !position.must_capture() {
            assert!(position.has_legal_move(), "{}", position.fen());
        }
        if plies > 0 {
            for &mv in &position.legal_moves() {
                let mut after = *position;
                after.play(mv);
                agrees(&after, plies - 1);
            }
        }
    }
}
