//! Pawn structure.

use super::weights::*;
use crate::chess::{Bitboard, Color, Position, Role, Ruleset, Square, attacks};

/// Worth of one side's pawn structure, from its own view.
pub fn structure<R: Ruleset>(position: &Position<R>, us: Color) -> Pair {
    let own = position.pieces(us, Role::Pawn);
    let enemy = position.pieces(!us, Role::Pawn);
    let enemy_attacks = attacks::pawns(enemy, !us);
    let own_attacks = attacks::pawns(own, us);
    let mut score = Pair::default();
    for pawn in own {
        let ahead = ahead(pawn, us);
        let beside = beside(pawn);
        let rank = if us == Color::White { pawn.rank() } else { 7 - pawn.rank() };
        if (ahead & own).any() {
            score += DOUBLED_PAWN;
        }
        if (beside & own).is_empty() {
            score += ISOLATED_PAWN;
        } else if own_attacks.has(pawn) || (beside & Bitboard::rank(pawn.rank()) & own).any() {
            score += CONNECTED_PAWN;
        } else if is_backward(pawn, us, own, enemy_attacks) {
            score += BACKWARD_PAWN;
        }
        if (ahead & (own | enemy)).is_empty() && (ahead_beside(pawn, us) & enemy).is_empty() {
            score += passed(position, us, pawn, rank);
        }
    }
    score
}

fn is_backward(pawn: Square, us: Color, own: Bitboard, enemy_attacks: Bitboard) -> bool {
    let behind_beside = beside(pawn) & !ahead_beside(pawn, us);
    (behind_beside & own).is_empty() && enemy_attacks.has(step(pawn, us))
}

/// A passed pawn: worth more the further it is, the nearer our king and the farther theirs.
fn passed<R: Ruleset>(position: &Position<R>, us: Color, pawn: Square, rank: u8) -> Pair {
    let mut score = PASSED_PAWN[rank as usize];
    let next = step(pawn, us);
    if rank >= 3
        && let (Some(king), Some(enemy_king)) = (position.king(us), position.king(!us))
    {
        let race = distance(enemy_king, next) - distance(king, next);
        score.end += race * PASSED_KING_RACE * i32::from(rank);
    }
    if position.occupied().has(next) {
        score.end -= PASSED_PAWN[rank as usize].end * PASSED_BLOCKED_QUARTERS / 4;
        score.middle -= PASSED_PAWN[rank as usize].middle * PASSED_BLOCKED_QUARTERS / 4;
    }
    score
}

/// King's steps between two squares.
pub fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

fn step(pawn: Square, us: Color) -> Square {
    let rank = if us == Color::White { pawn.rank() + 1 } else { pawn.rank().wrapping_sub(1) };
    Square::at(pawn.file(), rank)
}

/// Ranks in front of a square.
fn ranks_ahead(square: Square, us: Color) -> Bitboard {
    match us {
        Color::White if square.rank() == 7 => Bitboard::EMPTY,
        Color::White => Bitboard(!0 << (8 * (square.rank() + 1))),
        Color::Black => Bitboard((1 << (8 * square.rank())) - 1),
    }
}

/// Squares in front of a square on its file.
fn ahead(square: Square, us: Color) -> Bitboard {
    Bitboard::file(square.file()) & ranks_ahead(square, us)
}

/// The files beside a square.
fn beside(square: Square) -> Bitboard {
    let mut files = Bitboard::EMPTY;
    if square.file() > 0 {
        files |= Bitboard::file(square.file() - 1);
    }
    if square.file() < 7 {
        files |= Bitboard::file(square.file() + 1);
    }
    files
}

/// Squares in front of a square on the files beside it.
pub fn ahead_beside(square: Square, us: Color) -> Bitboard {
    beside(square) & ranks_ahead(square, us)
}
