//! The engines of a match with their options and limits.

use super::{EngineError, EngineSpec, MatchError, Plan};
use crate::engines::time_control::TimeControl;
use std::time::Duration;

/// An engine of a match with what is its own.
#[derive(Clone, Debug)]
pub(super) struct Player {
    pub(super) spec: EngineSpec,
    /// Names and values.
    pub(super) options: Vec<(String, String)>,
    /// Nodes for each move, if those limit it.
    pub(super) nodes: Option<u64>,
}

impl Player {
    /// The time control by which it plays.
    pub(super) fn control(&self, plan: &Plan) -> TimeControl {
        match (self.nodes, plan.seconds) {
            (Some(nodes), _) => TimeControl::Nodes(nodes),
            (_, Some(seconds)) => TimeControl::Move(Duration::from_secs_f64(seconds)),
            _ => TimeControl::Game(plan.clock),
        }
    }

    /// The end of the match by a failure of this engine.
    pub(super) fn failed(&self, reason: EngineError) -> MatchError {
        MatchError::Engine { engine: self.spec.clone(), reason }
    }
}

/// Two engines that play each other: the first of the match, and one of its opponents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encounter<'a> {
    pub(super) plan: &'a Plan,
    /// The number of the opponent, from 0.
    pub(super) opponent: usize,
    pub(super) players: [&'a Player; 2],
}

impl<'a> Encounter<'a> {
    /// The encounter of the first player with the opponent of this number, from 0.
    pub(super) fn new(plan: &'a Plan, players: &'a [Player], opponent: usize) -> Encounter<'a> {
        Encounter { plan, opponent, players: [&players[0], &players[opponent + 1]] }
    }
}

/// An option of the engine of a number from 1, as `2:NAME=VALUE`.
pub(super) fn numbered_option(text: &str) -> Result<(usize, (String, String)), String> {
    let wrong = || format!("{text:?} is not ENGINE:NAME=VALUE such as 2:Hash=64");
    let (number, rest) = text.split_once(':').ok_or_else(wrong)?;
    let number = number.parse().ok().filter(|&number| number > 0).ok_or_else(wrong)?;
    Ok((number, option(rest)?))
}

/// An option as `NAME=VALUE`.
pub(super) fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    if text.contains(['\r', '\n']) {
        return Err("an option must be one line".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_names_and_values() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(option("Skill Level=3"), Ok(pair("Skill Level", "3")));
        assert_eq!(option("Path=a=b"), Ok(pair("Path", "a=b")));
        assert_eq!(numbered_option("3:Hash=64"), Ok((3, pair("Hash", "64"))));
        for wrong in ["Hash", "Hash=1\nquit=1"] {
            assert!(option(wrong).is_err() && numbered_option(wrong).is_err(), "{wrong:?}");
        }
        for wrong in ["Hash=64", "0:Hash=64", "x:Hash=64", "2:Hash", ""] {
            assert!(numbered_option(wrong).is_err(), "{wrong:?}");
        }
    }
}
