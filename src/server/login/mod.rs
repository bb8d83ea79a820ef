//! Authentication of clients before their sessions begin.

pub(super) mod steps;
pub(super) mod tls_handshakes;
