//! The remote shell of BSD, which WinBoard has built in: `-firstHost HOST` without a `remoteShell`
//! connects to port 514, and waits for a second connection back from there.
//!
//! * `handshake`: the beginning of a connection. `command`: the profile that it requests. `login`:
//!   from accept to session.
//! * `signal_channel`: the connection back to the client. `signals`: effects of its signals.
//! * `pacer`: when output may be written, as WinBoard's reader is faulty.
//!
//! Clients must come from an allowed network; the protocol has no further proof.

mod command;
mod handshake;
mod login;
mod pacer;
mod signal_channel;
mod signals;

use crate::server::outcome::LimitReached;
use handshake::Handshake;
use mio::Token;
use mio::net::TcpStream;
use pacer::Pacer;
use std::time::Instant;

/// The signal channel of slot 0; the others count up from here, as connections do from 0.
pub(super) const SIGNAL_CHANNELS: Token = Token(1 << (usize::BITS - 2));

#[derive(Default)]
pub(super) struct RshClient {
    /// The handshake; `None` once the session has begun or the client is refused.
    login: Option<Handshake>,
    signal_channel: SignalChannel,
    pub(super) pacer: Pacer,
    /// The limit for which the client will be refused.
    full: Option<LimitReached>,
    /// When to end the session at the latest, once the client wants it.
    ends: Option<Instant>,
    /// Whether the session has received the end of input. Further input is read all the same:
    /// closing a connection with unread input resets it, and Windows then drops output that its
    /// window has not read yet.
    pub(super) ended: bool,
}

/// The connection back to the client, for signals.
#[derive(Default)]
enum SignalChannel {
    /// The client has not sent a port.
    #[default]
    Unknown,
    /// Connecting, to this port.
    Connecting(TcpStream, u16),
    Open(TcpStream),
    /// Not wanted, or closed.
    None,
}

impl RshClient {
    /// Returns true if its session has not begun and it is not refused.
    pub(super) fn is_logging_in(&self) -> bool {
        self.login.is_some()
    }

    /// Returns true if the handshake is complete and only the signal channel is missing.
    pub(super) fn waits(&self) -> bool {
        self.login.as_ref().is_some_and(Handshake::is_complete)
    }

    /// Returns when to serve it without an event.
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
