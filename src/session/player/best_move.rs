//! The move to play when time is up, the best one known, and a summary of its cost.

use super::{Player, Search};
use crate::chess::Move;
use crate::draughts::endgames::Endgames;
use crate::search::{Info, allows_mate, static_best_move};
use std::time::Duration;

/// A move to play, and the reply to expect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) struct BestMove {
    pub(in crate::session) mv: Move,
    pub(in crate::session) reply: Option<Move>,
}

impl Search {
    /// Returns the best move known that is not excluded. In order of preference: the result of a
    /// search that has ended, the first move of the newest variation, the move known before the
    /// search, the static best move. At depth 1 the search examines no replies but captures, so a
    /// `careful` player rejects a move of that depth that allows mate in one. In draughts the
    /// static best move uses `endgames`.
    pub(in crate::session) fn choose(
        &self,
        excluded: &[Move],
        careful: bool,
        endgames: Option<&Endgames>,
    ) -> Option<BestMove> {
        let shallow = careful && self.findings.best.as_ref().is_some_and(|info| info.depth < 2);
        let allowed = |mv: &Move| self.root.is_legal(*mv) && !excluded.contains(mv);
        let sound = |mv: &Move| allowed(mv) && !(shallow && allows_mate(&self.root, *mv));
        let mut variation = self.variation();
        if let Some(done) = self.findings.done
            && let Some(mv) = done.best.filter(allowed)
        {
            let reply = variation.next().filter(|&first| first == mv).and_then(|_| variation.next());
            return Some(BestMove { mv, reply: done.ponder.or(reply) });
        }
        if let Some(mv) = variation.next().filter(sound) {
            return Some(BestMove { mv, reply: variation.next() });
        }
        let known = self.findings.known.filter(allowed);
        known
            .or_else(|| static_best_move(&self.root, excluded, endgames))
            .map(|mv| BestMove { mv, reply: None })
    }
}

impl Player {
    /// Summarises how a move was found, and the time it took.
    pub(in crate::session) fn account(&self, search: &Search, used: Duration) -> String {
        let found = search.findings.best.as_ref().map_or("nothing found yet".to_owned(), |info| {
            format!("depth {}, score {}, {} nodes", info.depth, pawns(info), info.nodes)
        });
        let allowed = search.budget.allotment.map_or("no limit".to_owned(), |allotment| {
            format!("{} to {} ms", allotment.optimum.as_millis(), allotment.maximum.as_millis())
        });
        let (used, lag) = (used.as_millis(), self.limits.clocks.lag.recent());
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
