//! What is told of the server as a whole: one JSON object on a line.

use crate::server::tenants::Tenants;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;

/// The server as `farboard top` shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Overview {
    /// The server's version.
    pub version: String,
    /// Its process.
    pub process: u32,
    /// How long it has been running, in seconds.
    pub seconds: u64,
    /// Sessions that there are.
    pub sessions: usize,
    /// Sessions that there may be.
    pub most_sessions: usize,
    /// Run tokens: how many search at one time.
    pub tokens: usize,
    /// How many do.
    pub running: usize,
    /// Searches that were started and have not ended, by class.
    pub searches: BTreeMap<String, usize>,
    /// Threads for them.
    pub threads: usize,
}

impl Overview {
    pub(super) fn of(tenants: &Tenants, since: Instant, now: Instant) -> Overview {
        let pool = tenants.pool.occupancy();
        Overview {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            process: std::process::id(),
            seconds: now.saturating_duration_since(since).as_secs(),
            sessions: tenants.sessions(),
            most_sessions: tenants.limits.sessions,
            tokens: pool.tokens,
            running: pool.running,
            searches: pool.by_class.iter().map(|&(class, count)| (class.word().to_owned(), count)).collect(),
            threads: pool.threads,
        }
    }
}
