//! A game of bughouse: two boards and four sessions. The first team has White on the first board
//! and Black on the second.
//!
//! `seat` is a player, `boards` the referee, `table` the game of four engines at the same time.

mod boards;
mod seat;
mod table;

use super::game::Finished;
use super::pairing::PlayedPair;
use super::{MatchError, Plan};
use seat::Seat;
use table::Table;

/// Lines that may wait to be read.
const MAX_WAITING: usize = 4096;

/// Plays the pair of this number.
///
/// # Errors
/// An engine cannot be started.
pub(super) fn play_pair(plan: &Plan, number: u32) -> Result<PlayedPair, MatchError> {
    Ok(PlayedPair { number, games: [play(plan, false)?, play(plan, true)?] })
}

/// Plays a game between two teams, each of two processes of one engine. `swapped` gives the second
/// engine the first team.
///
/// # Errors
/// An engine cannot be started.
fn play(plan: &Plan, swapped: bool) -> Result<Finished, MatchError> {
    let (sender, lines) = std::sync::mpsc::sync_channel(MAX_WAITING);
    let seat = |number: usize| {
        // Partners sit at different boards with different colours.
        let of_first_team = number == 0 || number == 3;
        let player = plan.players()[usize::from(of_first_team == swapped)];
        Seat::take(plan, player, number, sender.clone())
    };
    let seats = [seat(0)?, seat(1)?, seat(2)?, seat(3)?];
    Ok(Table::new(plan, seats).play(&lines))
}
