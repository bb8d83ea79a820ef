//! A connection that a server has let us in by, with whatever keys it asks for.
//!
//! The keys are shown while a server is dialled, in the thread that waits for that anyway. So a server that is not to be
//! trusted, or does not let us in, is one that cannot be reached, with the reason.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::keys::{Guard, GuardError, Keys, Nonce};

/// How long a server may take to let us in. xboard waits ten seconds for an engine's first words.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection over which a session can begin.
#[derive(Debug)]
pub struct Opened {
    /// Its socket.
    pub stream: TcpStream,
    /// The keys at work in it.
    pub guard: Guard,
    /// What the server has said already.
    pub early: Vec<u8>,
}

impl Opened {
    /// Shows the keys to a server, called `host`, that the stream leads to.
    ///
    /// # Errors
    ///
    /// The server is not to be trusted, does not let us in, or takes too long for either.
    pub fn new(mut stream: TcpStream, host: &str, keys: &Keys) -> io::Result<Self> {
        let nonce = Nonce::random().map_err(io::Error::other)?;
        let mut guard = Guard::new(keys, host, nonce).map_err(io::Error::other)?;
        let mut early = Vec::new();
        let end = Instant::now() + PATIENCE;
        loop {
            stream.write_all(&guard.take_output())?;
            if guard.is_passed() {
                break;
            }
            let heard = hear(&mut stream, end)?;
            match guard.received(heard) {
                Ok(words) => early.extend(words),
                Err(error) => {
                    // TLS has a word for the server, which is worth a try.
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
            // One or the other, by the system.
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Err(silence());
            }
            Err(error) => return Err(error),
        }
    }
}

fn silence() -> io::Error {
    let words = "the server does not answer as one that knows TLS or a secret: if it asks for neither, connect without";
    io::Error::new(ErrorKind::TimedOut, words)
}
