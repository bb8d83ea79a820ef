//! Everything between the shim's lines and the bytes on its socket: TLS, then the handshake.

use super::handshake::{HandshakeError, Next, ShimHandshake};
use super::tls::{self, TlsError};
use super::user_login::ShimUserLogin;
use super::{Channel, ClientTls, Nonce, Secret, UserKey};
use rustls::ClientConfig;
use std::sync::Arc;

/// Maximum length of a server's line during the handshake, in bytes.
const MAX_LINE: usize = 1024;

/// The shim's requirements for a server, and the secret to prove.
#[derive(Clone, Default, Debug)]
pub struct Keys {
    /// The secret shared with the server.
    pub secret: Option<Secret>,
    /// The key of the user, which is used rather than the secret.
    pub user: Option<UserKey>,
    /// Whether something between the ends, such as a load balancer, may end TLS before the server.
    pub tls_may_end_early: bool,
    /// TLS configuration, if the server speaks TLS.
    pub tls: Option<Arc<ClientConfig>>,
}

/// Reason for rejecting a server.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// TLS failed.
    #[error("{}", tls::explain(.0))]
    Tls(rustls::Error),
    /// The handshake failed.
    #[error(transparent)]
    Handshake(HandshakeError),
    /// The server closed the connection before the handshake was complete.
    #[error("the server closed the connection before the session started")]
    Closed,
    /// The stream did not end properly: something may be missing.
    #[error("the connection was cut off")]
    Truncated,
}

/// The shim's side of the authentication.
#[derive(Debug)]
enum Proof {
    Secret(ShimHandshake),
    User(ShimUserLogin),
}

impl Proof {
    fn new(keys: &Keys, host: &str, nonce: Nonce) -> Option<Proof> {
        let user = keys.user.clone().map(|key| ShimUserLogin::new(key, host, nonce, keys.tls_may_end_early));
        let secret = keys.secret.clone().map(|secret| ShimHandshake::new(secret, nonce));
        user.map(Proof::User).or(secret.map(Proof::Secret))
    }

    fn first_line(&self) -> String {
        match self {
            Proof::Secret(handshake) => handshake.first_line(),
            Proof::User(login) => login.first_line(),
        }
    }

    fn hear(&mut self, line: &[u8], channel: Option<Channel>) -> Result<Next, HandshakeError> {
        match self {
            Proof::Secret(handshake) => handshake.hear(line),
            Proof::User(login) => login.hear(line, channel),
        }
    }
}

/// A handshake in progress.
#[derive(Debug)]
struct Pending {
    handshake: Proof,
    /// The beginning of the server's next line.
    line: Vec<u8>,
    /// Data to send after the handshake.
    waiting: Vec<u8>,
    finishing: bool,
}

/// TLS and handshake of a connection, sans-io. The owner of the socket passes in bytes read, and
/// writes the output of [`Guard::take_output`]: at the beginning and after every other call, even a
/// failed one.
#[derive(Debug)]
pub struct Guard {
    tls: Option<Box<ClientTls>>,
    pending: Option<Box<Pending>>,
    /// Without TLS: bytes for the socket.
    output: Vec<u8>,
}

impl Guard {
    /// Starts a connection with the server of this name or address, as the user has typed it;
    /// `nonce` must be fresh.
    ///
    /// # Errors
    /// TLS is wanted, and the name is neither a DNS name nor an address.
    pub fn new(keys: &Keys, host: &str, nonce: Nonce) -> Result<Guard, TlsError> {
        let tls = keys.tls.clone().map(|config| ClientTls::new(config, host).map(Box::new)).transpose()?;
        let mut guard = Guard { tls, pending: None, output: Vec::new() };
        if let Some(handshake) = Proof::new(keys, host, nonce) {
            guard.say(handshake.first_line().as_bytes());
            let [line, waiting] = [Vec::new(), Vec::new()];
            guard.pending = Some(Box::new(Pending { handshake, line, waiting, finishing: false }));
        }
        Ok(guard)
    }

    /// Whether the handshake is complete, if the server asks for one.
    pub fn is_passed(&self) -> bool {
        self.pending.is_none() && self.tls.as_ref().is_none_or(|tls| tls.is_established())
    }

    /// Handles bytes from the server. Returns the session's bytes.
    ///
    /// # Errors
    /// The server is not trusted or refuses.
    pub fn received(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, GuardError> {
        let mut plain = bytes;
        if let Some(tls) = &mut self.tls {
            let bytes = std::mem::take(&mut plain);
            tls.received(&bytes, &mut plain).map_err(GuardError::Tls)?;
        }
        if self.pending.is_some() { self.greet(plain) } else { Ok(plain) }
    }

    /// Handles the lines of the handshake and returns the rest, which belongs to the session.
    fn greet(&mut self, mut heard: Vec<u8>) -> Result<Vec<u8>, GuardError> {
        while let Some(pending) = &mut self.pending {
            let Some(end) = heard.iter().position(|&byte| byte == b'\n') else {
                pending.line.append(&mut heard);
                let is_line = pending.line.len() <= MAX_LINE;
                return if is_line {
                    Ok(heard)
                } else {
                    Err(GuardError::Handshake(HandshakeError::Malformed))
                };
            };
            pending.line.extend(heard.drain(..=end));
            let line = std::mem::take(&mut pending.line);
            let channel = self.tls.as_ref().and_then(|tls| tls.channel());
            let next = pending.handshake.hear(line.trim_ascii_end(), channel);
            match next.map_err(GuardError::Handshake)? {
                Next::Say(line) => self.say(line.as_bytes()),
                Next::Begin(_) => self.begin(),
            }
        }
        Ok(heard)
    }

    fn begin(&mut self) {
        let Some(pending) = self.pending.take() else { return };
        self.say(&pending.waiting);
        if pending.finishing {
            self.finish();
        }
    }

    fn say(&mut self, words: &[u8]) {
        match &mut self.tls {
            Some(tls) => tls.send(words),
            None => self.output.extend_from_slice(words),
        }
    }

    /// Sends this, after the handshake if that is still going on.
    pub fn send(&mut self, words: &[u8]) {
        match &mut self.pending {
            Some(pending) => pending.waiting.extend_from_slice(words),
            None => self.say(words),
        }
    }

    /// Ends the shim's side after everything sent so far. The caller must shut down the stream once
    /// [`Guard::is_passed`].
    pub fn finish(&mut self) {
        match (&mut self.pending, &mut self.tls) {
            (Some(pending), _) => pending.finishing = true,
            (None, Some(tls)) => tls.finish(),
            (None, None) => {}
        }
    }

    /// Takes the bytes for the socket.
    pub fn take_output(&mut self) -> Vec<u8> {
        let mut output = std::mem::take(&mut self.output);
        if let Some(tls) = &mut self.tls {
            tls.take_output(&mut output);
        }
        output
    }

    /// Whether the stream may end here.
    ///
    /// # Errors
    /// The handshake is not complete, or the server has not ended its side of TLS.
    pub fn ended(&self) -> Result<(), GuardError> {
        if !self.is_passed() {
            return Err(GuardError::Closed);
        }
        if self.tls.as_ref().is_none_or(|tls| tls.has_ended()) { Ok(()) } else { Err(GuardError::Truncated) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::handshake::ServerHandshake;

    fn secret() -> Secret {
        Secret::new(b"the secret of these tests").expect("long enough")
    }

    fn guard(secret: Option<Secret>) -> Guard {
        Guard::new(&Keys { secret, ..Keys::default() }, "host", Nonce([1; 32])).expect("no name is needed")
    }

    fn line(bytes: Vec<u8>) -> Vec<u8> {
        bytes.strip_suffix(b"\n").expect("a whole line").to_vec()
    }

    #[test]
    fn without_keys_everything_passes() {
        let mut guard = guard(None);
        assert!(guard.is_passed());
        guard.send(b"xboard\n");
        assert_eq!(guard.take_output(), b"xboard\n");
        assert_eq!(guard.received(b"feature".to_vec()).expect("words"), b"feature");
        assert!(guard.ended().is_ok());
    }

    #[test]
    fn with_a_secret_words_wait_until_the_server_has_proved_itself() {
        let (mut guard, mut server) = (guard(Some(secret())), ServerHandshake::new(Nonce([2; 32])));
        guard.send(b"xboard\n");
        guard.finish();
        let Ok(Next::Say(challenge)) = server.hear(&line(guard.take_output()), &secret()) else { panic!() };
        for &byte in challenge.as_bytes() {
            assert!(!guard.is_passed() && guard.take_output().is_empty());
            assert_eq!(guard.received(vec![byte]).expect("a server that knows the secret"), b"");
        }
        let proof = line(guard.take_output());
        assert_eq!(server.hear(&proof, &secret()), Ok(Next::Begin("welcome\n")));
        assert!(matches!(guard.ended(), Err(GuardError::Closed)));
        // The session's first bytes may arrive with the end of the handshake.
        assert_eq!(guard.received(b"welcome\nfeature".to_vec()).expect("welcome"), b"feature");
        assert_eq!(guard.take_output(), b"xboard\n");
        assert!(guard.is_passed() && guard.ended().is_ok());
    }

    #[test]
    fn a_server_that_proves_nothing_hears_nothing() {
        for said in ["Error (unknown command): farboard-connect\n", "tellusererror no\n", &"x".repeat(2000)] {
            let mut guard = guard(Some(secret()));
            guard.send(b"xboard\n");
            guard.take_output();
            let error = guard.received(said.as_bytes().to_vec()).unwrap_err();
            assert!(matches!(error, GuardError::Handshake(_)), "{error}");
            assert!(guard.take_output().is_empty());
        }
    }
}
