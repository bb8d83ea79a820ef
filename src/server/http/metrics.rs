//! All metrics of a server, for `/metrics`; described in `docs/metrics.md`.

use super::response::Status;
use crate::hosting::{EngineSummary, Hosts};
use crate::logging;
use crate::metrics::Counters;
use crate::metrics::text::{Exposed, Exposition};
use crate::pool;
use crate::server::observe::metrics::Metrics;
use crate::server::os::usage::{self, processes_of, start_time};
use prometheus_client::registry::Unit;
use std::fmt;
use std::sync::Arc;

#[derive(Default, Debug)]
pub(super) struct HttpMetrics {
    pub(super) responses: Counters<Status>,
}

/// All metrics of a server.
#[derive(Debug)]
pub(in crate::server) struct AllMetrics {
    pub(super) server: Arc<Metrics>,
    pool: Arc<pool::Metrics>,
    pub(super) http: Arc<HttpMetrics>,
    engines: Option<Arc<Hosts>>,
    /// Size of the transposition table in bytes.
    table: u64,
}

impl AllMetrics {
    /// Collects the metrics of a server; `table`: size of its transposition table in bytes.
    pub(in crate::server) fn new(
        server: Arc<Metrics>,
        pool: Arc<pool::Metrics>,
        engines: Option<Arc<Hosts>>,
        table: u64,
    ) -> AllMetrics {
        start_time();
        AllMetrics { server, pool, http: Arc::default(), engines, table }
    }
}

impl Exposed for AllMetrics {
    fn expose(&self, to: &mut Exposition<'_>) -> fmt::Result {
        let labels = [("version", env!("CARGO_PKG_VERSION"))];
        to.info("farboard_build", "The server's version", &labels)?;
        self.server.expose(to)?;
        self.pool.expose(to)?;
        to.bytes("farboard_table", "Size of the transposition table", self.table)?;
        let help = "Log lines that were not written";
        to.counters("farboard_log_lines_dropped", help, "cause", logging::dropped())?;
        self.expose_engines(to)?;
        let help = "HTTP requests that were answered";
        to.counters("farboard_http_requests", help, "status", &self.http.responses)?;
        usage::expose(to)
    }
}

impl AllMetrics {
    /// Writes the processes and failures of hosted engines.
    fn expose_engines(&self, to: &mut Exposition<'_>) -> fmt::Result {
        let rows = processes_of(self.engines.as_deref());
        let engines = EngineSummary::by_engine(&rows);
        let processes = engines.iter().flat_map(|(&name, engine)| {
            let EngineSummary { searching, suspended, .. } = *engine;
            let idle = engine.processes - searching - suspended;
            let states = [("searching", searching), ("suspended", suspended), ("idle", idle)];
            states.map(|(state, count)| ([("engine", name), ("state", state)], count))
        });
        to.gauge_rows("farboard_engine_processes", "Processes of hosted engines", None, processes)?;
        let memory = engines.iter().map(|(&name, engine)| ([("engine", name)], engine.memory));
        let help = "Resident memory of hosted engines";
        to.gauge_rows("farboard_engine_memory", help, Some(&Unit::Bytes), memory)?;
        // An engine that cannot be started has failures and no process.
        let failures = self.engines.as_ref().map(|engines| engines.failures()).unwrap_or_default();
        let failures = failures.iter().map(|(name, count)| ([("engine", name.as_str())], *count));
        to.counter_rows("farboard_engine_failures", "Failures of hosted engines", failures)
    }
}
