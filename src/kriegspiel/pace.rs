//! Node counting and polling of the gate.

use crate::search::{Gate, POLL_NODES, Verdict};

/// A node counter that polls the gate.
pub(super) struct Pace<'a> {
    gate: &'a mut dyn Gate,
    nodes: u64,
    polled: u64,
    limit: u64,
    over: bool,
}

impl<'a> Pace<'a> {
    /// A counter that stops after `limit` nodes.
    pub(super) fn new(gate: &'a mut dyn Gate, limit: Option<u64>) -> Pace<'a> {
        Pace { gate, nodes: 0, polled: 0, limit: limit.unwrap_or(u64::MAX), over: false }
    }

    /// Counts boards considered.
    pub(super) fn count(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes).min(self.limit);
        self.over |= self.nodes >= self.limit;
        if self.nodes - self.polled >= POLL_NODES {
            self.poll();
        }
    }

    /// Polls the gate.
    pub(super) fn poll(&mut self) {
        self.polled = self.nodes;
        self.over |= self.gate.poll(self.nodes) == Verdict::Stop;
    }

    /// Returns true if the player must stop now.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Returns the number of boards considered so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the gate.
    pub(super) fn gate(&mut self) -> &mut dyn Gate {
        self.gate
    }
}
