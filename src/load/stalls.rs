//! Stalls of cores, which delay a server without its fault. Linux only.

use rustix::process::setpriority_process;
use rustix::thread::{CpuSet, gettid, sched_getaffinity, sched_setaffinity};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Time between two checks of a core. Their small cost counts as the load generator's.
const INTERVAL: Duration = Duration::from_millis(10);
/// Ahead of everything that is measured, if permitted.
const NICENESS: i32 = -20;

/// A thread for each core that this process may use, which measures how late it wakes.
pub struct StallWatch {
    over: Arc<AtomicBool>,
    sleepers: Vec<JoinHandle<Duration>>,
}

impl StallWatch {
    /// Starts to watch. A core whose thread cannot be started is not watched.
    pub fn begin() -> StallWatch {
        let over = Arc::new(AtomicBool::new(false));
        let allowed = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
        let cores = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core));
        let sleepers = cores.filter_map(|core| {
            let over = Arc::clone(&over);
            thread::Builder::new().name(format!("core-{core}")).spawn(move || sleep_on(core, &over)).ok()
        });
        let sleepers = sleepers.collect();
        StallWatch { over, sleepers }
    }

    /// The longest delay of any core; `None` if none was watched.
    pub fn end(self) -> Option<Duration> {
        self.over.store(true, Ordering::Relaxed);
        self.sleepers.into_iter().filter_map(|sleeper| sleeper.join().ok()).max()
    }
}

/// Sleeps on a core until `over`. Returns the longest delay of a wake-up.
fn sleep_on(core: usize, over: &AtomicBool) -> Duration {
    let mut only = CpuSet::new();
    only.set(core);
    let _ = sched_setaffinity(None, &only);
    let _ = setpriority_process(Some(gettid()), NICENESS);
    let mut worst = Duration::ZERO;
    loop {
        let due = Instant::now() + INTERVAL;
        thread::sleep(INTERVAL);
        worst = worst.max(due.elapsed());
        if over.load(Ordering::Relaxed) {
            return worst;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_core_is_watched_until_the_end() {
        let watch = StallWatch::begin();
        let cores = thread::available_parallelism().expect("a number of cores").get();
        assert!(watch.sleepers.len() >= cores, "{} for {cores}", watch.sleepers.len());
        assert!(watch.end().is_some_and(|worst| worst > Duration::ZERO), "a wake-up takes time");
    }
}
