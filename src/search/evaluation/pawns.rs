//! Pawn structure.

use super::side::Side;
use super::terms::*;
use crate::chess::{Bitboard, Color, Role, Ruleset, Square, attacks};

/// Counts the terms of one side's pawn structure.
pub(super) fn structure<R: Ruleset>(side: &Side<'_, R>, enemy: &Side<'_, R>, sink: &mut impl TermSink) {
    let us = side.color;
    let (own, enemy_pawns) = (side.pawns, enemy.pawns);
    let guarded = side.attacks[Role::Pawn.index()];
    for pawn in own {
        let ahead = ahead(pawn, us);
        let beside = beside(pawn);
        let rank = usize::from(side.seen(pawn).rank());
        let opposed = (ahead & enemy_pawns).any();
        if (ahead & own).any() {
            sink.add(DOUBLED, 1);
        }
        let phalanx = (beside & Bitboard::rank(pawn.rank()) & own).any();
        if phalanx {
            sink.add(PHALANX + rank, 1);
        }
        if guarded.has(pawn) {
            sink.add(SUPPORTED + rank, 1);
        } else if (beside & own).is_empty() {
            sink.add(ISOLATED + usize::from(!opposed), 1);
        } else if !phalanx && is_backward(pawn, us, own, enemy.attacks[Role::Pawn.index()] | enemy_pawns) {
            sink.add(BACKWARD + usize::from(!opposed), 1);
        }
        if !opposed && (ahead & own).is_empty() && (ahead_beside(pawn, us) & enemy_pawns).is_empty() {
            passed(side, enemy, pawn, rank, sink);
        }
    }
}

fn is_backward(pawn: Square, us: Color, own: Bitboard, stoppers: Bitboard) -> bool {
    let behind_beside = beside(pawn) & !ahead_beside(pawn, us);
    (behind_beside & own).is_empty() && stoppers.has(step(pawn, us))
}

/// Counts a passed pawn: worth more the further it has come, the freer its path, the nearer the own
/// king and the farther the enemy's.
fn passed<R: Ruleset>(
    side: &Side<'_, R>,
    enemy: &Side<'_, R>,
    pawn: Square,
    rank: usize,
    sink: &mut impl TermSink,
) {
    let position = side.position;
    sink.add(PASSED + rank, 1);
    if !(2..7).contains(&rank) {
        return;
    }
    let next = step(pawn, side.color);
    let way = ahead(pawn, side.color);
    let advance = rank as i32 - 1;
    if let (Some(king), Some(enemy_king)) = (side.king, enemy.king) {
        sink.add(PASSED_OWN_KING, distance(king, next) * advance);
        sink.add(PASSED_ENEMY_KING, distance(enemy_king, next) * advance);
    }
    if position.occupied().has(next) {
        sink.add(PASSED_BLOCKED + rank, 1);
    } else if !enemy.attacked.has(next) {
        sink.add(PASSED_SAFE + rank, 1);
        if (way & (position.occupied() | enemy.attacked)).is_empty() {
            sink.add(PASSED_FREE + rank, 1);
        }
    }
    let behind = Bitboard::file(pawn.file()) & !way;
    let rooks = behind & position.pieces(side.color, Role::Rook);
    if rooks.any() && (attacks::rook(pawn, position.occupied()) & rooks).any() {
        sink.add(PASSED_ROOK, 1);
    }
}

/// Returns the number of king steps between two squares.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

fn step(pawn: Square, us: Color) -> Square {
    let rank = if us == Color::White { pawn.rank() + 1 } else { pawn.rank().wrapping_sub(1) };
    Square::at(pawn.file(), rank)
}

/// Returns the ranks in front of a square.
pub(super) fn ranks_ahead(square: Square, us: Color) -> Bitboard {
    match us {
        Color::White if square.rank() == 7 => Bitboard::EMPTY,
        Color::White => Bitboard(!0 << (8 * (square.rank() + 1))),
        Color::Black => Bitboard((1 << (8 * square.rank())) - 1),
    }
}

/// Returns the squares in front of a square on its file.
pub(super) fn ahead(square: Square, us: Color) -> Bitboard {
    Bitboard::file(square.file()) & ranks_ahead(square, us)
}

/// Returns the files adjacent to a square.
pub(super) fn beside(square: Square) -> Bitboard {
    let mut files = Bitboard::EMPTY;
    if square.file() > 0 {
        files |= Bitboard::file(square.file() - 1);
    }
    if square.file() < 7 {
        files |= Bitboard::file(square.file() + 1);
    }
    files
}

/// Returns the squares in front of a square on adjacent files.
pub(super) fn ahead_beside(square: Square, us: Color) -> Bitboard {
    beside(square) & ranks_ahead(square, us)
}
