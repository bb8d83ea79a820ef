//! Bughouse: what captured pieces are worth on the other board.

use crate::chess::{Position, Ruleset};
use crate::search::searchable::Searchable;

/// Value of a piece in centipawns besides that in crazyhouse, from pawn to king. There a captured
/// piece goes to one's own hand, in bughouse to the partner's, where it is worth as much to the
/// pair.
const WORTH: [i32; 6] = [15, 75, 60, 86, 124, 0];

/// Returns White's advantage in pieces on the board and in hand.
pub(super) fn advantage<R: Ruleset>(position: &Position<R>) -> i32 {
    let [white, black] = position.supply();
    let advantages = white.iter().zip(black).map(|(&own, other)| i32::from(own) - i32::from(other));
    WORTH.iter().zip(advantages).map(|(worth, advantage)| worth * advantage).sum()
}
