//! Threats: pieces attacked by cheaper ones or without sufficient guard.

use super::side::{Side, advanced, from_view};
use super::terms::*;
use crate::chess::{Bitboard, Color, Role, Ruleset, attacks};

/// Counts one side's threats.
pub(super) fn threats<R: Ruleset>(side: &Side<'_, R>, enemy: &Side<'_, R>, sink: &mut impl TermSink) {
    let position = side.position;
    let [by_pawns, by_knights, by_bishops, by_rooks, by_king] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::King]
            .map(|role| side.attacks[role.index()]);
    let pieces = enemy.own & !enemy.pawns & !position.role(Role::King);
    // Squares guarded by a pawn, or by more pieces than attack them, are not worth attacking with a
    // more valuable piece.
    let held = enemy.attacks[Role::Pawn.index()] | enemy.twice & !side.twice;
    let weak = enemy.own & !position.role(Role::King) & !held & side.attacked;
    let role_at = |square| position.role_at(square).map_or(0, Role::index);

    for square in (weak | pieces & held) & (by_knights | by_bishops) & !by_pawns {
        sink.add(MINOR_THREAT + role_at(square).min(4), 1);
    }
    for square in weak & by_rooks & !by_pawns {
        sink.add(ROOK_THREAT + role_at(square).min(4), 1);
    }
    if (weak & by_king).any() {
        sink.add(KING_THREAT, 1);
    }
    let hanging = weak & (!enemy.attacked | pieces & side.twice);
    if hanging.any() {
        sink.add(HANGING, hanging.count() as i32);
    }
    sink.add(RESTRICTED, (enemy.attacked & !held & side.attacked).count() as i32);
    for square in pieces & by_pawns {
        sink.add(PAWN_THREAT + role_at(square).clamp(1, 4) - 1, 1);
    }
    let safe = !enemy.attacks[Role::Pawn.index()] & (side.attacked | !enemy.attacked);
    let steps = pushes(side.pawns, side.color, !position.occupied()) & safe;
    let pushed = attacks::pawns(steps, side.color) & pieces & !by_pawns;
    if pushed.any() {
        sink.add(PUSH_THREAT, pushed.count() as i32);
    }
    if let Some(queen) = position.pieces(enemy.color, Role::Queen).first() {
        let from =
            by_knights & attacks::knight(queen) & !side.own & !held & !enemy.attacks[Role::Pawn.index()];
        sink.add(QUEEN_TROUBLE, i32::from(from.any()));
    }
}

/// Returns the targets of pawn steps, including double steps from the second rank.
fn pushes(pawns: Bitboard, color: Color, free: Bitboard) -> Bitboard {
    let once = advanced(pawns, color, 1) & free;
    once | advanced(once & from_view(Bitboard::rank(2), color), color, 1) & free
}
