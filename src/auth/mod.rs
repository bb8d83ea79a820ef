//! Access control: what a server demands of its clients, and what the shim demands of a server.
//!
//! * [`Secret`]: known to both sides, which prove it to each other by [`handshake`] without sending it.
//! * [`tls`]: privacy, integrity, and the identity of the server.
//!
//! Nothing here owns a socket, a clock or a random number generator: bytes and nonces are arguments.
//! `docs/keys.md` says what each of them protects from.

mod certificates;
mod client_tls;
mod file;
mod guard;
pub mod handshake;
mod hex;
mod nonce;
mod secret;
pub mod tls;

pub use client_tls::ClientTls;
pub use file::KeyFileError;
pub use guard::{Guard, GuardError, Keys};
pub use nonce::{InvalidNonce, NoRandomness, Nonce};
pub use secret::{ENVIRONMENT, Secret, SecretError};
