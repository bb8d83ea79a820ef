//! Bytes to typed commands, typed replies to bytes. Nothing else.

pub mod framing;
mod telnet;
pub mod xboard;
