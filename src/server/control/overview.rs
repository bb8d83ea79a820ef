//! The response to `overview`: one JSON object about the whole server.

use crate::hosting::ProcessRow;
use crate::server::connections::Connections;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;

/// The server as `farboard top` shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Overview {
    /// The server's version.
    pub version: String,
    /// Process id of the server.
    pub process: u32,
    /// Seconds since the start.
    pub seconds: u64,
    /// Number of sessions.
    pub sessions: usize,
    /// Whether an administrator has drained the server.
    #[serde(default)]
    pub drained: bool,
    /// Limit of sessions.
    pub most_sessions: usize,
    /// Run tokens: searches that may run at one time.
    pub tokens: usize,
    /// Searches that run.
    pub running: usize,
    /// Searches that were started and have not ended, by class.
    pub searches: BTreeMap<String, usize>,
    /// Search threads.
    pub threads: usize,
    /// Memory of the process in bytes, where the OS reports it.
    #[serde(default)]
    pub memory: Option<u64>,
    /// Memory of the machine in bytes.
    #[serde(default)]
    pub machine_memory: Option<u64>,
    /// CPU time of the process in milliseconds.
    #[serde(default)]
    pub processor: u64,
    /// Load average of the machine over a minute, in hundredths.
    #[serde(default)]
    pub load: Option<u64>,
    /// Processes of hosted engines.
    #[serde(default)]
    pub engines: Vec<ProcessRow>,
}

impl Overview {
    pub(super) fn of(connections: &Connections, since: Instant, now: Instant) -> Overview {
        let pool = connections.searches.pool.occupancy();
        let (machine_memory, load) = machine().unzip();
        Overview {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            process: std::process::id(),
            seconds: now.saturating_duration_since(since).as_secs(),
            sessions: connections.admission.sessions(),
            drained: connections.admission.is_drained,
            most_sessions: connections.limits.sessions,
            tokens: pool.tokens,
            running: pool.running,
            searches: pool.by_class.iter().map(|&(class, count)| (class.word().to_owned(), count)).collect(),
            threads: pool.threads,
            memory: resident(),
            machine_memory,
            processor: processor_millis(),
            load,
            engines: engines(connections),
        }
    }
}

/// Returns the processes of hosted engines with their memory.
fn engines(connections: &Connections) -> Vec<ProcessRow> {
    let mut rows = connections.engines.as_ref().map(|engines| engines.processes()).unwrap_or_default();
    for row in &mut rows {
        let status = std::fs::read_to_string(format!("/proc/{}/status", row.process));
        row.memory = status.ok().and_then(|status| of_status(&status));
    }
    rows
}

/// Returns the CPU time of the process in milliseconds.
fn processor_millis() -> u64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    u64::try_from(time.tv_sec.saturating_mul(1000).saturating_add(time.tv_nsec / 1_000_000)).unwrap_or(0)
}

fn resident() -> Option<u64> {
    of_status(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// Parses the resident memory in bytes from `status` of `proc(5)`.
pub(in crate::server) fn of_status(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// Returns the machine's memory in bytes and its load in hundredths. A system call, as a service
/// may have no access to the rest of `/proc`.
#[cfg(target_os = "linux")]
fn machine() -> Option<(u64, u64)> {
    let found = rustix::system::sysinfo();
    // A C long, whose size differs between systems.
    #[allow(clippy::useless_conversion)]
    let number = |value: std::ffi::c_ulong| u64::from(value);
    // The kernel counts in units of 1/65536.
    let load = (number(found.loads[0]) * 100) >> 16;
    Some((number(found.totalram).saturating_mul(found.mem_unit.into()), load))
}

#[cfg(not(target_os = "linux"))]
fn machine() -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_parsed_from_the_process_status() {
        assert_eq!(of_status("Name:\tx\nVmHWM:\t  9 kB\nVmRSS:\t   1024 kB\nThreads:\t3\n"), Some(1 << 20));
        for text in ["", "VmRSS:\n", "VmRSS: many kB\n", "VmRSS: 7 MB\n"] {
            assert_eq!(of_status(text), None, "{text}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_process_uses_memory_and_time_of_the_machine() {
        let memory = resident().expect("reported by the system");
        let (all, _) = machine().expect("reported by the system");
        assert!(memory > 100 << 10 && memory < all, "{memory} of {all}");
        let before = processor_millis();
        while processor_millis() == before {
            std::hint::spin_loop();
        }
    }
}
