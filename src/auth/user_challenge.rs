//! The server's side of the login of a named user ([`user_login`](super::user_login)).

use super::Nonce;
use super::handshake::{HandshakeError, SHIM, words};
use super::hex::read_hex;
use super::server_name::{ServerName, is_shown};
use super::user_key::SIGNATURE_LENGTH;
use super::user_login::{Channel, OLD_VERSION, PLAIN, TLS, USER, VERSION, Via, claim};
use super::users::{User, Users};
use std::sync::Arc;
use std::time::SystemTime;

/// State after the challenge was sent.
#[derive(Debug)]
pub(crate) struct UserChallenge {
    shim: Nonce,
    server: Nonce,
    channel: Option<Channel>,
}

impl UserChallenge {
    /// Whether this first line of a client asks for a challenge, perhaps of an older version.
    pub(crate) fn is_asked_for(line: &[u8]) -> bool {
        words(line).is_ok_and(|words| matches!(words[..], [SHIM, VERSION | OLD_VERSION, ..]))
    }

    /// Creates the challenge for a client's first line; `nonce` must be fresh, `channel` is the TLS
    /// channel binding.
    ///
    /// # Errors
    /// The line is not one of a shim, or one of a shim that is too old.
    pub(crate) fn new(
        line: &[u8],
        nonce: Nonce,
        channel: Option<Channel>,
    ) -> Result<UserChallenge, HandshakeError> {
        match words(line)?[..] {
            [SHIM, VERSION, shim] => Ok(UserChallenge {
                shim: Nonce::read(shim).ok_or(HandshakeError::Malformed)?,
                server: nonce,
                channel,
            }),
            [SHIM, OLD_VERSION, _] => Err(HandshakeError::Version),
            _ => Err(HandshakeError::Malformed),
        }
    }

    /// The line for the shim, with its ending.
    pub(crate) fn line(&self) -> String {
        let channel = if self.channel.is_some() { TLS } else { PLAIN };
        format!("farboard {VERSION} {} {channel}\n", self.server)
    }

    /// Verifies the answer, a line without its ending, and returns the user. `names` are the
    /// server's, if known.
    ///
    /// # Errors
    /// Malformed, unknown user, expired, or a login for another server. Only the key's holder
    /// learns the last two.
    pub(crate) fn hear(
        &self,
        line: &[u8],
        users: &Users,
        names: &[ServerName],
        now: SystemTime,
    ) -> Result<Arc<User>, HandshakeError> {
        let words = words(line)?;
        let &[USER, name, host, via, signature] = words.as_slice() else {
            return Err(HandshakeError::Malformed);
        };
        let via = Via::read(via, self.channel).filter(|_| is_shown(host)).ok_or(HandshakeError::Malformed)?;
        let signature: [u8; SIGNATURE_LENGTH] = read_hex(signature).ok_or(HandshakeError::Malformed)?;
        let text = claim(name, host, &self.shim, &self.server, via);
        users.signer(name, &text, &signature, host, names, now)
    }
}

#[cfg(test)]
mod tests;
