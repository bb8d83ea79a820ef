//! A listening socket.

use super::ListenerPolicy;
use super::acceptor::Acceptor;
use crate::config::Transport;
use mio::net::{TcpListener, TcpStream};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// A listening socket, with what it remembers between turns of the loop.
pub(super) struct Listener {
    pub(super) socket: TcpListener,
    pub(super) policy: Arc<ListenerPolicy>,
    /// The configured address. The socket has another with port 0, or if a service manager opened it.
    pub(super) configured: Option<SocketAddr>,
    /// Whether others keep the socket open when this server ends, so that newcomers would wait in silence while it drains.
    pub(super) outlives_us: bool,
    acceptor: Acceptor,
}

impl Listener {
    pub(super) fn new(socket: TcpListener, policy: ListenerPolicy) -> Listener {
        Listener {
            socket,
            configured: None,
            outlives_us: false,
            policy: Arc::new(policy),
            acceptor: Acceptor::new(),
        }
    }

    /// Whether newcomers are answered while the server drains.
    pub(super) fn stays_open(&self) -> bool {
        self.outlives_us || self.policy.transport == Transport::Agent
    }

    /// Applies this policy to newcomers.
    pub(super) fn set_policy(&mut self, policy: ListenerPolicy) {
        self.policy = Arc::new(policy);
    }

    pub(super) fn set_ready(&mut self) {
        self.acceptor.set_ready();
    }

    /// When to look again although nothing is announced: `now` at the latest if there is no pause.
    pub(super) fn next_wakeup(&self, now: Instant) -> Option<Instant> {
        self.acceptor.next_wakeup(now)
    }

    /// Whether there may be newcomers that must log in.
    pub(super) fn may_begin_login(&self) -> bool {
        self.policy.may_begin_login() && self.acceptor.is_ready()
    }

    /// Leaves newcomers in the backlog until then, unless a place becomes free before.
    pub(super) fn wait_for_place(&mut self, place: Option<Instant>) {
        self.acceptor.set_place(place);
    }

    /// The next newcomer; `None` until more are announced or the pause is over.
    pub(super) fn accept(&mut self, now: Instant) -> Option<(TcpStream, SocketAddr)> {
        self.acceptor.next(now, || self.socket.accept())
    }
}
