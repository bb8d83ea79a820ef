//! The service manager's watchdog, which ends a server whose loop hangs. See
//! `sd_watchdog_enabled(3)`.
//!
//! Without a watchdog nothing wakes the loop for this.

use std::time::{Duration, Instant};

/// Environment variable with the interval in microseconds.
const INTERVAL_VARIABLE: &str = "WATCHDOG_USEC";
/// Environment variable with the watched process; any if unset.
const PROCESS_VARIABLE: &str = "WATCHDOG_PID";

pub(in crate::server) struct Watchdog {
    every: Duration,
    next: Instant,
}

impl Watchdog {
    /// Returns the watchdog in the environment, if it is for this process.
    pub(in crate::server) fn from_environment(now: Instant) -> Option<Watchdog> {
        let variable = |name| std::env::var(name).ok();
        Watchdog::new(
            variable(INTERVAL_VARIABLE)?.as_str(),
            variable(PROCESS_VARIABLE).as_deref(),
            std::process::id(),
            now,
        )
    }

    fn new(interval: &str, process: Option<&str>, own: u32, now: Instant) -> Option<Watchdog> {
        if process.is_some_and(|process| process.parse() != Ok(own)) {
            return None;
        }
        let parsed = interval.parse().ok().filter(|&microseconds| microseconds > 0);
        let Some(every) = parsed.map(Duration::from_micros) else {
            log::warn!(
                "{INTERVAL_VARIABLE} is {interval:?} and must be a number of microseconds: the watchdog is off"
            );
            return None;
        };
        // Half the interval, as the manual advises: one slow turn does no harm.
        Some(Watchdog { every: every / 2, next: now })
    }

    pub(in crate::server) fn next_wakeup(&self) -> Instant {
        self.next
    }

    /// Returns true if a notification is due, and schedules the next one.
    pub(in crate::server) fn is_due(&mut self, now: Instant) -> bool {
        let due = now >= self.next;
        if due {
            self.next = now + self.every;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_notified_exactly_twice_per_interval() {
        let start = Instant::now();
        let mut watchdog = Watchdog::new("2000000", Some("7"), 7, start).expect("it watches");
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let told: Vec<u64> = (0..5000).step_by(100).filter(|&now| watchdog.is_due(at(now))).collect();
        assert_eq!(told, [0, 1000, 2000, 3000, 4000]);
        assert_eq!(watchdog.next_wakeup(), at(5000));
        assert!(watchdog.is_due(at(9000)) && !watchdog.is_due(at(9999)));
    }

    #[test]
    fn a_watchdog_of_another_process_or_without_an_interval_is_ignored() {
        let watches = |interval, process| Watchdog::new(interval, process, 7, Instant::now()).is_some();
        assert!(watches("1", None));
        assert!(!watches("1000000", Some("8")) && !watches("1000000", Some("")));
        assert!(
            !watches("0", Some("7")) && !watches("-1", None) && !watches("1 s", None) && !watches("", None)
        );
    }
}
