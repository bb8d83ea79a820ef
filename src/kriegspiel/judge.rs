//! The worth of a board, assuming that it is the true one.

use super::belief::played;
use crate::chess::{Bitboard, Color, Move, MoveKind, Position, Role, Square, Standard, attacks};

/// Piece values in centipawns.
const VALUES: [f32; 6] = [100.0, 320.0, 330.0, 500.0, 950.0, 0.0];
/// Bonus of a pawn by its relative rank, in centipawns.
const ADVANCE: [f32; 8] = [0.0, 0.0, 4.0, 12.0, 30.0, 70.0, 160.0, 0.0];
/// Value of a mate, above all material.
pub(super) const MATE: f32 = 15_000.0;
/// Value of a stalemate for the better side. Worse than a draw: if it occurs on one possible board,
/// it does on others.
const STALEMATE: f32 = -1500.0;
/// Penalty for leaving the other side hardly a move: on a similar board it may have none.
const CRAMPED: f32 = 60.0;
/// Bonus for sufficient mating material against a lone king.
const SUFFICIENT: f32 = 7000.0;
/// Share of its greatest threat that the other side, which sees as little, will carry out.
const THREAT_SEEN: f32 = 0.4;

/// Returns the worth of a board to `us` after its move, against a lone king: the mean of the worth
/// after the best reply and the average reply.
fn after_our_move_against_king(position: &Position<Standard>, us: Color, replies: &[Move]) -> f32 {
    let (mut least, mut sum) = (f32::MAX, 0.0);
    for &mv in replies {
        let after = played(position, mv);
        let worth = if after.insufficient_material() { 0.0 } else { SUFFICIENT + worth(&after, us) };
        least = least.min(worth);
        sum += worth;
    }
    0.5 * least + 0.5 * sum / replies.len() as f32
}

/// Returns the worth of a board to `us` after its move, with the other side on move.
pub(super) fn after_our_move(position: &Position<Standard>, us: Color) -> f32 {
    let replies = position.legal_moves();
    let standing = worth(position, us);
    if replies.is_empty() && position.in_check() {
        return MATE;
    }
    if replies.is_empty() {
        return if standing > 0.0 { STALEMATE } else { 0.0 };
    }
    if position.insufficient_material() {
        return 0.0;
    }
    if !position.color(!us).many() {
        return after_our_move_against_king(position, us, &replies);
    }
    let cramped = standing > 0.0 && !position.in_check() && replies.len() <= 2;
    let guarded = attacked_by(position, us, position.occupied());
    let mut worst: f32 = 0.0;
    let mut sum = 0.0;
    for mv in replies.iter() {
        let loss = loss_by(position, *mv, guarded);
        worst = worst.max(loss);
        sum += loss;
    }
    let risk = if cramped { CRAMPED } else { 0.0 };
    standing - risk - THREAT_SEEN * worst - sum / replies.len() as f32
}

/// Returns the material that a move of the other side wins, recaptures considered.
fn loss_by(position: &Position<Standard>, mv: Move, guarded: Bitboard) -> f32 {
    let value = |square: Square| position.role_at(square).map_or(0.0, |role| VALUES[role.index()]);
    let taken = match mv.kind() {
        MoveKind::EnPassant => VALUES[0],
        MoveKind::Castle => return 0.0,
        _ => value(mv.to()),
    };
    let promoted = mv.promotion().map_or(0.0, |role| VALUES[role.index()] - VALUES[0]);
    let gain = taken + promoted;
    if gain == 0.0 {
        return 0.0;
    }
    let at_stake = if guarded.has(mv.to()) { value(mv.from()) + promoted } else { 0.0 };
    (gain - at_stake).max(0.0)
}

/// Returns the squares attacked by a side.
fn attacked_by(position: &Position<Standard>, color: Color, occupied: Bitboard) -> Bitboard {
    let mut attacked = attacks::pawns(position.pieces(color, Role::Pawn), color);
    for square in position.color(color) & !position.role(Role::Pawn) {
        let role = position.role_at(square).unwrap_or(Role::Pawn);
        attacked |= attacks::piece(role, square, occupied);
    }
    attacked
}

/// Returns the static worth of a board to `us`: material, placement, and the hunt for the king.
fn worth(position: &Position<Standard>, us: Color) -> f32 {
    let material = |color| {
        let count = |role: Role| position.pieces(color, role).count() as f32 * VALUES[role.index()];
        Role::ALL.into_iter().map(count).sum::<f32>()
    };
    let (own, other) = (material(us), material(!us));
    let mut worth = own - other + placement(position, us) - placement(position, !us);
    let pieces = own - position.pieces(us, Role::Pawn).count() as f32 * VALUES[0];
    if own > other + 250.0 && pieces >= 500.0 {
        worth += hunt(position, us) * ((own - other) / 900.0).min(1.0);
    }
    worth
}

/// Returns the placement bonus of a side's men.
fn placement(position: &Position<Standard>, color: Color) -> f32 {
    let mut sum = 0.0;
    for square in position.color(color) {
        let rank = match color {
            Color::White => square.rank(),
            Color::Black => 7 - square.rank(),
        };
        sum += match position.role_at(square) {
            Some(Role::Pawn) => ADVANCE[usize::from(rank)],
            Some(Role::Knight) => -5.0 * center_distance(square),
            Some(Role::Bishop) => -3.0 * center_distance(square),
            Some(Role::Queen) => -center_distance(square),
            _ => 0.0,
        };
    }
    sum
}

/// Returns the bonus for driving the other king into a corner with few squares left.
fn hunt(position: &Position<Standard>, us: Color) -> f32 {
    let (Some(own), Some(king)) = (position.king(us), position.king(!us)) else { return 0.0 };
    let seen = attacked_by(position, us, position.occupied() ^ Bitboard::of(king));
    let free = attacks::king(king) & !position.color(!us) & !seen;
    let apart = own.file().abs_diff(king.file()).max(own.rank().abs_diff(king.rank()));
    12.0 * center_distance(king) - 18.0 * free.count() as f32 - 6.0 * f32::from(apart)
}

/// Returns the distance to the centre: 0 in the centre, 6 in a corner.
fn center_distance(square: Square) -> f32 {
    let from_middle = |line: u8| if line < 4 { 3 - line } else { line - 4 };
    f32::from(from_middle(square.file()) + from_middle(square.rank()))
}
