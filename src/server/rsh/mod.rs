//! The remote shell of BSD, which WinBoard has built in: `-firstHost HOST` without a `remoteShell` connects to port 514,
//! and wants a second connection back from there before it says anything.
//!
//! * `handshake`: what a client says first. `back`: the connection back to it, for signals. `command`: what it asks for.
//! * `pacer`: how fast it may be told something, since WinBoard's reader is faulty.
//! * `reception`: from the accept to the session. `signals`: what comes through the connection back.
//!
//! Whoever comes is in the list of those who may; beyond that nobody proves anything, as ever in this protocol. The
//! command names a profile of the configuration and is never executed.

mod command;
mod handshake;
mod login;
mod pacer;
mod signal_channel;
mod signals;

use crate::server::session_limits::LimitReached;
use handshake::Handshake;
use mio::Token;
use mio::net::TcpStream;
use pacer::Pacer;
use std::time::Instant;

/// The connection back of slot 0; the others count up from here, as connections do from 0.
pub(super) const SIGNAL_CHANNELS: Token = Token(1 << (usize::BITS - 2));

/// What a client of a remote shell has besides what every client has.
#[derive(Default)]
pub(super) struct RshClient {
    /// What it has said so far; `None` once it has its session, or will get none.
    login: Option<Handshake>,
    signal_channel: SignalChannel,
    pub(super) pacer: Pacer,
    /// Why it will get no session.
    full: Option<LimitReached>,
    /// It wants its session to end: then, if nothing else comes before.
    ends: Option<Instant>,
    /// Its session was told that no more commands come. What comes all the same is read: closing a connection with input
    /// that was not read resets it, and Windows then forgets what its window has not taken yet.
    pub(super) ended: bool,
}

/// The connection back to the client.
#[derive(Default)]
enum SignalChannel {
    /// It has not said where to.
    #[default]
    Unknown,
    /// Begun, to this port.
    Connecting(TcpStream, u16),
    Open(TcpStream),
    /// Not wanted, or closed.
    None,
}

impl RshClient {
    /// Whether it has not come so far that there is, or was, a session.
    pub(super) fn is_logging_in(&self) -> bool {
        self.login.is_some()
    }

    /// Whether all is said that can be before the connection back stands.
    pub(super) fn waits(&self) -> bool {
        self.login.as_ref().is_some_and(Handshake::is_complete)
    }

    /// When to look after it although no event comes.
    pub(super) fn next_wakeup(&self, now: Instant) -> Option<Instant> {
        [self.pacer.next(now), self.ends].into_iter().flatten().min()
    }

    pub(super) fn signal_channel(&mut self) -> Option<&mut TcpStream> {
        match &mut self.signal_channel {
            SignalChannel::Connecting(stream, _) | SignalChannel::Open(stream) => Some(stream),
            SignalChannel::Unknown | SignalChannel::None => None,
        }
    }
}
