//! The login of a named user: the server asks, and the shim signs. Four lines before anything else,
//! like the handshake of the secret ([`handshake`](super::handshake)).
//!
//! ```text
//! shim:   farboard-connect 3 NONCE
//! server: farboard 3 NONCE CHANNEL
//! shim:   user NAME HOST VIA SIGNATURE
//! server: welcome
//! ```
//!
//! The signature covers both nonces, the user's name, the server's name as the user has typed it
//! (HOST), and how the shim reaches the server (VIA). Where the server speaks TLS itself (CHANNEL
//! is `tls`, otherwise `plain`), that is a value that only the two ends of this TLS connection can
//! compute ([`Channel`]). So a signature is good for one connection. Without that value a server in
//! between could use it for another server, unless that one knows its names and refuses others.

use super::handshake::{HandshakeError, Next, SHIM, WELCOME, words_of_server};
use super::hex::Hex;
use super::server_name::canonical;
use super::{Nonce, UserKey};

/// Version of the handshake in which users log in.
pub(super) const VERSION: &str = "3";
/// The version without HOST and VIA, of which a server in between could make use.
#[cfg(any(test, feature = "server"))]
pub(super) const OLD_VERSION: &str = "2";
/// First word of the shim's second line.
pub(super) const USER: &str = "user";
/// The server speaks TLS with the shim.
pub(super) const TLS: &str = "tls";
/// The server sees no TLS.
pub(super) const PLAIN: &str = "plain";
/// The shim speaks TLS that ends before the server.
const ENDS_EARLY: &str = "ends-early";

/// The label under which TLS gives the value of a channel (RFC 5705).
pub(crate) const CHANNEL_LABEL: &[u8] = b"EXPORTER-Farboard-user-login-3";

/// Channel binding: a value known to the two ends of one TLS connection only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel(pub [u8; 32]);

/// Path from the shim to the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Via {
    /// Without TLS.
    Plain,
    /// By TLS up to the server.
    Tls(Channel),
    /// By TLS that ends before the server.
    EndsEarly,
}

impl Via {
    fn word(self) -> &'static str {
        match self {
            Via::Plain => PLAIN,
            Via::Tls(_) => TLS,
            Via::EndsEarly => ENDS_EARLY,
        }
    }

    /// Parses the shim's view of the channel against the server's; `None` if they contradict.
    #[cfg(any(test, feature = "server"))]
    pub(super) fn read(word: &str, channel: Option<Channel>) -> Option<Via> {
        match (word, channel) {
            (PLAIN, None) => Some(Via::Plain),
            (TLS, Some(channel)) => Some(Via::Tls(channel)),
            (ENDS_EARLY, None) => Some(Via::EndsEarly),
            _ => None,
        }
    }
}

/// The signed bytes. All parts but both names have a fixed length, and the host's has its length in
/// front.
pub(super) fn claim(name: &str, host: &str, shim: &Nonce, server: &Nonce, via: Via) -> Vec<u8> {
    let (kind, value) = match via {
        Via::Plain => (0, [0; 32]),
        Via::Tls(channel) => (1, channel.0),
        Via::EndsEarly => (2, [0; 32]),
    };
    let length = (host.len() as u64).to_be_bytes();
    let parts = [
        b"farboard user login 3\0",
        &shim.0[..],
        &server.0,
        &[kind],
        &value,
        &length,
        host.as_bytes(),
        name.as_bytes(),
    ];
    parts.concat()
}

/// Shim side of a user's login.
#[derive(Debug)]
pub struct ShimUserLogin {
    key: UserKey,
    /// The server as the user has typed it.
    host: String,
    shim: Nonce,
    /// Something between the ends, such as a load balancer, may end TLS.
    tls_may_end_early: bool,
    has_signed: bool,
}

impl ShimUserLogin {
    /// Waits for the server's first line, the answer to [`ShimUserLogin::first_line`]. `host` is
    /// the name or address that the user has typed, without a port; `nonce` must be fresh.
    pub fn new(key: UserKey, host: &str, nonce: Nonce, tls_may_end_early: bool) -> ShimUserLogin {
        ShimUserLogin { key, host: canonical(host), shim: nonce, tls_may_end_early, has_signed: false }
    }

    /// The shim's first line, with its ending.
    pub fn first_line(&self) -> String {
        format!("{SHIM} {VERSION} {}\n", self.shim)
    }

    /// Handles a line without its ending; `channel` is the TLS channel binding, if any.
    ///
    /// # Errors
    /// The server refuses, knows no users, or is not the one that TLS is spoken with.
    pub fn hear(&mut self, line: &[u8], channel: Option<Channel>) -> Result<Next, HandshakeError> {
        let words = words_of_server(line).map_err(|error| match error {
            HandshakeError::Malformed => HandshakeError::NoUsers,
            error => error,
        })?;
        match (self.has_signed, words.as_slice()) {
            (false, ["farboard", VERSION, nonce, seen]) => {
                let server = Nonce::read(nonce).ok_or(HandshakeError::NoUsers)?;
                let via = match (*seen, channel) {
                    (TLS, Some(channel)) => Via::Tls(channel),
                    (PLAIN, None) => Via::Plain,
                    (PLAIN, Some(_)) if self.tls_may_end_early => Via::EndsEarly,
                    (PLAIN, Some(_)) => return Err(HandshakeError::TlsEndsEarly),
                    _ => return Err(HandshakeError::NoUsers),
                };
                self.has_signed = true;
                let (name, host) = (self.key.name(), &self.host);
                let signature = self.key.sign(&claim(name, host, &self.shim, &server, via));
                Ok(Next::Say(format!("{USER} {name} {host} {} {}\n", via.word(), Hex(&signature))))
            }
            (true, [WELCOME]) => Ok(Next::Begin("")),
            _ => Err(HandshakeError::NoUsers),
        }
    }
}
