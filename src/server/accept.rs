//! Letting newcomers in, or telling them why not.

use super::ListenerPolicy;
use super::access_log::{self, Refusal};
use super::connections::Connections;
use super::descriptors::Headroom;
use super::event_loop::Server;
use super::login::Login;
use super::session_limits::LimitReached;
use crate::config::Transport;
use crate::session::{Conversation, Profile, Setup};
use mio::net::TcpStream;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// Newcomers let in by one listener in one turn, so that those who are in do not wait for the others.
const MAX_ACCEPTS_PER_TURN: usize = 16;

/// Connections that are only told why they are turned away. Past this many they are closed without a
/// word: whoever comes that often does not read it.
pub(super) const MAX_REFUSED: usize = 64;

impl Server {
    pub(super) fn accept(&mut self) {
        let now = Instant::now();
        for listener in &mut self.listeners {
            for _ in 0..MAX_ACCEPTS_PER_TURN {
                if listener.asks_somebody() {
                    listener.set_place(self.connections.pending_logins.place_free_from());
                }
                let Some((stream, peer)) = listener.accept(now) else { break };
                if listener.policy.admits(peer.ip()) {
                    self.connections.admit(stream, peer, &listener.policy, now);
                } else {
                    access_log::refused(peer, Refusal::NotAllowed, &"not in the list of those allowed");
                }
            }
        }
    }
}

impl Connections {
    /// Gives a newcomer a session, or the reason why not.
    fn admit(&mut self, stream: TcpStream, peer: SocketAddr, policy: &Arc<ListenerPolicy>, now: Instant) {
        let entered = match Headroom::beside(&stream) {
            Headroom::Plenty => self.session_limits.check(peer.ip(), self.sources.max_sessions_of(peer.ip())),
            Headroom::Reserve => Err(LimitReached::Descriptors),
            Headroom::Last => return self.refuse_at_once(stream, peer, policy),
        };
        match entered {
            Ok(()) => {
                let Some(slot) = self.insert(stream, peer, policy) else { return };
                log::debug!("{peer}: connected");
                self.guard_slot(slot, |connections| connections.begin(slot, policy, now));
            }
            Err(full) => {
                if policy.transport == Transport::Plain {
                    access_log::refused(peer, full.into(), &full);
                }
                if self.refused_connections() >= MAX_REFUSED {
                    return;
                }
                let Some(slot) = self.insert(stream, peer, policy) else { return };
                if policy.transport == Transport::Rsh {
                    return self.begin_rsh_login(slot, Some(full), now);
                }
                self.refuse_full(slot, full, now);
            }
        }
    }

    /// Counts a connection as a session.
    fn count_session(&mut self, slot: usize) {
        let connection = &mut self.slots[slot];
        let peer = connection.peer.ip();
        connection.counts_as_session =
            self.session_limits.admit(peer, self.sources.max_sessions_of(peer)).is_ok();
    }

    /// Tells a client why there is no place for it, and closes.
    pub(super) fn refuse_full(&mut self, slot: usize, full: LimitReached, now: Instant) {
        self.send_refusal(slot, full.to_string(), now);
        self.flush(slot, now);
    }

    /// Tells a client that has no session why it gets none, and closes; without a word if there are too many of those.
    pub(super) fn send_refusal(&mut self, slot: usize, why: String, now: Instant) {
        let connection = &mut self.slots[slot];
        connection.output.push(&connection.policy.protocol.refusal(&why).text, None);
        self.close_refused(slot, now);
    }

    /// Closes a connection that has no session and has been told why; at once if too many of those are there.
    pub(super) fn close_refused(&mut self, slot: usize, now: Instant) {
        self.pending_logins.remove(slot);
        if self.refused_connections() > MAX_REFUSED {
            return self.remove(slot);
        }
        self.close(slot, now);
    }

    /// Connections that are there only to be told why they get no session, or that have ended theirs.
    fn refused_connections(&self) -> usize {
        self.slots.len().saturating_sub(self.session_limits.sessions() + self.pending_logins.len())
    }

    /// Begins with a newcomer for whom there is room.
    fn begin(&mut self, slot: usize, policy: &ListenerPolicy, now: Instant) {
        if policy.transport == Transport::Rsh {
            self.count_session(slot);
            return self.begin_rsh_login(slot, None, now);
        }
        match Login::new(policy) {
            Ok(Some(login)) => self.begin_login(slot, login, now),
            Ok(None) => {
                self.count_session(slot);
                self.begin_session(slot, now);
                self.flush(slot, now);
            }
            Err(error) => {
                access_log::refused(self.slots[slot].peer, Refusal::Fault, &error);
                self.close(slot, now);
                self.flush(slot, now);
            }
        }
    }

    /// Tells a newcomer for whom there is no file descriptor to spare that the server is full, as far as that is possible
    /// at once, and closes.
    fn refuse_at_once(&mut self, mut stream: TcpStream, peer: SocketAddr, policy: &ListenerPolicy) {
        access_log::refused(peer, Refusal::Full, &LimitReached::Descriptors);
        if policy.transport == Transport::Plain && policy.tls.is_none() {
            let line = policy.protocol.refusal(&LimitReached::Descriptors.to_string());
            // A new connection has room for it, and who is gone need not hear it.
            let _ = stream.write(line.text.as_bytes());
        }
    }

    /// Begins the session of a client that has shown all that is asked of it.
    pub(super) fn begin_session(&mut self, slot: usize, now: Instant) {
        let profile = Arc::clone(self.profiles.of(&self.slots[slot].policy));
        self.open_session(slot, profile, now);
    }

    /// Gives a connection its session.
    pub(super) fn open_session(&mut self, slot: usize, profile: Arc<Profile>, now: Instant) {
        let setup = Setup { seed: self.seed(), profile };
        let named = Arc::clone(&self.profiles.named);
        let connection = &mut self.slots[slot];
        let mut session = Conversation::new(connection.policy.protocol, setup, named);
        session.open(&mut self.effects);
        connection.session = Some(session);
        access_log::begins(connection.name(), &connection.policy, self.session_limits.sessions());
        self.carry_out(slot, now);
    }
}
