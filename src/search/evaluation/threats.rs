//! Pieces that are attacked in a way that hurts.

use super::side::Side;
use super::terms::*;
use crate::chess::{Bitboard, Color, Role, Ruleset, attacks};

/// What one side threatens.
pub fn threats<R: Ruleset>(side: &Side<'_, R>, enemy: &Side<'_, R>, ledger: &mut impl Ledger) {
    let position = side.position;
    let [by_pawns, by_knights, by_bishops, by_rooks, by_king] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::King]
            .map(|role| side.attacks[role.index()]);
    let pieces = enemy.own & !enemy.pawns & !position.role(Role::King);
    // What a pawn guards, or more pieces than attack it, is not worth attacking with something dearer.
    let held = enemy.attacks[Role::Pawn.index()] | enemy.twice & !side.twice;
    let weak = enemy.own & !position.role(Role::King) & !held & side.attacked;
    let role_at = |square| position.role_at(square).map_or(0, Role::index);

    for square in (weak | pieces & held) & (by_knights | by_bishops) & !by_pawns {
        ledger.add(MINOR_THREAT + role_at(square).min(4), 1);
    }
    for square in weak & by_rooks & !by_pawns {
        ledger.add(ROOK_THREAT + role_at(square).min(4), 1);
    }
    if (weak & by_king).any() {
        ledger.add(KING_THREAT, 1);
    }
    let hanging = weak & (!enemy.attacked | pieces & side.twice);
    if hanging.any() {
        ledger.add(HANGING, hanging.count() as i32);
    }
    ledger.add(RESTRICTED, (enemy.attacked & !held & side.attacked).count() as i32);
    for square in pieces & by_pawns {
        ledger.add(PAWN_THREAT + role_at(square).clamp(1, 4) - 1, 1);
    }
    let safe = !enemy.attacks[Role::Pawn.index()] & (side.attacked | !enemy.attacked);
    let steps = pushes(side.pawns, side.color, !position.occupied()) & safe;
    let pushed = attacks::pawns(steps, side.color) & pieces & !by_pawns;
    if pushed.any() {
        ledger.add(PUSH_THREAT, pushed.count() as i32);
    }
    if let Some(queen) = position.pieces(enemy.color, Role::Queen).first() {
        let from =
            by_knights & attacks::knight(queen) & !side.own & !held & !enemy.attacks[Role::Pawn.index()];
        ledger.add(QUEEN_TROUBLE, i32::from(from.any()));
    }
}

/// Where pawns can step, twice from their second rank.
fn pushes(pawns: Bitboard, color: Color, free: Bitboard) -> Bitboard {
    match color {
        Color::White => {
            let once = Bitboard(pawns.0 << 8) & free;
            once | Bitboard((once & Bitboard::rank(2)).0 << 8) & free
        }
        Color::Black => {
            let once = Bitboard(pawns.0 >> 8) & free;
            once | Bitboard((once & Bitboard::rank(5)).0 >> 8) & free
        }
    }
}
