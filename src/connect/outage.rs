//! An outage: which server to try when, and when to stop trying. A pure value.

use std::time::{Duration, Instant};

/// Between two attempts at the same server: at first, and at most.
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(1);

/// The time without a server.
#[derive(Debug)]
pub struct Outage {
    since: Instant,
    give_up: Duration,
    servers: usize,
    /// The server to try next, and when.
    turn: usize,
    next: Instant,
    failures: usize,
    delay: Duration,
    reason: String,
}

impl Outage {
    /// The server with that number of so many is lost. It is tried first: it may have been started again.
    pub fn new(now: Instant, servers: usize, lost: usize, give_up: Duration, reason: String) -> Self {
        Self { since: now, give_up, servers, turn: lost, next: now, failures: 0, delay: SHORTEST, reason }
    }

    /// The attempt has failed, or what it led to.
    pub fn failed(&mut self, now: Instant, reason: String) {
        self.failures += 1;
        self.turn = (self.turn + 1) % self.servers;
        // All have been tried: time will have to help.
        if self.failures.is_multiple_of(self.servers) {
            self.next = now + self.delay;
            self.delay = (self.delay * 2).min(LONGEST);
        }
        if !reason.is_empty() {
            self.reason = reason;
        }
    }

    /// The server to try next.
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// When to try it.
    pub fn next(&self) -> Instant {
        self.next
    }

    /// When to stop trying.
    pub fn end(&self) -> Instant {
        self.since.checked_add(self.give_up).unwrap_or(self.since + Duration::from_secs(1 << 30))
    }

    /// Why the last attempt failed, or why there is an outage at all.
    pub fn reason(&self) -> &str {
        &self.reason
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
            now = now.max(outage.next());
            tried.push((outage.turn(), (now - start).as_millis()));
            outage.failed(now, String::new());
        }
        let expected = [0, 50, 150, 350, 750, 1550, 2550].map(|at| [(1, at), (0, at)]);
        assert_eq!(tried, expected.concat());
        assert_eq!((outage.reason(), outage.end()), ("gone", start + Duration::from_secs(60)));
    }
}
