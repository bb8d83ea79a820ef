//! What a session has done, for the server's monitoring.

use super::{LagSeen, Player, Purpose, Search};
use crate::session::{Doing, Status};
use std::time::{Duration, Instant};

/// What a session has done since it began.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Statistics {
    /// Our moves.
    moves: u64,
    /// Nodes of all searches that have ended.
    nodes: u64,
    /// The longest delay of a move after its deadline.
    overrun: Duration,
}

impl Statistics {
    /// Counts a search that has ended.
    pub(super) fn searched(&mut self, search: &Search) {
        self.nodes = self.nodes.saturating_add(search.nodes());
    }

    /// Counts a move of ours that goes out now.
    pub(super) fn moved(&mut self, deadline: Option<Instant>, now: Instant) {
        self.moves += 1;
        let late = deadline.map_or(Duration::ZERO, |deadline| now.saturating_duration_since(deadline));
        self.overrun = self.overrun.max(late);
    }
}

impl Player {
    /// The status at the instant `now`. Fields that the player does not know are those of a silent session.
    pub(in crate::session) fn status_at(&self, now: Instant) -> Status<'static> {
        let search = self.search.as_ref();
        let elapsed = search.map_or(Duration::ZERO, Search::elapsed).as_millis();
        let nodes = search.map_or(0, Search::nodes);
        Status {
            doing: self.doing(),
            moves: self.statistics.moves,
            search: search.filter(|search| search.done.is_none()).map(|search| search.id),
            depth: search.and_then(|search| search.best.as_ref()).map(|info| info.depth),
            speed: u64::try_from(u128::from(nodes) * 1000 / elapsed.max(1)).ok().filter(|_| elapsed > 0),
            nodes: self.statistics.nodes.saturating_add(nodes),
            clock: self.limits.clocks.shown_after(self.running(now)),
            overrun: self.statistics.overrun,
            lag: self.limits.clocks.lag().recent(),
            ..Status::silent()
        }
    }

    /// What our moves have cost besides thinking, since the session began.
    pub(in crate::session) fn lag(&self) -> LagSeen {
        self.limits.clocks.lag().overall()
    }

    fn doing(&self) -> Doing {
        if self.is_paused() {
            return Doing::Paused;
        }
        match self.purpose() {
            Some(Purpose::Move) => Doing::Thinking,
            Some(Purpose::Hint) => Doing::Hinting,
            Some(Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Expectation) => Doing::Pondering,
            Some(Purpose::Analysis | Purpose::Perft(_)) => Doing::Analysing,
            None => Doing::Idle,
        }
    }
}
