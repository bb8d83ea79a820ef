//! A connection on which the server has admitted the client, after TLS and handshake as far as the server requires
//! them. A server that is not trusted or refuses counts as unreachable, with the reason.

use crate::auth::{Guard, GuardError, Keys, Nonce};
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Timeout of TLS and handshake. xboard waits ten seconds for an engine's first output.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// A connection that is ready for a session.
#[derive(Debug)]
pub struct Opened {
    /// Socket.
    pub stream: TcpStream,
    /// TLS and handshake state.
    pub guard: Guard,
    /// What the server has already sent of the session.
    pub early: Vec<u8>,
}

impl Opened {
    /// Completes TLS and handshake with the server at the other end of `stream`, called `host`. Blocks.
    ///
    /// # Errors
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
            match guard.received(read(&mut stream, end)?) {
                Ok(bytes) => early.extend(bytes),
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

fn read(stream: &mut TcpStream, end: Instant) -> io::Result<Vec<u8>> {
    let mut chunk = vec![0; 4096];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match stream.set_read_timeout(Some(left)).and_then(|()| stream.read(&mut chunk)) {
            Ok(0) => return Err(io::Error::new(ErrorKind::UnexpectedEof, GuardError::Closed)),
            Ok(size) => {
                chunk.truncate(size);
                return Ok(chunk);
            }
            Err(error) => match error.kind() {
                ErrorKind::Interrupted => {}
                // A timeout of zero is invalid input; which of the other two it is depends on the system.
                ErrorKind::InvalidInput | ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                    let reason = "the server does not answer as one that uses TLS, a secret or users: \
                        if it requires neither, connect without";
                    return Err(io::Error::new(ErrorKind::TimedOut, reason));
                }
                _ => return Err(error),
            },
        }
    }
}
