//! Process metrics, under their conventional names.

use crate::metrics::text::Exposition;
use crate::server::control::memory_in;
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::fmt;
use std::fs;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes process metrics; skips what the OS does not report.
pub(super) fn expose(to: &mut Exposition<'_>) -> fmt::Result {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    to.seconds_counter("process_cpu", "CPU time of the server", seconds)?;
    if let Some(memory) = memory_of(std::process::id()) {
        to.bytes("process_resident_memory", "Resident memory of the server", memory)?;
    }
    if let Some(open) = open_descriptors() {
        to.gauge("process_open_fds", "Open file descriptors", open)?;
    }
    if let Some(limit) = getrlimit(Resource::Nofile).current {
        to.gauge("process_max_fds", "Limit of file descriptors", limit)?;
    }
    to.time("process_start_time", "When the server started, since 1970", start_time())
}

/// Returns the resident memory of a process in bytes.
pub(super) fn memory_of(process: u32) -> Option<u64> {
    memory_in(&fs::read_to_string(format!("/proc/{process}/status")).ok()?)
}

fn open_descriptors() -> Option<u64> {
    // Since Linux 6.2 this is the size of the folder; before, they have to be counted.
    let size = fs::metadata("/proc/self/fd").ok()?.len();
    if size > 0 { Some(size) } else { Some(fs::read_dir("/proc/self/fd").ok()?.count() as u64) }
}

/// Returns the time of the first call, in seconds since 1970.
pub(super) fn start_time() -> f64 {
    static START: OnceLock<f64> = OnceLock::new();
    *START
        .get_or_init(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64()))
}
