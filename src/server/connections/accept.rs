//! Accepting new connections, or refusing them with a message.

use super::Connections;
use crate::auth::User;
use crate::config::Transport;
use crate::protocol::proxy::HeaderReader;
use crate::server::ListenerPolicy;
use crate::server::balancer::agent::AgentState;
use crate::server::connection::ClientSocket;
use crate::server::listen::descriptors::Headroom;
use crate::server::login::steps::Login;
use crate::server::outcome::{LimitReached, Refusal};
use crate::server::sessions::factory::NO_PROFILE;
use crate::session::Profile;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// Connections that exist only until they have received a refusal. Further ones are closed without
/// a message: a client that connects that often does not read it.
pub(in crate::server) const MAX_REFUSED: usize = 64;

/// The way by which a new connection came.
pub(in crate::server) enum Arrival {
    /// Through a listener, from the client itself.
    Direct,
    /// Through a listener, from a proxy, which has to name its client first.
    Proxy,
    /// Through a page whose user has logged in there.
    Page(Arc<User>),
}

impl Connections {
    /// Starts a new connection.
    pub(in crate::server) fn admit(
        &mut self,
        stream: ClientSocket,
        peer: SocketAddr,
        policy: &Arc<ListenerPolicy>,
        arrival: Arrival,
        now: Instant,
    ) {
        let may_be_user = policy.knows_users() || matches!(arrival, Arrival::Page(_));
        let admitted = match Headroom::beside(&stream) {
            Headroom::Plenty if matches!(arrival, Arrival::Proxy) => Ok(()),
            Headroom::Plenty => self.admission.check(peer.ip(), may_be_user, now),
            Headroom::Reserve => Err(LimitReached::Descriptors),
            Headroom::Last => {
                self.observer.refused(peer, Refusal::Full, &LimitReached::Descriptors);
                return refuse_at_once(stream, policy);
            }
        };
        if let Err(limit) = admitted {
            return self.refuse_new_connection(stream, peer, policy, limit, now);
        }
        let Some(slot) = self.insert(stream, peer, policy) else { return };
        log::debug!("{peer}: connected");
        self.guard_slot(slot, |connections| match arrival {
            Arrival::Direct => connections.begin(slot, policy, now),
            Arrival::Proxy => connections.begin_login(slot, Login::Proxy(HeaderReader::default()), now),
            Arrival::Page(user) => {
                connections.finish_login(slot, Some(user), now);
                connections.flush(slot, now);
            }
        });
    }

    /// Answers an agent check. Logs nothing.
    pub(in crate::server) fn answer_agent(
        &mut self,
        stream: ClientSocket,
        peer: SocketAddr,
        policy: &Arc<ListenerPolicy>,
        drains: bool,
        now: Instant,
    ) {
        let Some(slot) = self.insert(stream, peer, policy) else { return };
        self.take_probe_permit(slot, now);
        let pool = self.searches.pool.occupancy();
        let is_full = self.admission.sessions() >= self.limits.sessions;
        let state = AgentState { drains, is_full, tokens: pool.tokens, waiting: pool.waiting };
        self.slots[slot].output.push(&state.line(), None);
        self.close(slot, now);
        self.flush(slot, now);
    }

    /// Gives a health check a permit of its own kind, so that refused clients cannot cost it the
    /// response. If all are held, another one loses its permit.
    pub(super) fn take_probe_permit(&mut self, slot: usize, now: Instant) {
        let (peer, random) = (self.slots[slot].peer, self.sessions.next_seed());
        if let Some(victim) = self.admission.probes.add(slot, peer.ip(), random, now) {
            self.remove(victim);
        }
    }

    /// Refuses a new connection, with a message unless too many are being refused.
    pub(in crate::server) fn refuse_new_connection(
        &mut self,
        stream: ClientSocket,
        peer: SocketAddr,
        policy: &Arc<ListenerPolicy>,
        limit: LimitReached,
        now: Instant,
    ) {
        let crowded = self.refused_connections() >= MAX_REFUSED;
        // A remote shell login logs its refusal itself, with the user's name.
        if policy.transport != Transport::Rsh || crowded {
            self.observer.refused(peer, limit.into(), &limit);
        }
        if crowded {
            return;
        }
        let Some(slot) = self.insert(stream, peer, policy) else { return };
        if policy.transport == Transport::Rsh {
            return self.begin_rsh_login(slot, Some(limit), now);
        }
        self.refuse_full(slot, limit, now);
    }

    /// Starts an accepted connection.
    pub(super) fn begin(&mut self, slot: usize, policy: &ListenerPolicy, now: Instant) {
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
                self.observer.refused(self.slots[slot].peer, Refusal::Fault, &error);
                self.close(slot, now);
                self.flush(slot, now);
            }
        }
    }

    fn count_session(&mut self, slot: usize) {
        let connection = &mut self.slots[slot];
        connection.counted.as_session = self.admission.admit(connection.peer.ip(), slot, None).is_ok();
    }

    /// Begins a session with the profile of the listener.
    pub(super) fn begin_session(&mut self, slot: usize, now: Instant) {
        let connection = &self.slots[slot];
        match self.sessions.profile_for(&connection.policy, connection.user.as_deref()) {
            Some(profile) => self.open_session(slot, profile, now),
            None => {
                self.observer.refused(connection.peer, Refusal::Fault, &NO_PROFILE);
                self.send_refusal(slot, NO_PROFILE.to_owned(), now);
                self.flush(slot, now);
            }
        }
    }

    pub(in crate::server) fn open_session(&mut self, slot: usize, profile: Arc<Profile>, now: Instant) {
        let connection = &mut self.slots[slot];
        let mut session = self.sessions.conversation(&connection.policy, connection.user.as_deref(), profile);
        session.open(&mut self.effects);
        connection.session = Some(session);
        self.observer.begins(
            connection.name(),
            &connection.policy,
            connection.user_name(),
            self.admission.sessions(),
        );
        self.run_effects(slot, now);
    }

    pub(super) fn refuse_full(&mut self, slot: usize, limit: LimitReached, now: Instant) {
        self.send_refusal(slot, limit.to_string(), now);
        self.flush(slot, now);
    }

    /// Sends a client without a session the reason, unless too many are being refused, and closes.
    pub(super) fn send_refusal(&mut self, slot: usize, why: String, now: Instant) {
        let connection = &mut self.slots[slot];
        connection.output.push(&connection.policy.protocol.refusal(&why).text, None);
        self.close_refused(slot, now);
    }

    /// Closes a connection after its refusal; at once if too many are being refused.
    pub(super) fn close_refused(&mut self, slot: usize, now: Instant) {
        self.admission.pending_logins.remove(slot);
        if self.refused_connections() > MAX_REFUSED {
            return self.remove(slot);
        }
        self.close(slot, now);
    }

    /// Counts connections that are being refused a session, or whose session has ended.
    fn refused_connections(&self) -> usize {
        self.slots.len().saturating_sub(self.admission.connections())
    }
}

/// Refuses a connection for which no file descriptor can be spared, with a message if possible.
fn refuse_at_once(mut stream: ClientSocket, policy: &ListenerPolicy) {
    if policy.transport == Transport::Plain && policy.tls.is_none() {
        let line = policy.protocol.refusal(&LimitReached::Descriptors.to_string());
        // A new connection has room for a line; a client that has disconnected does not need it.
        let _ = stream.write(line.text.as_bytes());
    }
}
