//! Figures about a session, for monitoring.

use super::{LagSeen, Player, Purpose, Search};
use crate::session::state::{Fields, StateError};
use crate::session::{Activity, Status};
use std::time::{Duration, Instant};

/// Events of a session since the last call, for metrics of the server.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Measured {
    /// The engine's moves.
    pub moves: u64,
    /// The delay of the newest move after its deadline; `None` without a deadline.
    pub overrun: Option<Duration>,
    /// The newest measured lag of a move.
    pub lag: Option<Duration>,
    /// Time from the request of an analysis to its first variation.
    pub first_line: Option<Duration>,
}

/// Totals of a session since it began.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Statistics {
    /// The engine's moves.
    moves: u64,
    /// Nodes of all searches that have ended.
    nodes: u64,
    /// The longest delay of a move after its deadline.
    overrun: Duration,
    measured: Measured,
}

impl Statistics {
    /// Writes or reads the state, except for the figures that the server takes.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.section("statistics", |fields| {
            fields.within("moves", &mut self.moves, 0..=1 << 48)?;
            fields.field("nodes", &mut self.nodes)?;
            fields.field("overrun", &mut self.overrun)
        })
    }

    /// Counts a search that has ended.
    pub(super) fn searched(&mut self, search: &Search) {
        self.nodes = self.nodes.saturating_add(search.nodes());
    }

    /// Records the time to the first variation of an analysis.
    pub(super) fn first_line(&mut self, after: Duration) {
        self.measured.first_line = Some(after);
    }

    /// Counts a move that goes out now.
    pub(super) fn moved(&mut self, deadline: Option<Instant>, now: Instant) {
        self.moves += 1;
        self.measured.moves += 1;
        self.measured.overrun = deadline.map(|deadline| now.saturating_duration_since(deadline));
        self.overrun = self.overrun.max(self.measured.overrun.unwrap_or_default());
    }
}

impl Player {
    /// The status at the instant `now`. Unknown fields have a silent session's values.
    pub(in crate::session) fn status_at(&self, now: Instant) -> Status {
        let search = self.search();
        let elapsed = search.map_or(Duration::ZERO, Search::elapsed).as_millis();
        let (nodes, lag) = (search.map_or(0, Search::nodes), self.limits.clocks.lag.recent());
        Status {
            activity: self.activity(),
            moves: self.statistics.moves,
            search: search.filter(|search| search.findings.done.is_none()).map(|search| search.id),
            depth: search.and_then(|search| search.findings.best.as_ref()).map(|info| info.depth),
            speed: u64::try_from(u128::from(nodes) * 1000 / elapsed.max(1)).ok().filter(|_| elapsed > 0),
            nodes: self.statistics.nodes.saturating_add(nodes),
            clock: self.clock_at(now),
            overrun: u64::try_from(self.statistics.overrun.as_micros()).unwrap_or(u64::MAX),
            lag_mean: lag.mean,
            lag_worst: lag.worst,
            ..Status::silent()
        }
    }

    /// The engine's clock at the instant `now` in milliseconds; `None` without one.
    pub(in crate::session) fn clock_at(&self, now: Instant) -> Option<i64> {
        self.limits.clocks.shown_after(self.running(now))
    }

    /// The lag of the engine's moves since the session began: their cost besides thinking.
    pub(in crate::session) fn lag(&self) -> LagSeen {
        self.limits.clocks.lag.overall()
    }

    /// Takes the measurements since the last call.
    pub(in crate::session) fn take_measured(&mut self) -> Measured {
        let lag = self.limits.clocks.lag.take_newest();
        Measured { lag, ..std::mem::take(&mut self.statistics.measured) }
    }

    fn activity(&self) -> Activity {
        if self.is_paused() {
            return Activity::Paused;
        }
        match self.purpose() {
            Some(Purpose::Move) => Activity::Thinking,
            Some(Purpose::Hint) => Activity::Hinting,
            Some(Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Expectation) => Activity::Pondering,
            Some(Purpose::Analysis | Purpose::Perft(_)) => Activity::Analysing,
            None => Activity::Idle,
        }
    }
}
