//! CPU time of the loop's work.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Returns the CPU time of the calling thread since its start.
///
/// Clients are charged by CPU time. On a busy machine the system sometimes suspends the loop for
/// some milliseconds, which the client whose turn it is has not used; among hundreds of others it
/// would wait as long for each.
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
