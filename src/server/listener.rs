//! A socket that newcomers come through.

use mio::net::{TcpListener, TcpStream};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// The shortest pause after an error that is not the newcomer's, as when there is no file descriptor
/// left. The system would report the same again at once, so without a pause the loop would spin.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
/// The longest pause: who waits in the backlog should not wait much longer than the shortage lasts.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A listening socket, with what it remembers between turns of the loop.
pub(super) struct Listener {
    pub(super) socket: TcpListener,
    /// Readiness is announced once; whoever stops early has to remember it.
    ready: bool,
    retry: Option<Instant>,
    pause: Duration,
}

impl Listener {
    pub(super) fn new(socket: TcpListener) -> Listener {
        Listener { socket, ready: true, retry: None, pause: SHORTEST_PAUSE }
    }

    pub(super) fn set_ready(&mut self) {
        self.ready = true;
    }

    /// When to look again although nothing is announced: `now` at the latest if there is no pause.
    pub(super) fn wake(&self, now: Instant) -> Option<Instant> {
        self.ready.then(|| self.retry.unwrap_or(now))
    }

    /// The next newcomer; `None` until more are announced or the pause is over.
    pub(super) fn accept(&mut self, now: Instant) -> Option<(TcpStream, SocketAddr)> {
        if !self.ready || self.retry.is_some_and(|retry| retry > now) {
            return None;
        }
        loop {
            match self.socket.accept() {
                Ok(newcomer) => {
                    self.retry = None;
                    self.pause = SHORTEST_PAUSE;
                    return Some(newcomer);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.ready = false;
                    return None;
                }
                Err(error) if is_of_newcomer(&error) => {}
                Err(error) => {
                    self.pause_after(&error, now);
                    return None;
                }
            }
        }
    }

    fn pause_after(&mut self, error: &io::Error, now: Instant) {
        if self.pause == SHORTEST_PAUSE {
            log::warn!(
                "cannot accept connections for now: {error}. Those that are there play on; if it is file \
                 descriptors that are missing, raise the limit (ulimit -n) or lower max_sessions"
            );
        }
        self.retry = Some(now + self.pause);
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
    }
}

/// Whether accepting failed because of that one newcomer, who is gone.
fn is_of_newcomer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::Interrupted
            | ErrorKind::TimedOut
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::NetworkDown
    )
}
