//! The scenarios: what clients do to a server, and what is measured. A phase of one scenario stands
//! beside it.

pub mod analysis;
pub mod games;
pub mod pings;
