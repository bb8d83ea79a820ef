//! CPU time: what work costs the loop, unlike time on the clock.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The CPU time of the calling thread since it began.
///
/// Clients are charged by it. On a machine whose cores are all taken the system sometimes suspends the loop
/// for some milliseconds. The client whose turn is hit has not used them; among hundreds of others it would
/// wait as long for each.
pub(in crate::server) fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn work_counts_and_waiting_does_not() {
        let (began, had) = (Instant::now(), cpu_time());
        std::thread::sleep(Duration::from_millis(50));
        let waited = cpu_time() - had;
        assert!(waited < began.elapsed() / 2, "{waited:?}");
        let had = cpu_time();
        while cpu_time() == had {
            std::hint::spin_loop();
        }
    }
}
