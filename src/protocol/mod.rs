//! Bytes to typed commands, typed replies to bytes. Nothing else.

pub mod framing;
pub mod http;
mod line;
pub mod telnet;
pub mod xboard;

/// What a client is told whose session a defect of the server has ended. The shim knows it again.
pub const INTERNAL_ERROR: &str = "a defect of this server has ended the session; its log says where";

pub use line::{Line, LineKey};
