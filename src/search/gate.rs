//! The gate through which a search can be interrupted.

use super::Limits;
use std::time::Duration;

/// The answer of a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Continue.
    Continue,
    /// End now; the best move found so far is the result.
    Stop,
}

/// The answer of a gate to [`Gate::turn`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// Continue.
    Run,
    /// Suspend the process that searches, then call [`Gate::poll`], which may block.
    Wait,
    /// End now.
    Stop,
}

/// The connection between a search and its environment. [`Gate::poll`] may block, which suspends
/// the search in the middle of its tree.
pub trait Gate {
    /// Returns true if the next poll will probably block.
    fn pauses(&mut self) -> bool {
        false
    }

    /// Called about every [`POLL_NODES`] nodes, and after the first variation has been reported.
    /// `nodes` is the number of nodes so far.
    fn poll(&mut self, nodes: u64) -> Verdict;

    /// Like [`Gate::poll`], but never blocks. For searches in another process, which must be
    /// suspended there first.
    fn turn(&mut self, nodes: u64) -> Turn {
        match self.poll(nodes) {
            Verdict::Continue => Turn::Run,
            Verdict::Stop => Turn::Stop,
        }
    }

    /// Like [`Gate::poll`], but a blocked search ends as soon as `scale` times the optimum is used
    /// up. For a search that has a move to play and would have to start over.
    fn poll_until_optimum(&mut self, nodes: u64, _scale: f32) -> Verdict {
        self.poll(nodes)
    }

    /// Marks the end of preparations and the start of the search proper. For searches in another
    /// process, whose slice would otherwise be over before anything was searched.
    fn begin_slice(&mut self) {}

    /// Returns the time until the maximum of the time allotment; `None` without an allotment, or if
    /// CPU time counts.
    fn left(&self) -> Option<Duration> {
        None
    }

    /// Returns the time since the search was requested, except while it was held; or its CPU time,
    /// if that is how it is timed.
    fn elapsed(&self) -> Duration;

    /// Returns the current limits, which may have been changed since the request had `asked`.
    fn limits(&self, asked: Limits) -> Limits {
        asked
    }

    /// Returns true if `scale` times the optimum of the time allotment is used up, by the same
    /// clock. Always false without an allotment, which may come later (a ponder hit).
    fn past_optimum(&self, _scale: f32) -> bool {
        false
    }

    /// Returns true if the time for a search with a stable score and best move is used up. Always
    /// false without an allotment.
    fn past_calm(&self) -> bool {
        false
    }
}

/// Nodes between two calls of [`Gate::poll`]: 0.5 to 1 ms.
pub const POLL_NODES: u64 = 1024;
