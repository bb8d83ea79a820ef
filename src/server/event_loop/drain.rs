//! Shutdown: no new connections, idle sessions close, running games may go on for some time.

use super::{FIRST_LISTENER, Server, ServerPhase};
use crate::protocol::DrainCause;
use crate::server::listen::listener::Listener;
use mio::{Interest, Token};
use std::time::Instant;

impl Server {
    /// Begins to drain, or checks if draining is done.
    pub(super) fn continue_drain(&mut self, now: Instant) {
        match self.phase {
            ServerPhase::Serving => {
                log::info!(
                    "shutdown: no new sessions, running games may go on for {} s; a second signal stops at once",
                    self.drain.as_secs()
                );
                if let Some(notifier) = &self.notifier {
                    notifier.stopping(self.drain);
                }
                self.close_listeners();
                self.connections.observer.drain();
                self.connections.drain(DrainCause::Shutdown, now);
                self.phase = ServerPhase::Draining(now + self.drain);
            }
            ServerPhase::Draining(end) if now >= end => {
                log::warn!(
                    "time for running games is over: disconnecting {} session(s)",
                    self.connections.admission.sessions()
                );
                self.stop();
            }
            ServerPhase::Draining(_) | ServerPhase::Over => {}
        }
        if self.connections.are_done() {
            self.connections.dismiss(now);
            self.phase = ServerPhase::Over;
        }
    }

    /// Closes the listeners rather than ignore them, so that a load balancer sees at once that it
    /// must go elsewhere. Sockets that another process keeps open stay, so that new connections get
    /// a message.
    fn close_listeners(&mut self) {
        self.listeners.retain(Listener::stays_open);
        for (index, listener) in self.listeners.iter_mut().enumerate() {
            let token = Token(FIRST_LISTENER.0 - index);
            let registered = self.poll.registry().reregister(&mut listener.socket, token, Interest::READABLE);
            if let Err(error) = registered {
                log::warn!("new connections will get no message during shutdown: {error}");
            }
        }
    }

    pub(super) fn stop(&mut self) {
        self.listeners.clear();
        self.connections.clear();
        self.phase = ServerPhase::Over;
    }
}
