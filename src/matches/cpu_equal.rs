//! Numbers of nodes at which the opponents use the same CPU time for a move as the first engine.
//!
//! Nodes of different programs cost different time, and programs may search more or fewer than
//! requested. So some games are played before the match, one at a time; after each pair, the
//! opponent's number is multiplied by how much more time the first engine has used for a move. An
//! opponent whose time does not follow its nodes is refused: some do not know `go nodes`. The
//! report shows the times of the match.

use super::Plan;
use super::error::MatchError;
use super::pairing::{Pairing, PlayedPair};
use super::player::{Encounter, Player};
use crate::chess::{AnyPosition, Game};

/// Pairs of games before the match: one to find the number, the others to correct it, as the cost
/// of a node depends on how many there are.
const PAIRS: u32 = 3;
/// The ratio of times that a busy machine may cause.
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
        let mut ratios = Vec::new();
        for number in 0..PAIRS {
            let encounter = Encounter::new(plan, players, opponent);
            let pair = Pairing::<Game>::new(encounter, openings).play(number)?;
            let ratio = ratio(&pair, encounter)?;
            let own = &mut players[opponent + 1];
            own.nodes = own.nodes.map(|nodes| scaled(nodes, ratio));
            ratios.push(ratio);
        }
        if !approaches_one(&ratios) {
            return Err(MatchError::Unequal(players[opponent + 1].spec.clone()));
        }
    }
    Ok(())
}

/// Returns true if the last ratio is near 1, or at least much nearer than the first.
fn approaches_one(ratios: &[f64]) -> bool {
    let distance = |ratio: Option<&f64>| ratio.map_or(0.0, |ratio| ratio.ln().abs());
    distance(ratios.last()) < NEAR.ln().max(distance(ratios.first()) / 2.0)
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
    fn an_engine_that_ignores_its_nodes_is_noticed() {
        assert!(approaches_one(&[0.4, 0.9, 1.02]) && approaches_one(&[0.9, 1.3, 1.8]));
        assert!(approaches_one(&[40.0, 9.0, 4.0]));
        assert!(!approaches_one(&[35.0, 36.0, 34.0]) && !approaches_one(&[0.1, 0.11, 0.1]));
    }

    #[test]
    fn nodes_grow_with_the_time_of_the_first_engine() {
        assert_eq!(scaled(100_000, 1.5), 150_000);
        assert_eq!(scaled(100_000, 0.25), 25_000);
        assert_eq!((scaled(1, 0.01), scaled(10, 1e9)), (1, 1000));
    }
}
