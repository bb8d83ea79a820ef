//! Static exchange evaluation (SEE): the result of a series of captures on one square.

use crate::chess::{Bitboard, Color, Move, MoveKind, Piece, Position, Role, Royal, Ruleset, Square, attacks};

/// Piece values in exchanges, in centipawns.
pub(super) const SEE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 10_000];

/// Value of a spare king where a side has several, in centipawns.
const SPARE_KING: i32 = 300;

/// Returns the value in an exchange of the piece on a square, in centipawns.
#[inline]
pub(super) fn worth_at<R: Ruleset>(position: &Position<R>, square: Square) -> i32 {
    position.role_at(square).map_or(0, |role| worth_of(position, role, square))
}

#[inline]
fn worth_of<R: Ruleset>(position: &Position<R>, role: Role, square: Square) -> i32 {
    if role == Role::King && is_spare(position, square) { SPARE_KING } else { SEE_VALUES[role.index()] }
}

/// Returns true if the king on this square may be lost because another one is royal.
#[inline]
fn is_spare<R: Ruleset>(position: &Position<R>, king: Square) -> bool {
    let is_royal = |color| position.king(color) == Some(king);
    position.fairy().is_some_and(|fairy| fairy.rules().royal == Royal::FirstKing)
        && !Color::ALL.into_iter().any(is_royal)
}

/// Returns true if a capture (or any move to a square the enemy attacks) gains at least `threshold`
/// centipawns, when both sides capture on its square with the cheapest piece for as long as it
/// pays.
pub(super) fn see_ge<R: Ruleset>(position: &Position<R>, mv: Move, threshold: i32) -> bool {
    if mv.kind() == MoveKind::Castle {
        return threshold <= 0;
    }
    let to = mv.to();
    let mut gain = worth_at(position, to) - threshold;
    let (mut at_stake, from) = match mv.kind() {
        MoveKind::Drop(role) if position.fairy().is_some() => (SEE_VALUES[role.index()], Bitboard::EMPTY),
        _ => (worth_at(position, mv.from()), Bitboard::of(mv.from())),
    };
    if let Some(role) = mv.promotion() {
        gain += SEE_VALUES[role.index()] - SEE_VALUES[0];
        at_stake = SEE_VALUES[role.index()];
    }
    let mut occupied = position.occupied() ^ from | Bitboard::of(to);
    if mv.kind() == MoveKind::EnPassant {
        gain += SEE_VALUES[0];
        occupied ^= Bitboard::of(Square::at(to.file(), mv.from().rank()));
    }
    if gain < 0 {
        return false;
    }
    // Enough even if the moving piece is lost for nothing.
    if gain - at_stake >= 0 {
        return true;
    }

    let mut balance = gain - at_stake;
    let mut side = !position.turn();
    let mut attackers = position.attackers(to, occupied) & occupied;
    loop {
        let own = attackers & position.color(side);
        let Some((role, square)) = cheapest(position, own) else { break };
        // A royal king may only capture last.
        let is_royal = || position.king(side).is_some() && !is_spare(position, square);
        if role == Role::King && (attackers & position.color(!side)).any() && is_royal() {
            break;
        }
        occupied ^= Bitboard::of(square);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(to, occupied) & position.diagonal_sliders();
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(to, occupied) & position.straight_sliders();
        }
        attackers &= occupied;
        side = !side;
        balance = -balance - 1 - worth_of(position, role, square);
        if balance >= 0 {
            break;
        }
    }
    // The side that cannot continue has lost the exchange.
    side != position.turn()
}

/// Returns the material gained by a capture that explodes, in centipawns.
pub(super) fn explosion<R: Ruleset>(position: &Position<R>, mv: Move) -> i32 {
    let us = position.turn();
    let passed = if mv.kind() == MoveKind::EnPassant { SEE_VALUES[0] } else { 0 };
    let around = attacks::king(mv.to()) & position.occupied() & !position.role(Role::Pawn);
    let gone = around | Bitboard::of(mv.from()) | Bitboard::of(mv.to()) & position.occupied();
    let worth = |piece: Piece| {
        let value = SEE_VALUES[piece.role.index()];
        if piece.color == us { -value } else { value }
    };
    passed + gone.into_iter().filter_map(|square| position.piece_at(square)).map(worth).sum::<i32>()
}

fn cheapest<R: Ruleset>(position: &Position<R>, pieces: Bitboard) -> Option<(Role, Square)> {
    let (role, square) = Role::ALL
        .into_iter()
        .find_map(|role| (pieces & position.role(role)).first().map(|square| (role, square)))?;
    let spare = || (pieces & position.role(Role::King)).find(|&king| is_spare(position, king));
    match position.fairy() {
        Some(fairy) if fairy.rules().royal == Royal::FirstKing && role != Role::Pawn => {
            Some(spare().map_or((role, square), |king| (Role::King, king)))
        }
        _ => Some((role, square)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Fairy, Standard, Variant};

    #[test]
    fn a_spare_king_takes_part_in_exchanges() {
        let twokings = || Fairy::of(Variant::from_name("twokings").unwrap());
        for (fen, text, value) in [
            ("k7/8/3p4/4q3/5K2/8/K7/8 w - - 0 1", "f4e5", 650),
            ("k3k3/4n3/3K4/8/8/8/K3R3/8 w - - 0 1", "e2e7", 120),
            ("8/kn6/8/8/8/8/1R6/KR6 w - - 0 1", "b2b7", 320),
        ] {
            let position = Position::from_fen(twokings(), fen).unwrap();
            let mv = position.parse_move(text).unwrap();
            assert!(see_ge(&position, mv, value), "{fen} {text} is worth {value}");
            assert!(!see_ge(&position, mv, value + 1), "{fen} {text} is worth only {value}");
        }
    }

    #[test]
    fn see_gives_the_expected_values() {
        for (fen, text, value) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
            ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
            ("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", -850),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("3r3k/3P4/8/8/8/8/8/4K3 w - - 0 1", "e1e2", 0),
            ("4r1k1/3P4/8/8/8/8/8/4K2R w K - 0 1", "d7e8q", 1350),
        ] {
            let position = Position::from_fen(Standard::NORMAL, fen).unwrap();
            let mv = position.parse_move(text).unwrap();
            assert!(see_ge(&position, mv, value), "{fen} {text} is worth {value}");
            assert!(!see_ge(&position, mv, value + 1), "{fen} {text} is worth only {value}");
        }
    }
}
