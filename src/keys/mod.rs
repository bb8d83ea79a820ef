//! Keys to the door: what a server asks of those who connect, and what the shim asks of the server.
//!
//! * [`Secret`]: what both sides know, and prove to each other by [`greeting`] without saying it.
//! * [`tls`]: what is said is nobody else's to read or change, and the server is the one that was meant.
//!
//! Nothing here owns a socket, a clock or a random number: bytes and nonces come in as arguments.
//! `docs/keys.md` says what each of them protects from.

mod certificates;
mod client_tls;
mod file;
pub mod greeting;
mod guard;
mod nonce;
mod secret;
pub mod tls;

pub use client_tls::ClientTls;
pub use file::KeyFileError;
pub use guard::{Guard, GuardError, Keys};
pub use nonce::{NoRandomness, Nonce};
pub use secret::{ENVIRONMENT, Secret, SecretError};
