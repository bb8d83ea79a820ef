//! Bytes to typed commands, typed replies to bytes. Nothing else.

pub mod checkers;
pub mod framing;
pub mod http;
mod line;
pub mod probe;
pub mod proxy;
pub mod telnet;
pub mod uci;
pub mod xboard;

/// The message to a client whose session has ended by a defect of the server. The shim recognises it.
pub const INTERNAL_ERROR: &str = "a defect of this server has ended the session; its log says where";

pub use line::{Line, LineKey};
