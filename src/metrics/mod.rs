//! Metrics of a running server: written by relaxed atomic operations where things happen, and read
//! by the HTTP thread.
//!
//! Counters are lock-free: a scrape never delays a game. Each part of the server owns its metrics
//! ([`pool::Metrics`](crate::pool::Metrics), `server/observe/metrics.rs`); `text` formats them.

mod histogram;
mod label;
mod number;
#[cfg(all(unix, feature = "server"))]
pub(crate) mod text;

pub use histogram::{Histogram, Reading};
pub(crate) use label::labels;
pub use label::{Counters, Gauges, Label};
pub use number::{Counter, Gauge};
