//! An outage: which server to try when, and when to give up. A pure value.

use std::time::{Duration, Instant};

/// Minimum and maximum interval between two attempts at the same server.
const MIN_DELAY: Duration = Duration::from_millis(50);
const MAX_DELAY: Duration = Duration::from_secs(1);
/// Maximum interval if a server admits the client and then fails. That costs a server more than being down,
/// and a server that just failed is not ready a second later.
const MAX_DELAY_IN_VAIN: Duration = Duration::from_secs(8);

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
    /// A server of this round has admitted the client.
    in_vain: bool,
    reason: String,
}

impl Outage {
    /// The server with index `lost` of `servers` is lost. It is tried first: it may have been restarted.
    pub fn new(now: Instant, servers: usize, lost: usize, give_up: Duration, reason: String) -> Self {
        Self {
            since: now,
            give_up,
            servers,
            turn: lost,
            next: now,
            failures: 0,
            delay: MIN_DELAY,
            in_vain: false,
            reason,
        }
    }

    /// The attempt has failed; with `let_in`, after the server had admitted the client.
    pub fn failed(&mut self, now: Instant, reason: String, let_in: bool) {
        self.failures += 1;
        self.in_vain |= let_in;
        self.turn = (self.turn + 1) % self.servers;
        // All have been tried: only time can help.
        if self.failures.is_multiple_of(self.servers) {
            let longest = if std::mem::take(&mut self.in_vain) { MAX_DELAY_IN_VAIN } else { MAX_DELAY };
            let delay = self.delay.min(longest);
            self.next = now + delay;
            self.delay = delay * 2;
        }
        if !reason.is_empty() {
            self.reason = reason;
        }
    }

    /// No attempt before this instant.
    pub fn not_before(&mut self, at: Instant) {
        self.next = self.next.max(at);
    }

    /// The server to try next.
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// When to try it.
    pub fn next(&self) -> Instant {
        self.next
    }

    /// When it began.
    pub fn since(&self) -> Instant {
        self.since
    }

    /// When to give up.
    pub fn end(&self) -> Instant {
        self.since.checked_add(self.give_up).unwrap_or(self.since + Duration::from_secs(1 << 30))
    }

    /// Why the last attempt failed, or why the outage began.
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
            outage.failed(now, String::new(), false);
        }
        let expected = [0, 50, 150, 350, 750, 1550, 2550].map(|at| [(1, at), (0, at)]);
        assert_eq!(tried, expected.concat());
        assert_eq!((outage.reason(), outage.end()), ("gone", start + Duration::from_secs(60)));
    }

    #[test]
    fn attempt_waits_for_the_instant_that_was_named() {
        let start = Instant::now();
        let mut outage = Outage::new(start, 1, 0, Duration::from_secs(60), String::new());
        outage.not_before(start + Duration::from_millis(300));
        outage.not_before(start);
        assert_eq!(outage.next() - start, Duration::from_millis(300));
    }

    #[test]
    fn server_that_lets_us_in_and_closes_is_not_asked_every_second() {
        let start = Instant::now();
        let mut outage = Outage::new(start, 1, 0, Duration::from_secs(60), String::new());
        let mut now = start;
        let mut times = 0;
        while now < outage.end() {
            times += 1;
            outage.failed(now, String::new(), true);
            now = outage.next();
        }
        assert_eq!(times, 14);
        outage.failed(now, String::new(), false);
        assert_eq!(outage.next() - now, MAX_DELAY, "it is away, and may be back any moment");
    }
}
