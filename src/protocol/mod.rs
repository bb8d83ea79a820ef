//! Bytes to typed commands, typed replies to bytes.

pub mod checkers;
mod drawing;
mod farewell;
pub(crate) mod first_line;
pub mod framing;
pub mod http;
mod line;
mod options;
mod plain;
pub(crate) mod probe;
pub mod proxy;
pub mod telnet;
pub mod uci;
#[cfg(feature = "server")]
pub mod web;
pub mod xboard;

/// The message to a client whose session has ended by a defect of the server. The shim recognises
/// it.
pub(crate) const INTERNAL_ERROR: &str = "a defect of this server has ended the session; its log says where";

/// The message to a new client during shutdown. The shim recognises it, and tries again.
pub(crate) const BEING_REPLACED: &str = "this server is being replaced, please try again in some seconds";

pub use drawing::{DRAWN_LINES, Squares};
pub use farewell::DrainCause;
pub use line::{Line, LineKey};
pub use options::{DEFAULT_PROFILE, OptionKind, SEED_OPTION};
