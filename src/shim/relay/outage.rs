//! An outage: which server to try when, and when to give up. A pure value.

use std::time::{Duration, Instant};

/// Minimum and maximum interval between two attempts at the same server.
const MIN_DELAY: Duration = Duration::from_millis(50);
const MAX_DELAY: Duration = Duration::from_secs(1);
/// Maximum interval if a server admits the client and then fails. That costs a server more than
/// being down, and a server that just failed is not ready a second later.
const MAX_DELAY_AFTER_ADMISSION: Duration = Duration::from_secs(8);

/// A time without a server.
#[derive(Debug)]
pub(super) struct Outage {
    /// When it began.
    pub since: Instant,
    /// When to give up.
    pub end: Instant,
    servers: usize,
    /// The server to try next.
    pub turn: usize,
    /// When to try it.
    pub next: Instant,
    failures: usize,
    delay: Duration,
    /// Whether a server of this round has admitted the client.
    was_admitted: bool,
    /// Reason for the last failed attempt, or for the outage.
    pub reason: String,
}

impl Outage {
    /// An outage after the loss of the server with index `lost` of `servers`. It is tried first, as
    /// it may have been restarted.
    pub(super) fn new(now: Instant, servers: usize, lost: usize, give_up: Duration, reason: String) -> Self {
        let (end, turn, delay) = (now + give_up, lost, MIN_DELAY);
        Self { since: now, end, servers, turn, next: now, failures: 0, delay, was_admitted: false, reason }
    }

    /// Notes a failed attempt. `was_admitted`: the server had admitted the client before.
    pub(super) fn failed(&mut self, now: Instant, reason: String, was_admitted: bool) {
        self.failures += 1;
        self.was_admitted |= was_admitted;
        self.turn = (self.turn + 1) % self.servers;
        // All have been tried: only time can help.
        if self.failures.is_multiple_of(self.servers) {
            let was_admitted = std::mem::take(&mut self.was_admitted);
            let longest = if was_admitted { MAX_DELAY_AFTER_ADMISSION } else { MAX_DELAY };
            let delay = self.delay.min(longest);
            self.next = now + delay;
            self.delay = delay * 2;
        }
        if !reason.is_empty() {
            self.reason = reason;
        }
    }

    /// Allows no attempt before this instant.
    pub(super) fn not_before(&mut self, at: Instant) {
        self.next = self.next.max(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_take_turns_and_time_passes_after_each_round() {
        let start = Instant::now();
        let mut outage = Outage::new(start, 2, 1, Duration::from_secs(60), "gone".to_owned());
        let mut tried = Vec::new();
        let mut now = start;
        for _ in 0..14 {
            now = now.max(outage.next);
            tried.push((outage.turn, (now - start).as_millis()));
            outage.failed(now, String::new(), false);
        }
        let expected = [0, 50, 150, 350, 750, 1550, 2550].map(|at| [(1, at), (0, at)]);
        assert_eq!(tried, expected.concat());
        assert_eq!((outage.reason.as_str(), outage.end), ("gone", start + Duration::from_secs(60)));
    }

    #[test]
    fn attempt_waits_for_the_instant_that_was_named() {
        let start = Instant::now();
        let mut outage = Outage::new(start, 1, 0, Duration::from_secs(60), String::new());
        outage.not_before(start + Duration::from_millis(300));
        outage.not_before(start);
        assert_eq!(outage.next - start, Duration::from_millis(300));
    }

    #[test]
    fn a_server_that_admits_the_client_and_closes_is_not_tried_every_second() {
        let start = Instant::now();
        let mut outage = Outage::new(start, 1, 0, Duration::from_secs(60), String::new());
        let mut now = start;
        let mut times = 0;
        while now < outage.end {
            times += 1;
            outage.failed(now, String::new(), true);
            now = outage.next;
        }
        assert_eq!(times, 14);
        outage.failed(now, String::new(), false);
        assert_eq!(outage.next - now, MAX_DELAY);
    }
}
