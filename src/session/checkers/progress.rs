//! Pacing of `INFO` lines.
//!
//! The seed's GUI reads one line in a quarter of a second, and breaks when 256 bytes have piled up.
//! So there are few lines, and never two at a time.

use std::time::{Duration, Instant};

/// The least time between two lines.
const MIN_INTERVAL: Duration = Duration::from_millis(300);

/// The time of the last `INFO` of a search, and the highest totals so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pacer {
    pub(super) began: Instant,
    pub(super) last: Option<Instant>,
    /// Totals never decrease.
    pub(super) nodes: u64,
    pub(super) time: Duration,
}

impl Pacer {
    pub(super) fn new(now: Instant) -> Pacer {
        Pacer { began: now, last: None, nodes: 0, time: Duration::ZERO }
    }

    /// Returns true if a line is due while the search goes on: after 0.3 s, 0.6 s, 1.2 s, 2.4 s …
    pub(super) fn is_due(&self, now: Instant) -> bool {
        let last = self.last.unwrap_or(self.began);
        let so_far = last.saturating_duration_since(self.began);
        now.saturating_duration_since(last) >= MIN_INTERVAL.max(so_far)
    }

    /// Returns true if a line is due before the best move: there was none before, or none just now.
    pub(super) fn is_due_at_end(&self, now: Instant) -> bool {
        self.last.is_none_or(|last| now.saturating_duration_since(last) >= MIN_INTERVAL)
    }

    /// Records a line with these totals. Returns the totals to print.
    pub(super) fn sent(&mut self, now: Instant, nodes: u64, time: Duration) -> (u64, Duration) {
        self.last = Some(now);
        self.nodes = self.nodes.max(nodes);
        self.time = self.time.max(time);
        (self.nodes, self.time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_of_ten_seconds_sends_six_lines() {
        let began = Instant::now();
        let mut pacer = Pacer::new(began);
        let mut sent = Vec::new();
        for tick in 0..10_000 {
            let now = began + Duration::from_millis(tick);
            if pacer.is_due(now) {
                pacer.sent(now, tick, now - began);
                sent.push(tick);
            }
        }
        assert_eq!(sent, [300, 600, 1200, 2400, 4800, 9600]);
    }

    #[test]
    fn totals_never_decrease() {
        let now = Instant::now();
        let mut pacer = Pacer::new(now);
        let second = Duration::from_secs(1);
        assert_eq!(pacer.sent(now, 100, second), (100, second));
        assert_eq!(pacer.sent(now, 90, Duration::ZERO), (100, second));
    }
}
