//! A gate that leaves a search to its limit of nodes, so that it finds the same on every machine.

use farboard::search::{Gate, Verdict};
use std::time::Duration;

/// Never stops a search: its nodes are limited.
pub struct Patience;

impl Gate for Patience {
    fn poll(&mut self, _nodes: u64) -> Verdict {
        Verdict::Continue
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn past_optimum(&self, _scale: f32) -> bool {
        false
    }
}
