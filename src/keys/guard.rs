//! Everything that stands between a shim's words and the bytes on its socket: TLS, then the greeting.

use super::greeting::{GreetingError, Next, ShimGreeting};
use super::tls::{self, TlsError};
use super::{ClientTls, Nonce, Secret};
use rustls::ClientConfig;
use std::fmt;
use std::sync::Arc;

/// Longest line of a server in a greeting, in bytes.
const LONGEST_LINE: usize = 1024;

/// What a shim asks of its servers, and knows itself.
#[derive(Clone, Default, Debug)]
pub struct Keys {
    /// The secret that is shared with the server.
    pub secret: Option<Secret>,
    /// Whom to trust, if the server speaks TLS.
    pub tls: Option<Arc<ClientConfig>>,
}

/// Why the shim has nothing to do with this server.
#[derive(Debug)]
pub enum GuardError {
    /// There is no TLS with it.
    Tls(rustls::Error),
    /// It did not let us in, or is not the one that was meant.
    Greeting(GreetingError),
    /// It closed before it had let us in.
    Closed,
    /// The end of what it sent was not of its making; something may be missing.
    Truncated,
}

impl fmt::Display for GuardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuardError::Tls(error) => f.write_str(&tls::explain(error)),
            GuardError::Greeting(error) => write!(f, "{error}"),
            GuardError::Closed => f.write_str("the server closed the connection before it began"),
            GuardError::Truncated => f.write_str("the connection was cut"),
        }
    }
}

impl std::error::Error for GuardError {}

/// What is left of a greeting.
#[derive(Debug)]
struct Pending {
    greeting: ShimGreeting,
    /// The beginning of the server's next line.
    line: Vec<u8>,
    /// What is to be said when the greeting is over.
    waiting: Vec<u8>,
    finishing: bool,
}

/// The keys at work in one connection, sans-io. Whoever has the socket tells what was read there, and writes to it what
/// [`Guard::take_output`] gives, from the beginning and after every other call, failed ones too.
#[derive(Debug)]
pub struct Guard {
    tls: Option<Box<ClientTls>>,
    pending: Option<Box<Pending>>,
    /// Without TLS: what is to be written to the socket.
    output: Vec<u8>,
}

impl Guard {
    /// Begins with the server of that name or address; `nonce` must be new.
    ///
    /// # Errors
    /// TLS is wanted, and the name is none that a certificate could be for.
    pub fn new(keys: &Keys, host: &str, nonce: Nonce) -> Result<Guard, TlsError> {
        let tls = keys.tls.clone().map(|config| ClientTls::new(config, host).map(Box::new)).transpose()?;
        let mut guard = Guard { tls, pending: None, output: Vec::new() };
        if let Some(secret) = &keys.secret {
            let greeting = ShimGreeting::new(secret.clone(), nonce);
            guard.say(greeting.first_line().as_bytes());
            let [line, waiting] = [Vec::new(), Vec::new()];
            guard.pending = Some(Box::new(Pending { greeting, line, waiting, finishing: false }));
        }
        Ok(guard)
    }

    /// Whether the server has let us in, as far as it asks anything.
    pub fn is_passed(&self) -> bool {
        self.pending.is_none() && self.tls.as_ref().is_none_or(|tls| tls.is_established())
    }

    /// What the server says with these bytes.
    ///
    /// # Errors
    /// This server is not to be trusted, or does not let us in.
    pub fn received(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, GuardError> {
        let mut plain = bytes;
        if let Some(tls) = &mut self.tls {
            let bytes = std::mem::take(&mut plain);
            tls.received(&bytes, &mut plain).map_err(GuardError::Tls)?;
        }
        if self.pending.is_some() { self.greet(plain) } else { Ok(plain) }
    }

    /// The greeting's part of what was heard is taken from it, and the rest is the session's.
    fn greet(&mut self, mut heard: Vec<u8>) -> Result<Vec<u8>, GuardError> {
        while let Some(pending) = &mut self.pending {
            let Some(end) = heard.iter().position(|&byte| byte == b'\n') else {
                pending.line.append(&mut heard);
                let is_line = pending.line.len() <= LONGEST_LINE;
                return if is_line { Ok(heard) } else { Err(GuardError::Greeting(GreetingError::Malformed)) };
            };
            pending.line.extend(heard.drain(..=end));
            let line = std::mem::take(&mut pending.line);
            match pending.greeting.hear(line.trim_ascii_end()).map_err(GuardError::Greeting)? {
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

    /// Says this to the server, as soon as it has let us in.
    pub fn send(&mut self, words: &[u8]) {
        match &mut self.pending {
            Some(pending) => pending.waiting.extend_from_slice(words),
            None => self.say(words),
        }
    }

    /// Says that nothing more will be said, after what was. The end of the stream is for the caller to send when
    /// [`Guard::is_passed`].
    pub fn finish(&mut self) {
        match (&mut self.pending, &mut self.tls) {
            (Some(pending), _) => pending.finishing = true,
            (None, Some(tls)) => tls.finish(),
            (None, None) => {}
        }
    }

    /// What is to be written to the socket.
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
    /// The server has not let us in, or has not said over TLS that this is the end.
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
    use crate::keys::greeting::ServerGreeting;

    fn secret() -> Secret {
        Secret::new(b"the secret of these tests").expect("long enough")
    }

    fn guard(secret: Option<Secret>) -> Guard {
        Guard::new(&Keys { secret, tls: None }, "host", Nonce([1; 32])).expect("no name is needed")
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
        let (mut guard, mut server) = (guard(Some(secret())), ServerGreeting::new(Nonce([2; 32])));
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
        // The session's words may come with the last of the greeting's.
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
            assert!(matches!(error, GuardError::Greeting(_)), "{error}");
            assert!(guard.take_output().is_empty());
        }
    }
}
