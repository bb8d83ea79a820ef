//! A summary of a move's cost, for GUI logs and measurements.

use super::{Player, Search};
use crate::search::Info;
use std::time::Duration;

impl Player {
    /// Summarises how a move was found, and the time it took.
    pub(in crate::session) fn account(&self, search: &Search, used: Duration) -> String {
        let found = search.findings.best.as_ref().map_or("nothing found yet".to_owned(), |info| {
            format!("depth {}, score {}, {} nodes", info.depth, pawns(info), info.nodes)
        });
        let allowed = search.budget.allotment.map_or("no limit".to_owned(), |allotment| {
            format!("{} to {} ms", allotment.optimum.as_millis(), allotment.maximum.as_millis())
        });
        let (used, lag) = (used.as_millis(), self.limits.clocks.lag().recent());
        let lag = format!("lag {} ms, at worst {} ms", lag.mean, lag.worst);
        format!("{found}; {used} ms used of {allowed}; {lag}")
    }
}

/// A score in pawns (`+0.31`), or a mate in moves (`mate in 5`).
pub(in crate::session) fn pawns(info: &Info) -> String {
    match info.score.mate_distance() {
        Some(moves) if moves > 0 => format!("mate in {moves}"),
        Some(moves) => format!("mated in {}", -moves),
        None => format!("{:+.2}", f64::from(info.score.0) / 100.0),
    }
}
