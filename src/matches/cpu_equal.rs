//! Numbers of nodes at which the opponents use the same CPU time for a move as the first engine.
//!
//! Nodes of different programs cost different time, and programs may search more or fewer than
//! requested. So some games are played before the match, one at a time; after each pair, the
//! opponent's number is multiplied by how much more time the first engine has used for a move,
//! until both times are near. An opponent whose time does not follow its nodes is refused: some do
//! not know `go nodes`. The report shows the times of the match.

use super::Plan;
use super::error::MatchError;
use super::pairing::{Pairing, PlayedPair};
use super::player::{Encounter, Player};
use crate::chess::{AnyPosition, Game};

/// Pairs of games before every match: one to find the number, the others to correct it, as the cost
/// of a node depends on how many there are.
const LEAST_PAIRS: u32 = 3;
/// Pairs after which an opponent is refused: a busy machine disturbs one measurement or two, but
/// not all of them.
const MOST_PAIRS: u32 = 10;
/// The ratio of times at which the search for a number ends.
const NEAR: f64 = 2.0;

/// Sets the nodes of each opponent.
///
/// # Errors
/// An engine cannot be started, has not made a move, or does not keep to its nodes.
pub(super) fn equalize(
    plan: &Plan,
    players: &mut [Player],
    openings: &[AnyPosition],
) -> Result<(), MatchError> {
    for opponent in 0..players.len() - 1 {
        let reached = settles(|number| {
            let encounter = Encounter::new(plan, players, opponent);
            let pair = Pairing::<Game>::new(encounter, openings).play(number)?;
            let ratio = ratio(&pair, encounter)?;
            let own = &mut players[opponent + 1];
            own.nodes = own.nodes.map(|nodes| scaled(nodes, ratio));
            Ok(ratio)
        })?;
        if !reached {
            return Err(MatchError::Unequal(players[opponent + 1].spec.clone()));
        }
    }
    Ok(())
}

/// Plays pairs until the ratio of times is near 1. Returns true if that comes about.
fn settles(mut play: impl FnMut(u32) -> Result<f64, MatchError>) -> Result<bool, MatchError> {
    for number in 0..MOST_PAIRS {
        let ratio = play(number)?;
        if number + 1 >= LEAST_PAIRS && ratio.ln().abs() < NEAR.ln() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The CPU time of a move of the first engine, relative to its opponent's.
fn ratio(pair: &PlayedPair, encounter: Encounter<'_>) -> Result<f64, MatchError> {
    let times = pair.spent().map(|spent| spent.per_move().filter(|&seconds| seconds > 0.0));
    let time = |index: usize| {
        times[index].ok_or_else(|| MatchError::Unmeasured(encounter.players[index].spec.clone()))
    };
    Ok(time(0)? / time(1)?)
}

fn scaled(nodes: u64, ratio: f64) -> u64 {
    // One measurement may be wrong by far, if the machine is busy.
    ((nodes as f64 * ratio.clamp(0.01, 100.0)).round() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether pairs with these ratios settle, and how many are played.
    fn settled(ratio: impl Fn(u32) -> f64) -> (bool, u32) {
        let mut played = 0;
        let settled = settles(|number| {
            played += 1;
            Ok(ratio(number))
        });
        (settled.expect("a result"), played)
    }

    #[test]
    fn an_engine_that_ignores_its_nodes_is_noticed() {
        assert_eq!(settled(|number| [0.4, 0.9, 1.02][number as usize]), (true, 3));
        assert_eq!(settled(|_| 35.0), (false, MOST_PAIRS));
        assert_eq!(settled(|_| 0.1), (false, MOST_PAIRS));
    }

    #[test]
    fn a_disturbed_measurement_is_followed_by_another_one() {
        assert_eq!(settled(|number| [0.9, 1.1, 6.0, 0.2, 1.1][number as usize]), (true, 5));
    }

    #[test]
    fn nodes_grow_with_the_time_of_the_first_engine() {
        assert_eq!(scaled(100_000, 1.5), 150_000);
        assert_eq!(scaled(100_000, 0.25), 25_000);
        assert_eq!((scaled(1, 0.01), scaled(10, 1e9)), (1, 1000));
    }
}
