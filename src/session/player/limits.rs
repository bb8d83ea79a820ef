//! The limits of a move: time, or nodes where nodes count as time.

use super::clocks::Clocks;
use super::{Player, Purpose, Search};
use crate::pool::{Class, SearchBudget, Timebase};
use crate::search::{Allotment, Limits};
use crate::session::takeover::Lateness;
use std::time::{Duration, Instant};

/// The share of the usual time that a move may take, in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) struct Pace(pub(in crate::session) u32);

impl Default for Pace {
    fn default() -> Pace {
        Pace(100)
    }
}

impl Pace {
    fn of(self, allotment: Allotment) -> Allotment {
        let part = |time: Duration| time.min(time * self.0 / 100);
        Allotment {
            optimum: part(allotment.optimum),
            calm: part(allotment.calm),
            maximum: part(allotment.maximum),
            ..allotment
        }
    }
}

/// The engine's clock and the other limits.
#[derive(Clone, Default, Debug)]
pub(in crate::session) struct MoveLimits {
    pub(in crate::session) clocks: Clocks,
    /// Depth limit in plies; `None` for no limit.
    pub(in crate::session) depth: Option<u8>,
    /// Most nodes of a move; `None` for no limit.
    pub(in crate::session) nodes: Option<u64>,
    /// A mate in this number of moves or fewer ends the search; `None` to search for the best move.
    pub(in crate::session) mate: Option<u8>,
    /// The share of the usual time for a move: less in a hurry.
    pub(in crate::session) pace: Pace,
    /// Nodes that count as a second; 0 if processor time counts, `None` if wall-clock time does.
    pub(in crate::session) nps: Option<u32>,
    /// Delays of the current input: the engine's clock runs until a move that it leads to is sent.
    pub(in crate::session) lateness: Lateness,
}

impl MoveLimits {
    /// Resets the limits for a new game. The time control stays.
    pub(super) fn new_game(&mut self) {
        self.clocks.reset();
        self.depth = None;
        self.nodes = None;
        self.mate = None;
        self.nps = None;
        self.pace = Pace::default();
    }

    /// Returns when the input that is handled at `handled` was sent: from then on the engine's
    /// clock pays for a move that is due.
    pub(in crate::session) fn sent(&self, handled: Instant) -> Instant {
        handled.checked_sub(self.lateness.before_handling).unwrap_or(handled)
    }

    /// The limits and budget of the move after `ply` plies, due since `since`. `overhead` is the
    /// minimum to keep for its cost besides thinking, in milliseconds.
    ///
    /// Where nodes count as time, no move is urgent, overhead is not charged, and the time shown is
    /// processor time. On a wall clock every move is urgent, also with a time per move, which GUIs
    /// enforce.
    pub(in crate::session) fn for_move(
        &self,
        since: Instant,
        ply: usize,
        overhead: u64,
    ) -> (Limits, SearchBudget) {
        let limits = self.without_clock();
        let timebase = if self.nps.is_some() { Timebase::Processor } else { Timebase::Wall };
        let budget = SearchBudget { class: Class::Reply, since, allotment: None, timebase, limits: None };
        let Some(allotment) = self.allotment(ply, overhead) else { return (limits, budget) };
        match self.nps {
            None => (limits, SearchBudget { class: Class::Clock, allotment: Some(allotment), ..budget }),
            Some(0) => (limits, SearchBudget { allotment: Some(allotment), ..budget }),
            Some(rate) => {
                // The unused time of a single move is lost.
                let saving = !self.clocks.is_per_move();
                let optimum_nodes = saving.then(|| nodes(allotment.optimum, rate));
                (Limits { nodes: Some(nodes(allotment.maximum, rate)), optimum_nodes, ..limits }, budget)
            }
        }
    }

    /// The limits besides the clock.
    pub(in crate::session) fn without_clock(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes, mate: self.mate, ..Limits::default() }
    }

    /// The time for the next move.
    fn allotment(&self, ply: usize, overhead: u64) -> Option<Allotment> {
        let margin = self.nps.is_none().then_some(overhead);
        let allotment = self.clocks.allotment(ply, margin, self.depth.is_some())?;
        // A time per move is for this move alone.
        Some(if self.clocks.is_per_move() { allotment } else { self.pace.of(allotment) })
    }

    /// The time that a search for the engine's move has taken from its clock so far.
    pub(in crate::session) fn used(&self, search: &Search, now: Instant) -> Duration {
        match self.nps {
            None => now.saturating_duration_since(search.since),
            Some(0) => search.elapsed(),
            Some(rate) => Duration::from_micros(search.nodes().saturating_mul(1_000_000) / u64::from(rate)),
        }
    }
}

impl Player {
    /// Sets the engine's clock as shown by the GUI at the instant `now`, in milliseconds. The clock
    /// may be running.
    pub(in crate::session) fn clock_shows(&mut self, milliseconds: i64, now: Instant) {
        let now = self.clock_instant(now);
        let owed = self.paused.as_ref().and_then(|paused| paused.owed);
        let running = owed.unwrap_or_else(|| self.running(now));
        self.limits.clocks.sync_running(milliseconds, running);
    }

    /// The time for which the engine's clock has been running.
    pub(in crate::session) fn running(&self, now: Instant) -> Duration {
        let thinking = self.search.as_ref().filter(|search| search.purpose == Purpose::Move);
        thinking.map_or(Duration::ZERO, |search| self.limits.used(search, now))
    }
}

fn nodes(time: Duration, rate: u32) -> u64 {
    let nodes = time.as_millis() * u128::from(rate) / 1000;
    u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
}
