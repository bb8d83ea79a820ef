//! All metrics of a server, for `/metrics`; described in `docs/metrics.md`.

use super::process;
use super::response::Status;
use crate::hosting::{Hosts, ProcessRow};
use crate::logging;
use crate::metrics::Counters;
use crate::metrics::text::{Exposed, Exposition};
use crate::pool;
use crate::server::observe::metrics::Metrics;
use prometheus_client::registry::Unit;
use std::collections::BTreeMap;
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
    /// Collects the metrics of a server with these parts and a transposition table of `table`
    /// bytes.
    pub(in crate::server) fn new(
        server: Arc<Metrics>,
        pool: Arc<pool::Metrics>,
        engines: Option<Arc<Hosts>>,
        table: u64,
    ) -> AllMetrics {
        process::start_time();
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
        process::expose(to)
    }
}

#[derive(Default)]
struct EngineRow {
    searching: u64,
    suspended: u64,
    idle: u64,
    memory: u64,
}

impl AllMetrics {
    /// Writes the processes and failures of hosted engines.
    fn expose_engines(&self, to: &mut Exposition<'_>) -> fmt::Result {
        let rows = self.engines.as_ref().map(|engines| engines.processes()).unwrap_or_default();
        let engines = by_engine(rows);
        let processes = engines.iter().flat_map(|(name, row)| {
            let states = [("searching", row.searching), ("suspended", row.suspended), ("idle", row.idle)];
            states
                .into_iter()
                .map(move |(state, count)| ([("engine", name.as_str()), ("state", state)], count))
        });
        to.gauge_rows("farboard_engine_processes", "Processes of hosted engines", None, processes)?;
        let memory = engines.iter().map(|(name, row)| ([("engine", name.as_str())], row.memory));
        let help = "Resident memory of hosted engines";
        to.gauge_rows("farboard_engine_memory", help, Some(&Unit::Bytes), memory)?;
        // An engine that cannot be started has failures and no process.
        let failures = self.engines.as_ref().map(|engines| engines.failures()).unwrap_or_default();
        let failures = failures.iter().map(|(name, count)| ([("engine", name.as_str())], *count));
        to.counter_rows("farboard_engine_failures", "Failures of hosted engines", failures)
    }
}

fn by_engine(rows: Vec<ProcessRow>) -> BTreeMap<String, EngineRow> {
    let mut engines = BTreeMap::<String, EngineRow>::new();
    for row in rows {
        let memory = process::memory_of(row.process).unwrap_or(0);
        let engine = engines.entry(row.engine).or_default();
        match row.state.as_str() {
            "searching" => engine.searching += 1,
            "suspended" => engine.suspended += 1,
            _ => engine.idle += 1,
        }
        engine.memory += memory;
    }
    engines
}
