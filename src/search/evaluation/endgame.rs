//! Endings by material: drawn whatever the balance, or won by driving the king to the edge.

use crate::chess::{Bitboard, Color, Position, Role, Ruleset, Square};

/// Corrects a score (White's view) by what is known of the ending in standard chess.
pub(super) fn adjust<R: Ruleset>(position: &Position<R>, score: i32) -> i32 {
    if position.fairy().is_some() {
        return score;
    }
    if position.insufficient_material() {
        return 0;
    }
    let strong = Color::white_if(score > 0);
    let pawns = position.pieces(strong, Role::Pawn);
    let (own, other) = (piece_values(position, strong), piece_values(position, !strong));
    if pawns.is_empty() {
        // Without pawns an advantage of less than a rook, or two knights alone, seldom wins.
        let two_knights = own == 640 && position.pieces(strong, Role::Knight).count() == 2 && other == 0;
        if own < 500 || two_knights {
            return score / 16;
        }
        if own - other < 400 {
            return score / 4;
        }
        if position.color(!strong).count() == 1 {
            let kings = position.king(strong).zip(position.king(!strong));
            return score + kings.map_or(0, |(hunter, hunted)| mop_up(position, strong, hunter, hunted));
        }
    }
    score
}

/// Returns the value of a side's pieces without pawns, in centipawns.
fn piece_values<R: Ruleset>(position: &Position<R>, color: Color) -> i32 {
    [(Role::Knight, 320), (Role::Bishop, 330), (Role::Rook, 500), (Role::Queen, 950)]
        .into_iter()
        .map(|(role, worth)| position.pieces(color, role).count() as i32 * worth)
        .sum()
}

/// Returns the bonus (White's view) for driving a bare king to the edge, or to the corner that
/// bishop and knight need, and approaching with the own king.
fn mop_up<R: Ruleset>(position: &Position<R>, strong: Color, hunter: Square, hunted: Square) -> i32 {
    let inward = |line: u8| i32::from(line.min(7 - line));
    let edge = 6 - inward(hunted.file()) - inward(hunted.rank());
    let bishops = position.pieces(strong, Role::Bishop);
    let needs_corner = position.straight_sliders().is_empty() && bishops.count() == 1;
    let corner = if needs_corner {
        let dark = (bishops & Bitboard::DARK).any();
        let corners = if dark { [(0, 0), (7, 7)] } else { [(0, 7), (7, 0)] };
        let steps = corners.map(|(file, rank)| {
            i32::from(hunted.file().abs_diff(file)) + i32::from(hunted.rank().abs_diff(rank))
        });
        14 - steps[0].min(steps[1])
    } else {
        0
    };
    let distance = hunter.file().abs_diff(hunted.file()).max(hunter.rank().abs_diff(hunted.rank()));
    let drive = 10 * edge + 20 * corner + 8 * (7 - i32::from(distance));
    if strong == Color::White { drive } else { -drive }
}
