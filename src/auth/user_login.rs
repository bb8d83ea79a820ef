//! The login of a named user: the server asks, and the shim signs. Four lines before anything else, as those of the secret
//! ([`handshake`](super::handshake)).
//!
//! ```text
//! shim:   farboard-connect 2 NONCE
//! server: farboard 2 NONCE CHANNEL
//! shim:   user NAME SIGNATURE
//! server: welcome
//! ```
//!
//! What is signed has both nonces, the user's name, and, where the server speaks TLS itself (CHANNEL is `tls`, otherwise
//! `plain`), a value that only the two ends of this TLS connection can compute ([`Channel`]). So a signature is good for one
//! connection, and one that was made for another server is of no use to this one.

use super::handshake::{HandshakeError, Next, SHIM, WELCOME, words};
use super::hex::write_hex;
use super::user_key::SIGNATURE_LENGTH;
use super::{Nonce, UserKey};
use std::fmt;

/// Version of the handshake in which users log in.
pub(super) const VERSION: &str = "2";
/// First word of the shim's second line.
pub(super) const USER: &str = "user";
/// The server speaks TLS with the shim.
pub(super) const TLS: &str = "tls";
/// The server sees no TLS.
pub(super) const PLAIN: &str = "plain";

/// The label under which TLS gives the value of a channel (RFC 5705).
pub(crate) const CHANNEL_LABEL: &[u8] = b"EXPORTER-Farboard-user-login-2";

/// A value that both ends of a TLS connection know, and nobody else; another one for each connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel(pub [u8; 32]);

/// The signed bytes. All parts but the name, which is last, have a fixed length.
pub(super) fn claim(name: &str, shim: &Nonce, server: &Nonce, channel: Option<&Channel>) -> Vec<u8> {
    let (bound, value) = channel.map_or((0, [0; 32]), |channel| (1, channel.0));
    [b"farboard user login 2\0", &shim.0[..], &server.0, &[bound], &value, name.as_bytes()].concat()
}

/// A signature; 128 hexadecimal digits on the wire.
struct Signature([u8; SIGNATURE_LENGTH]);

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

/// Shim side of a user's login.
#[derive(Debug)]
pub struct ShimUserLogin {
    key: UserKey,
    shim: Nonce,
    /// Something between the ends, such as a load balancer, may end TLS.
    tls_may_end_early: bool,
    has_signed: bool,
}

impl ShimUserLogin {
    /// Waits for the server's first line, the answer to [`ShimUserLogin::first_line`]; `nonce` must be fresh.
    pub fn new(key: UserKey, nonce: Nonce, tls_may_end_early: bool) -> ShimUserLogin {
        ShimUserLogin { key, shim: nonce, tls_may_end_early, has_signed: false }
    }

    /// The shim's first line, with its ending.
    pub fn first_line(&self) -> String {
        format!("{SHIM} {VERSION} {}\n", self.shim)
    }

    /// Handles a line without its ending; `channel`: that of TLS, if it is spoken.
    ///
    /// # Errors
    /// The server refuses, knows no users, or is not the one that TLS is spoken with.
    pub fn hear(&mut self, line: &[u8], channel: Option<Channel>) -> Result<Next, HandshakeError> {
        if let Some(reason) = line.strip_prefix(b"tellusererror ") {
            return Err(HandshakeError::Refused(String::from_utf8_lossy(reason).trim().to_owned()));
        }
        let words = words(line).map_err(|_| HandshakeError::NoUsers)?;
        match (self.has_signed, words.as_slice()) {
            (false, ["farboard", VERSION, nonce, seen]) => {
                let server = nonce.parse().map_err(|_| HandshakeError::NoUsers)?;
                let bound = match (*seen, channel) {
                    (TLS, Some(channel)) => Some(channel),
                    (PLAIN, None) => None,
                    (PLAIN, Some(_)) if self.tls_may_end_early => None,
                    (PLAIN, Some(_)) => return Err(HandshakeError::TlsEndsEarly),
                    _ => return Err(HandshakeError::NoUsers),
                };
                self.has_signed = true;
                let name = self.key.name();
                let signature = Signature(self.key.sign(&claim(name, &self.shim, &server, bound.as_ref())));
                Ok(Next::Say(format!("{USER} {name} {signature}\n")))
            }
            (true, [WELCOME]) => Ok(Next::Begin("")),
            _ => Err(HandshakeError::NoUsers),
        }
    }
}
