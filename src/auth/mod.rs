//! Access control: authentication of clients, and of servers by the shim.
//!
//! * [`Secret`]: known to both sides, which prove it to each other by [`handshake`] without sending
//!   it.
//! * [`UserKey`]: a named user's; the server has the public half, and [`user_login`] proves the
//!   private one.
//! * [`tls`]: privacy, integrity, and the identity of the server.
//!
//! Nothing here owns a socket, a clock or a random number generator: bytes and nonces are
//! arguments. `docs/keys.md` lists what each protects against.

mod certificates;
#[cfg(feature = "server")]
mod client_certificate;
mod client_tls;
mod file;
mod guard;
pub mod handshake;
mod hex;
mod nonce;
mod secret;
#[cfg(feature = "server")]
mod server_host;
mod server_name;
pub mod tls;
#[cfg(feature = "server")]
mod user_challenge;
mod user_key;
pub mod user_login;
#[cfg(feature = "server")]
mod users;
mod visibility;
#[cfg(feature = "server")]
mod web_login;

#[cfg(feature = "server")]
pub(crate) use client_certificate::names_in as names_in_certificate;
pub(crate) use client_tls::ClientTls;
pub use file::KeyFileError;
#[cfg(feature = "server")]
pub(crate) use file::read_private;
pub use guard::{Guard, GuardError, Keys};
#[cfg(feature = "server")]
pub(crate) use hex::{Hex, read_hex};
pub use nonce::{NoRandomness, Nonce};
pub(crate) use secret::ENVIRONMENT;
pub use secret::{Secret, SecretError};
#[cfg(feature = "server")]
pub(crate) use server_host::server_host;
#[cfg(feature = "server")]
pub use server_name::ServerName;
#[cfg(feature = "server")]
pub(crate) use user_challenge::UserChallenge;
pub(crate) use user_key::is_user_name;
pub use user_key::{InvalidUserName, PublicKey, UserKey, UserKeyError};
pub use user_login::Channel;
#[cfg(feature = "server")]
pub use users::{Credential, User, UserLineError, Users, UsersError};
pub use visibility::Visibility;
#[cfg(feature = "server")]
pub(crate) use web_login::WebProof;
#[cfg(test)]
pub(crate) use web_login::claim as web_claim;
