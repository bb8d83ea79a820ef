//! The handshake in which shim and server prove to each other that they know the same secret, in
//! four lines before anything else.
//!
//! ```text
//! shim:   farboard-connect 1 NONCE
//! server: farboard 1 NONCE PROOF
//! shim:   proof PROOF
//! server: welcome
//! ```
//!
//! A nonce is a random number used once. A proof is the HMAC-SHA256, keyed by the secret, of the
//! role of the prover and of both nonces, so it is valid for one connection and one side. Instead
//! of any of its lines the server may send `tellusererror REASON` and close; a client other than
//! the shim can show that.

use super::hex::{Hex, read_hex};
use super::nonce::LENGTH;
use super::{Nonce, Secret};

/// First word of the shim's first line.
pub(super) const SHIM: &str = "farboard-connect";
/// First word of the server's first line.
const SERVER: &str = "farboard";
/// First word of the shim's second line.
const PROOF: &str = "proof";
pub(super) const WELCOME: &str = "welcome";
/// Version of the handshake protocol.
const VERSION: &str = "1";

/// Error of a handshake.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HandshakeError {
    /// An unexpected line.
    #[error(
        "the server does not prove that it knows the secret. If it has none, connect without --secret-file and \
         FARBOARD_SECRET"
    )]
    Malformed,
    /// The other side has another version only.
    #[error("the server and farboard-connect have different versions")]
    Version,
    /// The other side does not know the secret.
    #[error("the server has another secret: compare the first lines of the files given with --secret-file")]
    Proof,
    /// The server refuses, for this reason.
    #[error("{0}")]
    Refused(String),
    /// The shim has a user's key, and the server does not ask for one.
    #[error("the server does not ask for a user's key: connect without --key, or to a newer server")]
    NoUsers,
    /// The server does not see the shim's TLS.
    #[error(
        "the server does not see this TLS connection: something in between ends it, and could use the login \
         elsewhere. If it is a load balancer that you trust, connect with --tls-ends-early"
    )]
    TlsEndsEarly,
    /// No user has this name and key.
    #[error("this server has no user with this name and key: ask its administrator")]
    UnknownUser,
    /// The user's access has expired.
    #[error("this user's access has expired: ask the server's administrator")]
    Expired,
    /// The user has typed this name, which is not one of the server's.
    #[error(
        "this login is for a server called {0}, and this server has other names: connect by a name that its \
         administrator has given you, or have {0} added to server_name"
    )]
    OtherServer(String),
}

/// The side that proves.
#[derive(Clone, Copy)]
enum Role {
    Shim,
    Server,
}

/// Returns the signed bytes: the prover's role and the connection's nonces.
fn claim(role: Role, shim: &Nonce, server: &Nonce) -> Vec<u8> {
    let role: &[u8] = match role {
        Role::Shim => b"farboard greeting 1, shim\0",
        Role::Server => b"farboard greeting 1, server\0",
    };
    [role, &shim.0, &server.0].concat()
}

/// Returns the proof for a side: 64 hexadecimal digits on the wire.
fn proof(secret: &Secret, role: Role, shim: &Nonce, server: &Nonce) -> String {
    Hex(secret.sign(&claim(role, shim, server)).as_ref()).to_string()
}

/// Checks the proof of the other side.
fn check(
    proof: &str,
    secret: &Secret,
    role: Role,
    shim: &Nonce,
    server: &Nonce,
) -> Result<(), HandshakeError> {
    let signature: [u8; LENGTH] = read_hex(proof).ok_or(HandshakeError::Malformed)?;
    let is_right = secret.is_signature(&claim(role, shim, server), &signature);
    if is_right { Ok(()) } else { Err(HandshakeError::Proof) }
}

/// The answer to a line of the other side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Send this, a line with its ending, and wait for the next line.
    Say(String),
    /// The handshake is complete and the session begins. Send this first: a line with its ending,
    /// or nothing.
    Begin(&'static str),
}

/// Server side of a handshake.
#[derive(Debug)]
pub struct ServerHandshake {
    server: Nonce,
    /// The shim's nonce, from its first line.
    shim: Option<Nonce>,
}

impl ServerHandshake {
    /// Waits for the shim's first line; `nonce` must be fresh.
    pub fn new(nonce: Nonce) -> ServerHandshake {
        ServerHandshake { server: nonce, shim: None }
    }

    /// Handles a line without its ending.
    ///
    /// # Errors
    /// The client is not a shim, has another version, or does not know the secret.
    pub fn hear(&mut self, line: &[u8], secret: &Secret) -> Result<Next, HandshakeError> {
        let words = words(line)?;
        match (&self.shim, words.as_slice()) {
            (None, [SHIM, VERSION, nonce]) => {
                let shim = Nonce::read(nonce).ok_or(HandshakeError::Malformed)?;
                self.shim = Some(shim);
                let proof = proof(secret, Role::Server, &shim, &self.server);
                Ok(Next::Say(format!("{SERVER} {VERSION} {} {proof}\n", self.server)))
            }
            (None, [SHIM, version, _]) if *version != VERSION => Err(HandshakeError::Version),
            (Some(shim), [PROOF, proof]) => {
                check(proof, secret, Role::Shim, shim, &self.server)?;
                Ok(Next::Begin("welcome\n"))
            }
            _ => Err(HandshakeError::Malformed),
        }
    }
}

/// Shim side of a handshake.
#[derive(Debug)]
pub struct ShimHandshake {
    secret: Secret,
    shim: Nonce,
    /// The server has proved that it knows the secret.
    server_is_known: bool,
}

impl ShimHandshake {
    /// Waits for the server's first line, the answer to [`ShimHandshake::first_line`]; `nonce` must
    /// be fresh.
    pub fn new(secret: Secret, nonce: Nonce) -> ShimHandshake {
        ShimHandshake { secret, shim: nonce, server_is_known: false }
    }

    /// The shim's first line, with its ending.
    pub fn first_line(&self) -> String {
        format!("{SHIM} {VERSION} {}\n", self.shim)
    }

    /// Handles a line without its ending.
    ///
    /// # Errors
    /// The server refuses, or does not know the secret.
    pub fn hear(&mut self, line: &[u8]) -> Result<Next, HandshakeError> {
        let words = words_of_server(line)?;
        match (self.server_is_known, words.as_slice()) {
            (false, [SERVER, VERSION, nonce, proof]) => {
                let server = Nonce::read(nonce).ok_or(HandshakeError::Malformed)?;
                check(proof, &self.secret, Role::Server, &self.shim, &server)?;
                self.server_is_known = true;
                let proof = self::proof(&self.secret, Role::Shim, &self.shim, &server);
                Ok(Next::Say(format!("{PROOF} {proof}\n")))
            }
            (true, [WELCOME]) => Ok(Next::Begin("")),
            _ => Err(HandshakeError::Malformed),
        }
    }
}

/// Splits a line of the server, unless it is a refusal.
pub(super) fn words_of_server(line: &[u8]) -> Result<Vec<&str>, HandshakeError> {
    match line.strip_prefix(b"tellusererror ") {
        Some(reason) => Err(HandshakeError::Refused(String::from_utf8_lossy(reason).trim().to_owned())),
        None => words(line),
    }
}

pub(super) fn words(line: &[u8]) -> Result<Vec<&str>, HandshakeError> {
    let line = std::str::from_utf8(line).map_err(|_| HandshakeError::Malformed)?;
    Ok(line.split(' ').collect())
}

#[cfg(test)]
mod tests;
