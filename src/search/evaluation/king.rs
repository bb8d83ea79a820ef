//! King safety: pawn shelter, pawn storms, and attacking pieces.

use super::pawns::ranks_ahead;
use super::side::{Side, advanced, from_view};
use super::terms::*;
use crate::chess::{Bitboard, Color, Fairy, Role, Ruleset, Square, attacks};

/// Returns the files of a king's shelter: its own, or the next towards the middle, and the adjacent
/// ones.
fn files(king: Square) -> std::ops::RangeInclusive<u8> {
    let middle = king.file().clamp(1, 6);
    middle - 1..=middle + 1
}

/// Counts the pawns in front of one side's king, its own and the enemy's.
pub(super) fn shelter<R: Ruleset>(side: &Side<'_, R>, enemy: &Side<'_, R>, sink: &mut impl TermSink) {
    let Some(king) = side.king else { return };
    let level_or_ahead = Bitboard::rank(king.rank()) | ranks_ahead(king, side.color);
    for file in files(king) {
        let own = side.pawns & Bitboard::file(file) & level_or_ahead;
        let enemy_pawns = enemy.pawns & Bitboard::file(file) & level_or_ahead;
        let own_rank = nearest(side, own);
        let enemy_rank = nearest(side, enemy_pawns);
        let shelter = if file == king.file() { SHELTER_KING_FILE } else { SHELTER_BESIDE };
        sink.add(shelter + own_rank, 1);
        let stopped = own_rank > 0 && own_rank + 1 == enemy_rank;
        sink.add(if stopped { STORM_STOPPED } else { STORM } + enemy_rank, 1);
    }
}

/// Returns the rank of the pawn nearest to a side's first rank, as that side sees it; 0 for none.
fn nearest<R: Ruleset>(side: &Side<'_, R>, pawns: Bitboard) -> usize {
    from_view(pawns, side.color).first().map_or(0, |pawn| usize::from(pawn.rank()))
}

/// Counts threats to the enemy king besides attacks on the squares around it.
pub(super) fn attack<R: Ruleset>(side: &Side<'_, R>, enemy: &Side<'_, R>, sink: &mut impl TermSink) {
    let Some(king) = enemy.king else { return };
    let position = side.position;
    sink.endanger(ALWAYS, 1);
    sink.endanger(NO_QUEEN, i32::from(position.pieces(side.color, Role::Queen).is_empty()));
    let [royal, queens] = [Role::King, Role::Queen].map(|role| enemy.attacks[role.index()]);
    let weak = side.attacked & !enemy.twice & (!enemy.attacked | royal | queens);
    sink.endanger(WEAK_BESIDE, (weak & royal).count() as i32);

    let safe = !side.own & (!enemy.attacked | weak & side.twice);
    let occupied = position.occupied() ^ position.pieces(enemy.color, Role::Queen);
    let (lines, diagonals) = (attacks::rook(king, occupied), attacks::bishop(king, occupied));
    let mut others = Bitboard::EMPTY;
    for (number, (role, squares)) in [
        (Role::Knight, attacks::knight(king)),
        (Role::Bishop, diagonals),
        (Role::Rook, lines),
        (Role::Queen, (lines | diagonals) & !queens),
    ]
    .into_iter()
    .enumerate()
    {
        let checks = squares & side.attacks[role.index()];
        if (checks & safe).any() {
            sink.endanger(SAFE_CHECKS + number, 1 + i32::from((checks & safe).many()));
            sink.add(SAFE_CHECK, 1);
        } else {
            others |= checks;
        }
    }
    sink.endanger(OTHER_CHECKS, (others & !side.own).count() as i32);
    if position.fairy().is_some_and(Fairy::has_drops) {
        drops(side, enemy, king, weak, sink);
    }

    for file in files(king) {
        let pawns = Bitboard::file(file) & position.role(Role::Pawn);
        if (pawns & enemy.pawns).is_empty() {
            sink.endanger(if pawns.is_empty() { OPEN } else { HALF_OPEN }, 1);
        }
    }
    let flank = flank(king, enemy.color);
    sink.endanger(FLANK_ATTACKS, ((side.attacked & flank).count() + (side.twice & flank).count()) as i32);
    sink.endanger(FLANK_DEFENCE, (enemy.attacked & flank).count() as i32);
    let defends = (enemy.attacks[Role::Knight.index()] & royal).any();
    sink.endanger(KNIGHT_DEFENDS, i32::from(defends));
}

/// Counts drops near the enemy king. `weak` squares are guarded only by the king and queens.
fn drops<R: Ruleset>(
    side: &Side<'_, R>,
    enemy: &Side<'_, R>,
    king: Square,
    weak: Bitboard,
    sink: &mut impl TermSink,
) {
    let position = side.position;
    let Some(fairy) = position.fairy() else { return };
    let empty = !position.occupied();
    let safe = empty & (!enemy.attacked | weak);
    let (lines, diagonals) =
        (attacks::rook(king, position.occupied()), attacks::bishop(king, position.occupied()));
    let mut pieces = 0;
    for (number, (role, checks)) in [
        (Role::Pawn, attacks::pawn(enemy.color, king)),
        (Role::Knight, attacks::knight(king)),
        (Role::Bishop, diagonals),
        (Role::Rook, lines),
        (Role::Queen, lines | diagonals),
    ]
    .into_iter()
    .enumerate()
    {
        let in_hand = i32::from(fairy.in_hand(side.color, role));
        if in_hand > 0 {
            let squares = (checks & safe).count() as i32;
            sink.endanger(SAFE_DROPS + number, squares.min(2));
            pieces += if role == Role::Pawn { 0 } else { in_hand };
        }
    }
    sink.endanger(IN_HAND, pieces);
    let royal = enemy.attacks[Role::King.index()];
    let guarded_by_others = enemy.twice | (enemy.attacked & !royal);
    let holes = (royal & empty & !guarded_by_others).count() as i32;
    sink.endanger(HOLES, holes * pieces.min(3));
}

/// Returns the files around a king, on its own half of the board and the next rank.
fn flank(king: Square, color: Color) -> Bitboard {
    let files = match king.file() {
        0..=2 => 0x0f0f_0f0f_0f0f_0f0f,
        3 | 4 => 0x3c3c_3c3c_3c3c_3c3c,
        _ => 0xf0f0_f0f0_f0f0_f0f0,
    };
    Bitboard(files) & from_view(Bitboard(0x0000_00ff_ffff_ffff), color)
}

/// Counts squares behind own pawns in the centre that no enemy pawn attacks.
pub(super) fn space<R: Ruleset>(side: &Side<'_, R>, enemy: &Side<'_, R>, sink: &mut impl TermSink) {
    let room = from_view(Bitboard(0x0000_0000_3c3c_3c00), side.color);
    let pieces = (side.own & !side.pawns).count() as i32;
    let safe = room & !side.pawns & !enemy.attacks[Role::Pawn.index()];
    let mut behind = side.pawns;
    behind |= advanced(behind, !side.color, 1);
    behind |= advanced(behind, !side.color, 2);
    let squares = safe.count() + (safe & behind & !enemy.attacked).count();
    sink.add(SPACE, squares as i32 * pieces / 4);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_king_on_the_edge_has_three_files() {
        for (square, expected) in [(0, 0..=2), (4, 3..=5), (7, 5..=7)] {
            assert_eq!(files(Square::at(square, 0)), expected);
        }
    }
}
