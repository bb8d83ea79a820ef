//! A game of bughouse: two boards and four sessions. The first team has White on the first board
//! and Black on the second.
//!
//! `seat` is a player, `boards` the referee, `table` the game of four engines at the same time.

mod boards;
mod seat;
mod table;

use super::MatchError;
use super::game::Finished;
use super::pairing::PlayedPair;
use super::player::Encounter;
use seat::Seat;
use table::Table;

/// Lines that may wait to be read.
const MAX_WAITING: usize = 4096;

/// Plays the pair of this number.
///
/// # Errors
/// An engine cannot be started.
pub(super) fn play_pair(encounter: Encounter<'_>, number: u32) -> Result<PlayedPair, MatchError> {
    let (one, first) = play(encounter, false)?;
    let (other, _) = play(encounter, true)?;
    Ok(PlayedPair { opponent: encounter.opponent, number, names: first, games: [one, other] })
}

/// Plays a game between two teams, each of two processes of one engine, and returns the names of
/// both engines, too. `swapped` gives the second engine the first team.
///
/// # Errors
/// An engine cannot be started.
fn play(encounter: Encounter<'_>, swapped: bool) -> Result<(Finished, [String; 2]), MatchError> {
    let Encounter { plan, players, .. } = encounter;
    let (sender, lines) = std::sync::mpsc::sync_channel(MAX_WAITING);
    let seat = |number: usize| {
        // Partners sit at different boards with different colours.
        let of_first_team = number == 0 || number == 3;
        let player = players[usize::from(of_first_team == swapped)];
        Seat::take(plan, player, number, sender.clone())
    };
    let seats = [seat(0)?, seat(1)?, seat(2)?, seat(3)?];
    let name = |seat: usize, player: usize| {
        let own = seats[seat].engine.name();
        own.map_or_else(|| players[player].spec.to_string(), str::to_owned)
    };
    let names = if swapped { [name(1, 0), name(0, 1)] } else { [name(0, 0), name(1, 1)] };
    Ok((Table::new(plan, seats).play(&lines), names))
}
