//! The end of a server: no newcomers, idle sessions close, running games may end, for some time.

use super::event_loop::Server;
use std::time::Instant;

/// How far the server is from its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ServerPhase {
    Serving,
    /// Running games may go on until then.
    Draining(Instant),
    Over,
}

impl ServerPhase {
    pub(super) fn end(self) -> Option<Instant> {
        match self {
            ServerPhase::Draining(end) => Some(end),
            ServerPhase::Serving | ServerPhase::Over => None,
        }
    }
}

impl Server {
    /// Begins to drain, or looks whether it is done.
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
                // Closed rather than deaf, so that a balancer sees at once that it must go elsewhere.
                self.listeners.clear();
                self.connections.drain(now);
                self.phase = ServerPhase::Draining(now + self.drain);
            }
            ServerPhase::Draining(end) if now >= end => {
                log::warn!("{} sessions are cut off, their time to end is over", self.connections.sessions());
                self.stop();
            }
            ServerPhase::Draining(_) | ServerPhase::Over => {}
        }
        if self.connections.is_empty() {
            self.phase = ServerPhase::Over;
        }
    }

    /// Ends everything now.
    pub(super) fn stop(&mut self) {
        self.listeners.clear();
        self.connections.clear();
        self.phase = ServerPhase::Over;
    }
}
