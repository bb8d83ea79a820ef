//! What is done to a server, and what is measured then.

pub mod analysis;
pub mod churn;
pub mod deaf;
pub mod flood;
pub mod games;
pub mod handshakes;
pub mod idle;
pub mod mixed;
pub mod neighbours;
pub mod ping;
pub mod scroll;
pub mod start;
pub mod strangers;
