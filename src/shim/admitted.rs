//! A connection on which the server has admitted the client, after TLS and handshake as far as it asks for
//! them.
//!
//! The thread that dials does this, since it waits anyway. So a server that is not trusted or refuses counts
//! as unreachable, with the reason.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::auth::{Guard, GuardError, Keys, Nonce};

/// Timeout of TLS and handshake. xboard waits ten seconds for an engine's first output.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// A connection that is ready for a session.
#[derive(Debug)]
pub struct Opened {
    /// Its socket.
    pub stream: TcpStream,
    /// Its TLS and handshake state.
    pub guard: Guard,
    /// What the server has already sent of the session.
    pub early: Vec<u8>,
}

impl Opened {
    /// Completes TLS and handshake with the server at the other end of `stream`, called `host`.
    ///
    /// # Errors
    ///
    /// The server is not trusted, refuses, or takes too long.
    pub fn new(mut stream: TcpStream, host: &str, keys: &Keys) -> io::Result<Self> {
        let nonce = Nonce::random().map_err(io::Error::other)?;
        let mut guard = Guard::new(keys, host, nonce).map_err(io::Error::other)?;
        let mut early = Vec::new();
        let end = Instant::now() + HANDSHAKE_TIMEOUT;
        loop {
            stream.write_all(&guard.take_output())?;
            if guard.is_passed() {
                break;
            }
            let heard = hear(&mut stream, end)?;
            match guard.received(heard) {
                Ok(words) => early.extend(words),
                Err(error) => {
                    // TLS has an alert for the server; failure to send it does not matter.
                    let _ = stream.write_all(&guard.take_output());
                    return Err(io::Error::new(ErrorKind::PermissionDenied, error));
                }
            }
        }
        stream.set_read_timeout(None)?;
        Ok(Self { stream, guard, early })
    }
}

fn hear(stream: &mut TcpStream, end: Instant) -> io::Result<Vec<u8>> {
    let mut chunk = vec![0; 4096];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(silence());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut chunk) {
            Ok(0) => return Err(io::Error::new(ErrorKind::UnexpectedEof, GuardError::Closed)),
            Ok(size) => {
                chunk.truncate(size);
                return Ok(chunk);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Which of the two depends on the system.
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Err(silence());
            }
            Err(error) => return Err(error),
        }
    }
}

fn silence() -> io::Error {
    let words = "the server does not answer as one that knows TLS, a secret or users: if it asks for neither, connect without";
    io::Error::new(ErrorKind::TimedOut, words)
}
