//! An order of attempts by the player's own men alone, for when there is no time to think.

use super::dice::Dice;
use crate::chess::kriegspiel::{Attempt, View};
use crate::chess::{Color, Role};

/// Every attempt that may be legal and was not refused yet, what is sensible for its own sake first. Takes some microseconds
/// for each ply of the game.
pub fn at_a_glance(view: &View, seed: u64) -> Vec<Attempt> {
    let men = view.men_now();
    let mut dice = Dice::new(seed ^ view.plies.len() as u64 ^ 2);
    let takes = view.heard_now().pawn_tries > 0;
    let mut promising: Vec<(i32, Attempt)> = men
        .attempts()
        .into_iter()
        .filter(|attempt| !view.refused.contains(attempt))
        .map(|attempt| {
            let forward = i32::from(attempt.to.rank()) - i32::from(attempt.from.rank());
            let forward = if view.color() == Color::White { forward } else { -forward };
            let promise = match (men.role_at(attempt.from), attempt.promotion) {
                (_, Some(role)) => 1000 + role.index() as i32,
                (Some(Role::Pawn), None) if attempt.from.file() != attempt.to.file() && takes => 800,
                (Some(Role::Pawn), None) => 40 * forward,
                (Some(Role::King), None) => -100,
                _ => 20 * forward,
            };
            (promise + dice.below(100) as i32, attempt)
        })
        .collect();
    promising.sort_by_key(|&(promise, attempt)| (std::cmp::Reverse(promise), attempt));
    promising.into_iter().map(|(_, attempt)| attempt).collect()
}
