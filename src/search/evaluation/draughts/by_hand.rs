//! Static evaluation of English draughts.

use crate::chess::Color;
use crate::draughts::{Bitboard, Position};

const MAN: i32 = 100;
const KING: i32 = 135;
/// What a side that is ahead gains by each piece less on the board.
const TRADE: i32 = 3;

/// The worth of a position in centipawns from the view of the side on move. Never near a mate score.
pub fn evaluate(position: &Position) -> i32 {
    let (us, them) = (position.turn(), !position.turn());
    let material = material(position, us) - material(position, them);
    let pieces = (position.side(us) | position.side(them)).count() as i32;
    material + material.signum() * (24 - pieces) * TRADE + placement(position, us) - placement(position, them)
}

fn material(position: &Position, side: Color) -> i32 {
    let kings = (position.side(side) & position.kings()).count() as i32;
    let men = position.side(side).count() as i32 - kings;
    men * MAN + kings * KING
}

/// Men that have gone far, those that keep the opponent from crowning, and kings in the middle.
fn placement(position: &Position, side: Color) -> i32 {
    const MIDDLE: Bitboard = Bitboard(0x0_03fc_7800);
    let mut worth = 0;
    for square in position.side(side) {
        let row = if side == Color::Black { square.row() } else { 7 - square.row() };
        worth += match (position.kings().has(square), row) {
            (true, _) => 8 * i32::from(MIDDLE.has(square)),
            (false, 0) => 8,
            (false, row) => 2 * i32::from(row),
        };
    }
    worth
}
