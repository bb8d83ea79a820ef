//! Detection of checking moves without playing them.

use super::{Bitboard, Move, MoveKind, Position, Role, Ruleset, Square, attacks};

/// Data shared by all [`Position::gives_check`] calls for a position.
pub struct Checks {
    /// Squares from which each role attacks the enemy king.
    from: [Bitboard; 6],
    /// Own pieces that discover an attack when they leave their line to the enemy king.
    discoverers: Bitboard,
    king: Square,
}

impl Checks {
    /// Without an enemy king. `king` is never read, as nothing discovers an attack on it.
    const NONE: Checks =
        Checks { from: [Bitboard::EMPTY; 6], discoverers: Bitboard::EMPTY, king: Square::new(0) };
}

impl<R: Ruleset> Position<R> {
    /// Computes the data for [`Position::gives_check`].
    pub fn checks(&self) -> Checks {
        let us = self.turn();
        let Some(king) = self.king(!us) else { return Checks::NONE };
        let occupied = self.occupied();
        let rook = attacks::rook(king, occupied);
        let bishop = attacks::bishop(king, occupied);
        let pawn = attacks::pawn(!us, king);
        Checks {
            from: [pawn, attacks::knight(king), bishop, rook, rook | bishop, Bitboard::EMPTY],
            discoverers: self.shields(!us) & self.color(us),
            king,
        }
    }

    /// Returns true if a legal move gives check.
    #[inline]
    pub fn gives_check(&self, mv: Move, checks: &Checks) -> bool {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal if self.fairy().is_none_or(|fairy| fairy.checks_like_standard_chess()) => {
                let role = self.role_at(from).unwrap_or(Role::Pawn);
                checks.from[role.index()].has(to)
                    || checks.discoverers.has(from) && !attacks::through(checks.king, from).has(to)
            }
            // A dropped piece discovers nothing.
            MoveKind::Drop(role) => checks.from[role.index()].has(to),
            // Rare, and several squares change: played.
            MoveKind::Normal | MoveKind::EnPassant | MoveKind::Castle | MoveKind::Promotion(_) => {
                let mut after = *self;
                after.play(mv);
                after.in_check()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::{AnyPosition, Variant};
    use crate::random::mix;
    use crate::with_position;

    #[test]
    fn predicted_checks_are_given() {
        for line in include_str!("../../tests/data/perft-variants.epd").lines() {
            let mut fields = line.split(';');
            let Some(variant) = fields.next().and_then(Variant::from_name) else { continue };
            let mut any = AnyPosition::from_fen(variant, fields.next().unwrap()).unwrap();
            for ply in 0..30 {
                let moves = any.legal_moves();
                if moves.is_empty() {
                    break;
                }
                with_position!(&any, position => {
                    let checks = position.checks();
                    for &mv in &moves {
                        let mut after = *position;
                        after.play(mv);
                        assert_eq!(position.gives_check(mv, &checks), after.in_check(), "{line} {mv:?}");
                    }
                });
                any.play(moves[mix(any.key() ^ ply) as usize % moves.len()]);
            }
        }
    }
}
