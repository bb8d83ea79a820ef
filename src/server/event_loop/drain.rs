//! The end of the server: no newcomers, idle sessions close, running games may go on for some time.

use super::{FIRST_LISTENER, Server, ServerPhase};
use crate::protocol::DrainCause;
use crate::server::listen::listener::Listener;
use mio::{Interest, Token};
use std::time::Instant;

impl Server {
    /// Begins to drain, or checks whether draining is done.
    pub(super) fn drain_on(&mut self, now: Instant) {
        match self.phase {
            ServerPhase::Serving => {
                log::info!(
                    "no new sessions from now on; running games may go on for {} s. Once more stops now",
                    self.drain.as_secs()
                );
                if let Some(notifier) = &self.notifier {
                    notifier.stopping(self.drain);
                }
                self.close_listeners();
                self.connections.metrics.drain();
                self.connections.drain(DrainCause::Shutdown, now);
                self.phase = ServerPhase::Draining(now + self.drain);
            }
            ServerPhase::Draining(end) if now >= end => {
                log::warn!(
                    "{} sessions are cut off, their time to end is over",
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

    /// Closes the listeners, rather than to ignore them, so that a load balancer sees at once that it must go elsewhere. Where
    /// somebody else keeps the socket open, that would leave newcomers without a word.
    fn close_listeners(&mut self) {
        self.listeners.retain(Listener::stays_open);
        for (index, listener) in self.listeners.iter_mut().enumerate() {
            let token = Token(FIRST_LISTENER.0 - index);
            let registered = self.poll.registry().reregister(&mut listener.socket, token, Interest::READABLE);
            if let Err(error) = registered {
                log::warn!("newcomers are not told that the server ends: {error}");
            }
        }
    }

    /// Ends everything now.
    pub(super) fn stop(&mut self) {
        self.listeners.clear();
        self.connections.clear();
        self.phase = ServerPhase::Over;
    }
}
