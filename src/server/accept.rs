//! Letting newcomers in, or telling them why not.

use super::Door;
use super::access_log::{self, Refusal};
use super::census::Full;
use super::descriptors::Room;
use super::entrance::Entrance;
use super::event_loop::Server;
use super::tenants::Tenants;
use crate::config::Transport;
use crate::session::{Conversation, Profile, Setup};
use mio::net::TcpStream;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// Newcomers let in by one listener in one turn, so that those who are in do not wait for the others.
const AT_ONCE: usize = 16;

/// Connections that are only told why they are turned away. Past this many they are closed without a
/// word: whoever comes that often does not read it.
pub(super) const MOST_TURNED_AWAY: usize = 64;

impl Server {
    pub(super) fn accept(&mut self) {
        let now = Instant::now();
        for listener in &mut self.listeners {
            for _ in 0..AT_ONCE {
                if listener.asks_somebody() {
                    listener.set_place(self.tenants.unproven.place_from());
                }
                let Some((stream, peer)) = listener.accept(now) else { break };
                if listener.door.admits(peer.ip()) {
                    self.tenants.welcome(stream, peer, &listener.door, now);
                } else {
                    access_log::refused(peer, Refusal::NotAllowed, &"not in the list of those allowed");
                }
            }
        }
    }
}

impl Tenants {
    /// Gives a newcomer a session, or the reason why not.
    fn welcome(&mut self, stream: TcpStream, peer: SocketAddr, door: &Arc<Door>, now: Instant) {
        let entered = match Room::beside(&stream) {
            Room::Plenty => self.census.admits(peer.ip(), self.sources.most_sessions(peer.ip())),
            Room::Reserve => Err(Full::Descriptors),
            Room::Last => return self.dismiss(stream, peer, door),
        };
        match entered {
            Ok(()) => {
                let Some(slot) = self.insert(stream, peer, door) else { return };
                log::debug!("{peer}: connected");
                self.turn_of(slot, |tenants| tenants.receive(slot, door, now));
            }
            Err(full) => {
                if door.transport == Transport::Plain {
                    access_log::refused(peer, full.into(), &full);
                }
                if self.turned_away() >= MOST_TURNED_AWAY {
                    return;
                }
                let Some(slot) = self.insert(stream, peer, door) else { return };
                if door.transport == Transport::Rsh {
                    return self.begin_visit(slot, Some(full), now);
                }
                self.say_full(slot, full, now);
            }
        }
    }

    /// Counts a connection as a session.
    fn count(&mut self, slot: usize) {
        let connection = &mut self.connections[slot];
        let peer = connection.peer.ip();
        connection.counted = self.census.enter(peer, self.sources.most_sessions(peer)).is_ok();
    }

    /// Tells a client why there is no place for it, and closes.
    pub(super) fn say_full(&mut self, slot: usize, full: Full, now: Instant) {
        self.send_away(slot, full.to_string(), now);
        self.settle(slot, now);
    }

    /// Tells a client that has no session why it gets none, and closes; without a word if there are too many of those.
    pub(super) fn send_away(&mut self, slot: usize, why: String, now: Instant) {
        let connection = &mut self.connections[slot];
        connection.output.push(&connection.door.protocol.refusal(&why).text, None);
        self.close_refused(slot, now);
    }

    /// Closes a connection that has no session and has been told why; at once if too many of those are there.
    pub(super) fn close_refused(&mut self, slot: usize, now: Instant) {
        self.unproven.leave(slot);
        if self.turned_away() > MOST_TURNED_AWAY {
            return self.remove(slot);
        }
        self.close(slot, now);
    }

    /// Connections that are there only to be told why they get no session, or that have ended theirs.
    fn turned_away(&self) -> usize {
        self.connections.len().saturating_sub(self.census.sessions() + self.unproven.len())
    }

    /// Begins with a newcomer for whom there is room.
    fn receive(&mut self, slot: usize, door: &Door, now: Instant) {
        if door.transport == Transport::Rsh {
            self.count(slot);
            return self.begin_visit(slot, None, now);
        }
        match Entrance::new(door) {
            Ok(Some(entrance)) => self.examine(slot, entrance, now),
            Ok(None) => {
                self.count(slot);
                self.begin_session(slot, now);
                self.settle(slot, now);
            }
            Err(error) => {
                access_log::refused(self.connections[slot].peer, Refusal::Fault, &error);
                self.close(slot, now);
                self.settle(slot, now);
            }
        }
    }

    /// Tells a newcomer for whom there is no file descriptor to spare that the server is full, as far as that is possible
    /// at once, and closes.
    fn dismiss(&mut self, mut stream: TcpStream, peer: SocketAddr, door: &Door) {
        access_log::refused(peer, Refusal::Full, &Full::Descriptors);
        if door.transport == Transport::Plain && door.tls.is_none() {
            let line = door.protocol.refusal(&Full::Descriptors.to_string());
            // A new connection has room for it, and who is gone need not hear it.
            let _ = stream.write(line.text.as_bytes());
        }
    }

    /// Begins the session of a client that has shown all that is asked of it.
    pub(super) fn begin_session(&mut self, slot: usize, now: Instant) {
        let profile = Arc::clone(self.profiles.of(&self.connections[slot].door));
        self.open_session(slot, profile, now);
    }

    /// Gives a connection its session.
    pub(super) fn open_session(&mut self, slot: usize, profile: Arc<Profile>, now: Instant) {
        let setup = Setup { seed: self.seed(), profile };
        let named = Arc::clone(&self.profiles.named);
        let connection = &mut self.connections[slot];
        let mut session = Conversation::new(connection.door.protocol, setup, named);
        session.open(&mut self.effects);
        connection.session = Some(session);
        access_log::begins(connection.name(), &connection.door, self.census.sessions());
        self.carry_out(slot, now);
    }
}
