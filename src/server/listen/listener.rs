//! Listening sockets.

use crate::config::Transport;
use crate::server::ListenerPolicy;
use crate::server::connection::ClientSocket;
use crate::server::listen::acceptor::Acceptor;
use mio::net::TcpListener;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// A listening socket, with its state between turns of the loop.
pub(in crate::server) struct Listener {
    pub(in crate::server) socket: TcpListener,
    pub(in crate::server) policy: Arc<ListenerPolicy>,
    /// The configured address. With port 0 or a service manager the socket's differs.
    pub(in crate::server) configured: Option<SocketAddr>,
    /// Whether another process keeps the socket open after this server's shutdown, so that new
    /// connections would wait in silence while it drains.
    pub(in crate::server) is_shared: bool,
    pub(in crate::server) acceptor: Acceptor,
}

impl Listener {
    pub(in crate::server) fn new(socket: TcpListener, policy: ListenerPolicy) -> Listener {
        Listener {
            socket,
            configured: None,
            is_shared: false,
            policy: Arc::new(policy),
            acceptor: Acceptor::new(),
        }
    }

    /// Returns true if new connections are answered while the server drains.
    pub(in crate::server) fn stays_open(&self) -> bool {
        self.is_shared || self.policy.transport == Transport::Agent
    }

    /// Returns true if there may be new connections that must log in.
    pub(in crate::server) fn may_begin_login(&self) -> bool {
        self.policy.may_begin_login() && self.acceptor.ready
    }

    /// Accepts the next connection; `None` until more are announced or the pause is over.
    pub(in crate::server) fn accept(&mut self, now: Instant) -> Option<(ClientSocket, SocketAddr)> {
        let (stream, peer) = self.acceptor.next(now, || self.socket.accept())?;
        Some((stream.into(), peer))
    }
}
