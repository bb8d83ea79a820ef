//! The gate through which a searching thread meets the pool.

use super::job::{Job, TokenState};
use super::shared::Shared;
use super::sync::{Arc, now, reading};
use crate::search::{Gate, Limits, Turn, Verdict};
use std::time::Duration;

/// The gate of a search that runs on a thread of the pool.
pub(super) struct WorkerGate<'a> {
    shared: &'a Arc<Shared>,
    job: &'a Job,
    /// Nodes counted so far.
    counted_nodes: u64,
}

impl<'a> WorkerGate<'a> {
    /// Opens the gate on the calling thread; waits while the search is held.
    pub(super) fn open(shared: &'a Arc<Shared>, job: &'a Job) -> WorkerGate<'a> {
        let mut gate = WorkerGate { shared, job, counted_nodes: 0 };
        let held = {
            let mut control = job.control();
            control.watch.begin(reading());
            control.watch.is_held()
        };
        if held {
            // A search that must stop finds out at its next poll, when it has a move.
            let _ = gate.poll(0);
        }
        gate
    }

    /// Counts nodes up to `nodes`; a helper's count for its main search.
    pub(super) fn count(&mut self, nodes: u64) {
        let more = nodes.saturating_sub(std::mem::replace(&mut self.counted_nodes, nodes));
        if more == 0 {
            return;
        }
        self.shared.metrics.nodes.add(more);
        if self.job.id.is_helper() {
            self.job.add_helper_nodes(more);
        }
    }

    /// Waits for a token; with a scale, until so much of the optimum is used up.
    fn await_token(&self, scale: Option<f32>) -> Verdict {
        loop {
            match self.job.await_token(scale) {
                TokenState::Run => return Verdict::Continue,
                TokenState::Stop => return Verdict::Stop,
                TokenState::Yield => self.shared.yield_token(self.job.id),
            }
        }
    }
}

impl Gate for WorkerGate<'_> {
    fn pauses(&mut self) -> bool {
        // If no other search waits, the scheduler grants another slice at once.
        self.job.is_revoked() || self.job.slice_is_over() && self.shared.lock().scheduler.has_waiting()
    }

    fn poll(&mut self, nodes: u64) -> Verdict {
        self.count(nodes);
        self.await_token(None)
    }

    fn poll_until_optimum(&mut self, nodes: u64, scale: f32) -> Verdict {
        self.count(nodes);
        self.await_token(Some(scale))
    }

    fn begin_slice(&mut self) {
        self.job.begin_slice();
    }

    fn left(&self) -> Option<Duration> {
        self.job.control().watch.left(now())
    }

    fn turn(&mut self, nodes: u64) -> Turn {
        self.count(nodes);
        match self.job.token_now() {
            Some(TokenState::Run) => return Turn::Run,
            Some(TokenState::Stop) => return Turn::Stop,
            Some(TokenState::Yield) if !self.pauses() => {}
            Some(TokenState::Yield) | None => return Turn::Wait,
        }
        // Grants another slice, unless a search has started to wait since the check.
        self.shared.yield_token(self.job.id);
        match self.job.token_now() {
            Some(TokenState::Run) => Turn::Run,
            Some(TokenState::Stop) => Turn::Stop,
            Some(TokenState::Yield) | None => Turn::Wait,
        }
    }

    fn elapsed(&self) -> Duration {
        self.job.control().watch.elapsed(reading())
    }

    /// The node limit counts for the search and its helpers together.
    fn limits(&self, asked: Limits) -> Limits {
        let limits = self.job.control().watch.limits(asked);
        let left = |nodes: u64| nodes.saturating_sub(self.job.helper_nodes());
        Limits { nodes: limits.nodes.map(left), ..limits }
    }

    fn past_optimum(&self, scale: f32) -> bool {
        self.job.control().watch.is_past_optimum(scale, reading())
    }

    fn past_calm(&self) -> bool {
        self.job.control().watch.is_past_calm(reading())
    }
}
