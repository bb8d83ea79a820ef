//! When to stop.

use crate::search::{Gate, POLL_NODES, Verdict};

/// Counts nodes, and asks the gate now and then.
pub(super) struct Pace<'a> {
    gate: &'a mut dyn Gate,
    nodes: u64,
    polled: u64,
    limit: u64,
    over: bool,
}

impl<'a> Pace<'a> {
    /// At most `limit` nodes.
    pub(super) fn new(gate: &'a mut dyn Gate, limit: Option<u64>) -> Pace<'a> {
        Pace { gate, nodes: 0, polled: 0, limit: limit.unwrap_or(u64::MAX), over: false }
    }

    /// Counts boards that were looked at.
    pub(super) fn count(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes).min(self.limit);
        self.over |= self.nodes >= self.limit;
        if self.nodes - self.polled >= POLL_NODES {
            self.poll();
        }
    }

    /// Asks the gate.
    pub(super) fn poll(&mut self) {
        self.polled = self.nodes;
        self.over |= self.gate.poll(self.nodes) == Verdict::Stop;
    }

    /// Whether to stop now.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Boards looked at so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The gate.
    pub(super) fn gate(&mut self) -> &mut dyn Gate {
        self.gate
    }
}
