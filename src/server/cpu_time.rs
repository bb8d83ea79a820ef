//! What work has cost the loop: time on a core, not time on the clock.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// How long the calling thread has had a core since it began.
///
/// What a client is charged is measured with it. On a machine whose cores are all taken the system sometimes puts the
/// loop aside for some milliseconds. A client whose turn that hits has had none of them; among hundreds of others it
/// would wait for as long from each of those.
pub(super) fn cpu_time() -> Duration {
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
