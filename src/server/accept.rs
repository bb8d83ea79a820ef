//! Letting newcomers in, or telling them why not.

use super::event_loop::Server;
use super::tenants::Tenants;
use crate::protocol::xboard::Reply;
use crate::session::{Session, Setup};
use mio::net::TcpStream;
use std::net::SocketAddr;
use std::time::Instant;

/// Newcomers let in by one listener in one turn, so that those who are in do not wait for the others.
const AT_ONCE: usize = 64;

/// Connections that are only told why they are turned away. Past this many they are closed without a
/// word: whoever comes that often does not read it.
const MOST_TURNED_AWAY: usize = 64;

impl Server {
    pub(super) fn accept(&mut self) {
        let now = Instant::now();
        for listener in &mut self.listeners {
            for _ in 0..AT_ONCE {
                let Some((stream, peer)) = listener.accept(now) else { break };
                self.tenants.welcome(stream, peer, now);
            }
        }
    }
}

impl Tenants {
    /// Gives a newcomer a session, or the reason why not.
    fn welcome(&mut self, stream: TcpStream, peer: SocketAddr, now: Instant) {
        match self.census.enter(peer.ip()) {
            Ok(()) => {
                let Some(slot) = self.insert(stream, peer) else {
                    self.census.leave(peer.ip());
                    return;
                };
                let seed = self.seed();
                let connection = &mut self.connections[slot];
                connection.counted = true;
                connection.session = Some(Session::new(Setup { seed, name: super::NAME.to_owned() }));
                log::debug!("{peer}: connected, {} sessions", self.census.sessions());
            }
            Err(full) => {
                log::warn!("{peer}: turned away: {full}");
                if self.connections.len() - self.census.sessions() >= MOST_TURNED_AWAY {
                    return;
                }
                let Some(slot) = self.insert(stream, peer) else { return };
                let line = Reply::Tellusererror(full.to_string()).line();
                self.connections[slot].output.push(&line, None);
                self.close(slot, now);
                self.settle(slot, now);
            }
        }
    }
}
