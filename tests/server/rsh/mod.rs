//! The remote shell as spoken by WinBoard and genuine clients, over real sockets.
//!
//! These clients use ports below 1024, so the tests need root or CAP_NET_BIND_SERVICE, and say so
//! without.

mod arrivals;
mod banner;
mod descriptors;
mod games;
mod genuine;
mod goodbyes;
mod reader;
mod refusals;
mod signals;
mod test_server;
pub mod winboard;
