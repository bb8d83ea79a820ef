//! Node counting and polling of the gate, for tasks other than a search of a position.

use super::{Gate, Verdict};

/// A node counter that polls the gate.
pub(crate) struct NodeCounter<'a> {
    gate: &'a mut dyn Gate,
    nodes: u64,
    limit: u64,
    /// Nodes between two polls.
    interval: u64,
    poll_at: u64,
    over: bool,
}

impl<'a> NodeCounter<'a> {
    /// A counter that stops after `limit` nodes, and polls after each `interval`.
    pub(crate) fn new(gate: &'a mut dyn Gate, limit: Option<u64>, interval: u64) -> NodeCounter<'a> {
        NodeCounter {
            gate,
            nodes: 0,
            limit: limit.unwrap_or(u64::MAX),
            interval,
            poll_at: interval,
            over: false,
        }
    }

    /// Counts nodes.
    pub(crate) fn count(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes).min(self.limit);
        self.over |= self.nodes >= self.limit;
        if self.nodes >= self.poll_at {
            self.poll();
        }
    }

    /// Polls the gate.
    pub(crate) fn poll(&mut self) {
        self.poll_at = self.nodes.saturating_add(self.interval);
        self.over |= self.gate.poll(self.nodes) == Verdict::Stop;
    }

    /// Returns true if the task must stop now.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Returns the result of a task without a best move.
    pub(crate) fn done(&self, depth: u8) -> super::Done {
        super::Done::without_move(depth, self.nodes, self.gate.elapsed())
    }
}
