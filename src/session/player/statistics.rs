//! What a session has done, for whoever looks after the server.

use super::{LagSeen, Player, Purpose, Search};
use crate::session::{Doing, Status};
use std::time::{Duration, Instant};

/// What a session has done since it began.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Statistics {
    /// Moves we have made.
    moves: u64,
    /// Nodes of the searches that have ended.
    nodes: u64,
    /// The longest that a move went out after its time was up.
    overrun: Duration,
}

impl Statistics {
    /// A search is over.
    pub(super) fn searched(&mut self, search: &Search) {
        self.nodes = self.nodes.saturating_add(search.nodes());
    }

    /// We move now, and `deadline` was the last instant for it.
    pub(super) fn moved(&mut self, deadline: Option<Instant>, now: Instant) {
        self.moves += 1;
        let late = deadline.map_or(Duration::ZERO, |deadline| now.saturating_duration_since(deadline));
        self.overrun = self.overrun.max(late);
    }
}

impl Player {
    /// How it stands at the instant `now`. What the player does not know is as in a session that has heard nothing.
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

    /// What moves have cost besides thinking, since the session began.
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
            Some(Purpose::Ponder(_) | Purpose::Ordered | Purpose::Expectation) => Doing::Pondering,
            Some(Purpose::Analysis) => Doing::Analysing,
            None => Doing::Idle,
        }
    }
}
