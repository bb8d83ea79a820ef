//! The scenarios: what clients do to a server, and what is measured. A phase used by one scenario stands
//! beside it.

pub mod analysis;
pub mod churn;
pub mod flood;
pub mod games;
pub mod handshakes;
pub mod pings;
pub mod scroll;
pub mod start;
pub mod strangers;
