//! Numbers of nodes at which the opponents use the same CPU time for a move as the first engine.
//!
//! Nodes of different programs cost different time, and programs may search more or fewer than
//! requested. So some games are played before the match, one at a time; after each pair, the
//! opponent's number is multiplied by how much more time the first engine has used for a move. The
//! report shows the times of the match.

use super::Plan;
use super::error::MatchError;
use super::pairing::{Pairing, PlayedPair};
use super::player::{Encounter, Player};
use crate::chess::{AnyPosition, Game};

/// Pairs of games before the match: one to find the number, the others to correct it, as the cost
/// of a node depends on how many there are.
const PAIRS: u32 = 3;

/// Sets the nodes of each opponent.
///
/// # Errors
/// An engine cannot be started, or has not made a move.
pub(super) fn equalize(
    plan: &Plan,
    players: &mut [Player],
    openings: &[AnyPosition],
) -> Result<(), MatchError> {
    for opponent in 0..players.len() - 1 {
        for number in 0..PAIRS {
            let encounter = Encounter::new(plan, players, opponent);
            let pair = Pairing::<Game>::new(encounter, openings).play(number)?;
            let ratio = ratio(&pair, encounter)?;
            let own = &mut players[opponent + 1];
            own.nodes = own.nodes.map(|nodes| scaled(nodes, ratio));
        }
    }
    Ok(())
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

    #[test]
    fn nodes_grow_with_the_time_of_the_first_engine() {
        assert_eq!(scaled(100_000, 1.5), 150_000);
        assert_eq!(scaled(100_000, 0.25), 25_000);
        assert_eq!((scaled(1, 0.01), scaled(10, 1e9)), (1, 1000));
    }
}
