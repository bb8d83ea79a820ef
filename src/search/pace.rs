//! Node counting, the gate and the limits: when a search must stop.

use super::gate::{Gate, POLL_NODES, Verdict};
use super::request::{Limits, Request};
use std::time::Duration;

/// Multiple of the optimum at which an iteration is stopped, unless its best move is failing. After
/// a ponder hit it may have begun long ago.
const MAX_OPTIMA: f32 = 2.5;

/// Whether a search goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    /// It recalls a depth from the table, which is given up at this number of nodes.
    Recalling(u64),
    /// The recalled depth is given up; another one may be searched.
    GivenUp,
    Stopped,
}

/// The pace of a search: its nodes, its gate, and its limits.
pub(super) struct Pace<'a> {
    gate: &'a mut dyn Gate,
    asked: Limits,
    /// The limits last returned by the gate.
    limits: Limits,
    nodes: u64,
    /// Number of nodes at which the gate must be polled.
    poll_at: u64,
    /// Number of nodes that a player of limited strength spends on a move, for all lines.
    budget: u64,
    state: State,
}

impl<'a> Pace<'a> {
    pub(super) fn new(request: &Request, gate: &'a mut dyn Gate) -> Pace<'a> {
        let limits = gate.limits(request.limits);
        let lines = u64::from(request.first_moves.lines.max(1));
        let budget = request.style.strength.map_or(u64::MAX, |strength| strength.means().nodes * lines);
        let poll_at = POLL_NODES.min(limits.nodes.unwrap_or(u64::MAX)).min(budget);
        Pace { gate, asked: request.limits, limits, nodes: 0, poll_at, budget, state: State::Running }
    }

    /// Returns the number of nodes so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the time since the search was requested.
    pub(super) fn elapsed(&self) -> Duration {
        self.gate.elapsed()
    }

    /// Returns the current limits.
    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns true if the search must end.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        matches!(self.state, State::Stopped | State::GivenUp)
    }

    /// Returns true if [`Worker::poll`](super::worker::Worker) is due.
    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.nodes >= self.poll_at && !self.is_stopped()
    }

    /// Counts a node. Returns true if the search must end without it.
    #[inline]
    pub(super) fn count(&mut self) -> bool {
        let stopped = self.is_stopped();
        self.nodes += u64::from(!stopped);
        stopped
    }

    /// Requests a poll at the next node.
    pub(super) fn poll_soon(&mut self) {
        self.poll_at = self.poll_at.min(self.nodes);
    }

    /// Schedules the next poll. Returns true if a limit is reached in an iteration of this depth.
    pub(super) fn is_over(&mut self, depth: i32) -> bool {
        let node_limit = self.limits.nodes.unwrap_or(u64::MAX);
        let budget = if self.is_budget_spent() { u64::MAX } else { self.budget };
        self.poll_at = (self.nodes + POLL_NODES).min(node_limit).min(budget);
        self.nodes >= node_limit || depth > 1 && self.is_budget_spent()
    }

    /// Returns true if an iteration whose best move is not failing takes too long.
    pub(super) fn is_late(&self, calm: bool) -> bool {
        self.past_optimum(MAX_OPTIMA) || calm && self.past_calm()
    }

    /// Returns true if the next [`Pace::poll_gate`] will probably block.
    pub(super) fn pauses(&mut self) -> bool {
        self.gate.pauses()
    }

    /// Polls the gate, which may block.
    pub(super) fn poll_gate(&mut self) {
        if self.gate.poll(self.nodes) == Verdict::Stop {
            self.stop();
        }
    }

    pub(super) fn stop(&mut self) {
        if !self.is_stopped() {
            self.state = State::Stopped;
        }
    }

    /// Takes over changed limits. Returns true if they have changed.
    pub(super) fn update_limits(&mut self) -> bool {
        let limits = self.gate.limits(self.asked);
        let changed = limits != std::mem::replace(&mut self.limits, limits);
        if changed {
            self.poll_at = self.poll_at.min(limits.nodes.unwrap_or(u64::MAX).max(self.nodes));
        }
        changed
    }

    /// Begins to recall a depth, with patience for this number of nodes.
    pub(super) fn begin_recall(&mut self, patience: u64) {
        if self.state == State::Running {
            self.state = State::Recalling(self.nodes.saturating_add(patience));
        }
    }

    /// Returns true while a depth is recalled.
    pub(super) fn is_recalling(&self) -> bool {
        matches!(self.state, State::Recalling(_))
    }

    /// Gives up the recalled depth if patience has an end, or `now`.
    pub(super) fn give_up_recall(&mut self, now: bool) {
        if let State::Recalling(patience) = self.state
            && (now || self.nodes >= patience)
        {
            self.state = State::GivenUp;
        }
    }

    /// Ends the recall. Returns true if it was completed.
    pub(super) fn end_recall(&mut self) -> bool {
        let completed = !self.is_stopped();
        if self.state != State::Stopped {
            self.state = State::Running;
        }
        completed
    }

    /// Returns true if a player of limited strength has used up its nodes for this move.
    pub(super) fn is_budget_spent(&self) -> bool {
        self.nodes >= self.budget
    }

    /// Returns true if `scale` times the optimum of time or nodes is used up.
    pub(super) fn past_optimum(&self, scale: f32) -> bool {
        let enough = |optimum| self.nodes as f32 >= optimum as f32 * scale;
        self.limits.optimum_nodes.is_some_and(enough) || self.gate.past_optimum(scale)
    }

    /// Returns true if the time for a search with a stable best move is used up.
    pub(super) fn past_calm(&self) -> bool {
        self.gate.past_calm()
    }
}
