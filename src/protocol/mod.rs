//! Bytes to typed commands, typed replies to bytes. Nothing else.

pub mod framing;
pub mod http;
mod telnet;
pub mod xboard;
