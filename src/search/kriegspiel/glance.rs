//! An order of attempts by the player's own men alone, for when there is no time to think.

use super::dice::Dice;
use crate::chess::kriegspiel::{Attempt, Men, View};
use crate::chess::{Color, Role};
use std::cmp::Reverse;

/// Every attempt that may be legal and was not refused yet, what is sensible for its own sake first. It depends on nothing but
/// the player's men and what it heard last. Takes some microseconds for each ply of the game.
pub fn at_a_glance(view: &View) -> Vec<Attempt> {
    let men = view.men_now();
    let mut dice = Dice::new(men.squares().0);
    let takes = view.heard_now().pawn_tries > 0;
    let mut attempts = men.attempts();
    attempts.retain(|attempt| !view.refused.contains(attempt));
    attempts.sort_by_cached_key(|&attempt| {
        let promise = promise(&men, attempt, takes) + dice.below(100) as i32;
        (Reverse(promise), attempt)
    });
    attempts
}

fn promise(men: &Men, attempt: Attempt, takes: bool) -> i32 {
    let forward = i32::from(attempt.to.rank()) - i32::from(attempt.from.rank());
    let forward = if men.color() == Color::White { forward } else { -forward };
    match (men.role_at(attempt.from), attempt.promotion) {
        (_, Some(role)) => 1000 + role.index() as i32,
        (Some(Role::Pawn), None) if attempt.from.file() != attempt.to.file() && takes => 800,
        (Some(Role::Pawn), None) => 40 * forward,
        (Some(Role::King), None) => -100,
        _ => 20 * forward,
    }
}
