//! Numbers about a running server: counted where things happen, by relaxed atomic operations, and read by whoever asks.
//!
//! Counting takes no lock, so that nobody who plays waits for somebody who looks. Each part of the server owns its numbers
//! ([`pool::Numbers`](crate::pool::Numbers), those of the loop in `server/numbers.rs`); `text` writes them down.

mod histogram;
mod label;
mod number;
#[cfg(all(unix, feature = "server"))]
pub mod text;

pub use histogram::{Histogram, Reading};
pub(crate) use label::labels;
pub use label::{Counters, Gauges, Label};
pub use number::{Counter, Gauge};
