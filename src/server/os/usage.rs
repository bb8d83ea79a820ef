//! Resources that the process uses, and their metrics under conventional names.

use crate::hosting::{Hosts, ProcessRow};
use crate::metrics::text::Exposition;
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::fmt;
use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Writes process metrics; skips what the OS does not report.
pub(in crate::server) fn expose(to: &mut Exposition<'_>) -> fmt::Result {
    to.seconds_counter("process_cpu", "CPU time of the server", processor_time().as_secs_f64())?;
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
pub(in crate::server) fn memory_of(process: u32) -> Option<u64> {
    memory_in(&fs::read_to_string(format!("/proc/{process}/status")).ok()?)
}

/// Parses the resident memory in bytes from `status` of `proc(5)`.
fn memory_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// Returns the CPU time of the process.
pub(in crate::server) fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// Returns the processes of hosted engines with their memory.
pub(in crate::server) fn processes_of(engines: Option<&Hosts>) -> Vec<ProcessRow> {
    let mut rows = engines.map(Hosts::processes).unwrap_or_default();
    for row in &mut rows {
        row.memory = memory_of(row.process);
    }
    rows
}

fn open_descriptors() -> Option<u64> {
    // Since Linux 6.2 this is the size of the folder; before, they have to be counted.
    let size = fs::metadata("/proc/self/fd").ok()?.len();
    if size > 0 { Some(size) } else { Some(fs::read_dir("/proc/self/fd").ok()?.count() as u64) }
}

/// Returns the time of the first call, in seconds since 1970.
pub(in crate::server) fn start_time() -> f64 {
    static START: OnceLock<f64> = OnceLock::new();
    *START
        .get_or_init(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64()))
}

/// Returns the machine's memory in bytes and its load in hundredths. A system call, as a service
/// may have no access to the rest of `/proc`.
#[cfg(target_os = "linux")]
pub(in crate::server) fn machine() -> Option<(u64, u64)> {
    let found = rustix::system::sysinfo();
    // A C long, whose size differs between systems.
    #[allow(clippy::useless_conversion)]
    let number = |value: std::ffi::c_ulong| u64::from(value);
    // The kernel counts in units of 1/65536.
    let load = (number(found.loads[0]) * 100) >> 16;
    Some((number(found.totalram).saturating_mul(found.mem_unit.into()), load))
}

#[cfg(not(target_os = "linux"))]
pub(in crate::server) fn machine() -> Option<(u64, u64)> {
    None
}

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
    fn memory_is_parsed_from_the_process_status() {
        assert_eq!(memory_in("Name:\tx\nVmHWM:\t  9 kB\nVmRSS:\t   1024 kB\nThreads:\t3\n"), Some(1 << 20));
        for text in ["", "VmRSS:\n", "VmRSS: many kB\n", "VmRSS: 7 MB\n"] {
            assert_eq!(memory_in(text), None, "{text}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_process_uses_memory_and_time_of_the_machine() {
        let memory = memory_of(std::process::id()).expect("reported by the system");
        let (all, _) = machine().expect("reported by the system");
        assert!(memory > 100 << 10 && memory < all, "{memory} of {all}");
        let before = processor_time();
        while processor_time() == before {
            std::hint::spin_loop();
        }
    }

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
