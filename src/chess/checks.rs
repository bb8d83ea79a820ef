//! Whether a move gives check, without playing it.

use super::{Bitboard, Move, MoveKind, Position, Role, Ruleset, Square, attacks};

/// What has to be known of a position to tell its checking moves; worked out once for all of them.
pub struct Checks {
    /// From where each role attacks the enemy king.
    from: [Bitboard; 6],
    /// Own pieces that unveil an attack when they leave their line to him.
    unveilers: Bitboard,
    king: Square,
}

impl Checks {
    /// There is no king to be checked; its square is not looked at, as nothing unveils an attack on it.
    const NONE: Checks =
        Checks { from: [Bitboard::EMPTY; 6], unveilers: Bitboard::EMPTY, king: Square::new(0) };
}

impl<R: Ruleset> Position<R> {
    /// Prepares [`Position::gives_check`].
    pub fn checks(&self) -> Checks {
        let us = self.turn();
        let Some(king) = self.king(!us) else { return Checks::NONE };
        let occupied = self.occupied();
        let rook = attacks::rook(king, occupied);
        let bishop = attacks::bishop(king, occupied);
        let pawn = attacks::pawn(!us, king);
        Checks {
            from: [pawn, attacks::knight(king), bishop, rook, rook | bishop, Bitboard::EMPTY],
            unveilers: self.shields(!us) & self.color(us),
            king,
        }
    }

    /// Whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, mv: Move, checks: &Checks) -> bool {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal if self.fairy().is_none_or(|fairy| fairy.checks_like_standard_chess()) => {
                let role = self.role_at(from).unwrap_or(Role::Pawn);
                checks.from[role.index()].has(to)
                    || checks.unveilers.has(from) && !attacks::through(checks.king, from).has(to)
            }
            // A piece that is dropped unveils nothing.
            MoveKind::Drop(role) => checks.from[role.index()].has(to),
            // Rare, and more than one square changes: played.
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
    use crate::chess::{AnyPosition, Variant, zobrist};
    use crate::with_position;

    #[test]
    fn as_told_so_played() {
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
                any.play(moves[zobrist::mix(any.key() ^ ply) as usize % moves.len()]);
            }
        }
    }
}
