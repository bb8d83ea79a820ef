//! What a client must show before its session begins.

pub(super) mod steps;
pub(super) mod tls_handshakes;
