//! Numbers about a running server: counted where things happen, by relaxed atomic operations, and read by whoever asks.
//!
//! Counting takes no lock, so that nobody who plays waits for somebody who looks. Each part of the server owns its numbers
//! ([`pool::Metrics`](crate::pool::Metrics), those of the loop in `server/metrics.rs`); `text` writes them down.

mod histogram;
mod label;
mod number;
#[cfg(all(unix, feature = "server"))]
pub mod text;

pub use histogram::{Histogram, Reading};
pub(crate) use label::labels;
pub use label::{Counters, Gauges, Label};
pub use number::{Counter, Gauge};
