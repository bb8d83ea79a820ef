//! The response to `overview`: one JSON object about the whole server.

use crate::hosting::ProcessRow;
use crate::server::connections::Connections;
use crate::server::os::usage::{machine, memory_of, processes_of, processor_time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

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
    pub(super) fn of(connections: &Connections, uptime: Duration) -> Overview {
        let (machine_memory, load) = machine().unzip();
        let pool = connections.searches.pool.occupancy();
        Overview {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            process: std::process::id(),
            seconds: uptime.as_secs(),
            sessions: connections.admission.sessions(),
            drained: connections.admission.is_drained,
            most_sessions: connections.limits.sessions,
            tokens: pool.tokens,
            running: pool.running,
            searches: pool.by_class.iter().map(|&(class, count)| (class.word().to_owned(), count)).collect(),
            threads: pool.threads,
            memory: memory_of(std::process::id()),
            machine_memory,
            processor: processor_time().as_millis() as u64,
            load,
            engines: processes_of(connections.engines.as_deref()),
        }
    }
}
