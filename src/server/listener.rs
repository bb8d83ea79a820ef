//! A socket that newcomers come through.

use super::Door;
use super::acceptance::Acceptance;
use mio::net::{TcpListener, TcpStream};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// A listening socket, with what it remembers between turns of the loop.
pub(super) struct Listener {
    pub(super) socket: TcpListener,
    pub(super) door: Arc<Door>,
    /// The address as it was configured: with port 0, or as a service manager opened it, the socket has another.
    pub(super) configured: Option<SocketAddr>,
    acceptance: Acceptance,
}

impl Listener {
    pub(super) fn new(socket: TcpListener, door: Door) -> Listener {
        Listener { socket, configured: None, door: Arc::new(door), acceptance: Acceptance::new() }
    }

    /// From now on newcomers meet this door.
    pub(super) fn set_door(&mut self, door: Door) {
        self.door = Arc::new(door);
    }

    pub(super) fn set_ready(&mut self) {
        self.acceptance.set_ready();
    }

    /// When to look again although nothing is announced: `now` at the latest if there is no pause.
    pub(super) fn wake(&self, now: Instant) -> Option<Instant> {
        self.acceptance.wake(now)
    }

    /// Whether somebody may be there who is asked for something.
    pub(super) fn asks_somebody(&self) -> bool {
        self.door.asks() && self.acceptance.is_ready()
    }

    /// Lets newcomers wait with the system until then, unless a place becomes free before.
    pub(super) fn set_place(&mut self, place: Option<Instant>) {
        self.acceptance.set_place(place);
    }

    /// The next newcomer; `None` until more are announced or the pause is over.
    pub(super) fn accept(&mut self, now: Instant) -> Option<(TcpStream, SocketAddr)> {
        self.acceptance.next(now, || self.socket.accept())
    }
}
