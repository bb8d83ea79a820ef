//! A gate that leaves a search to its node limit, so that results are the same on every machine.

use farboard::search::{Gate, Verdict};
use std::time::Duration;

/// A gate that never stops a search.
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
