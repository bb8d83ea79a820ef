//! All connections, from accept to close.
//!
//! Parts own what they need ([`Slots`], [`Admission`], [`SessionFactory`], [`Observer`],
//! [`Searches`], [`InputTurns`], [`WakeUps`], [`MovesByBalancer`]); the files of this folder are
//! concerns of the loop:
//!
//! * `accept`, `proxied`, `login`: from the new connection to the session.
//! * `input`: bytes → lines → session. `apply_effects`: effects of the session.
//! * `search_events`: starts of searches, their events, and timers.
//! * `send`: output, and the end of a connection. `buffer_limit`: the bound of all buffers
//!   together.
//! * `link`: clients with a shim, whose sessions can move to another server. `rebalance`: which of
//!   them are asked to move.
//! * `watched`: sessions as watchers see them.
//! * `drain`, `panics`: two ways for sessions to end early. `archive`: finished games, however the
//!   session ends.

mod accept;
mod apply_effects;
mod archive;
mod buffer_limit;
mod drain;
mod input;
mod link;
mod login;
mod panics;
mod proxied;
mod rebalance;
mod search_events;
mod send;
mod slots;
mod watched;

pub(super) use accept::{Arrival, MAX_REFUSED};

use crate::archive::Archive;
use crate::hosting::Hosts;
use crate::server::admission::Admission;
use crate::server::balancer::moves::MovesByBalancer;
use crate::server::connection::{BufferTotal, ClientSocket, ClientStream, Connection};
use crate::server::event_loop::input_turns::InputTurns;
use crate::server::event_loop::timers::WakeUps;
use crate::server::login::tls_handshakes::TlsHandshakes;
use crate::server::observe::Observer;
use crate::server::outcome::Refusal;
use crate::server::searches::Searches;
use crate::server::sessions::factory::SessionFactory;
use crate::server::watch::Gallery;
use crate::server::{ListenerPolicy, ServerLimits};
use crate::session::Effect;
use mio::Registry;
use mio::event::Event;
use slots::Slots;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// All connections, with the parts they share.
pub(super) struct Connections {
    pub(super) slots: Slots,
    pub(super) limits: ServerLimits,
    pub(super) admission: Admission,
    pub(super) sessions: SessionFactory,
    pub(super) observer: Observer,
    pub(super) searches: Searches,
    pub(super) engines: Option<Arc<Hosts>>,
    /// Archive of finished games, if they are kept.
    pub(super) archive: Option<Archive>,
    pub(super) input: InputTurns,
    pub(super) buffer_total: BufferTotal,
    pub(super) timers: WakeUps,
    handshakes: TlsHandshakes,
    moves: MovesByBalancer,
    /// Pictures for watchers, if the server has a page.
    pub(super) gallery: Option<Gallery>,
    /// Kept between turns to save allocations.
    pub(super) effects: Vec<Effect>,
}

impl Connections {
    pub(super) fn new(
        registry: Registry,
        limits: ServerLimits,
        admission: Admission,
        sessions: SessionFactory,
        searches: Searches,
        handshakes: TlsHandshakes,
    ) -> Connections {
        Connections {
            slots: Slots::new(registry),
            limits,
            admission,
            sessions,
            observer: Observer::new(&limits),
            searches,
            engines: None,
            archive: None,
            input: InputTurns::new(),
            buffer_total: BufferTotal::default(),
            timers: WakeUps::default(),
            handshakes,
            moves: MovesByBalancer::default(),
            gallery: None,
            effects: Vec::new(),
        }
    }

    /// Publishes the metrics at the end of a turn of the loop that took this long.
    pub(super) fn publish_metrics(&mut self, took: Duration) {
        let levels = &self.observer.levels;
        levels.taken_slots.set_size(self.admission.sessions());
        levels.max_slots.set_size(self.limits.sessions);
        levels.pending_logins.set_size(self.admission.pending_logins.len());
        levels.buffers.set_size(self.buffer_total.bytes);
        levels.max_buffers.set_size(self.limits.buffers);
        self.observer.turn_ended(took);
    }

    /// Returns when there is something to do without an event.
    pub(super) fn next_wakeup(&self, now: Instant) -> Option<Instant> {
        if !self.input.ready.is_empty() || self.searches.has_work() {
            return Some(now);
        }
        let gallery = self.gallery.as_ref().and_then(Gallery::next_wakeup);
        [self.timers.next(), gallery].into_iter().flatten().min()
    }

    fn insert(
        &mut self,
        stream: ClientSocket,
        peer: SocketAddr,
        policy: &Arc<ListenerPolicy>,
    ) -> Option<usize> {
        let owner = self.slots.next_owner();
        let source = self.admission.sources.of(peer.ip(), owner);
        let stream = ClientStream::new(stream, policy.tls.as_ref()).map_err(io::Error::other);
        let inserted = stream.and_then(|stream| {
            self.slots.insert(Connection::new(stream, peer, Arc::clone(policy), owner, source, &self.limits))
        });
        inserted.map_err(|error| self.observer.refused(peer, Refusal::Fault, &error)).ok()
    }

    /// Closes a connection and frees its slot. Its searches are stopped.
    pub(super) fn remove(&mut self, slot: usize) {
        if !self.slots.contains(slot) {
            return;
        }
        self.end_session(slot);
        let mut connection = self.slots.remove(slot);
        for job in connection.take_searches() {
            self.searches.stop(job);
        }
        self.buffer_total.update(&mut connection.counted.buffered, 0);
        self.timers.clear(slot);
        self.input.ready.remove(slot);
        self.admission.pending_logins.remove(slot);
        self.admission.probes.remove(slot);
        if let (Some(balancer), Some(asked)) = (connection.proxied.balancer, connection.proxied.asked_to_move)
        {
            self.moves.gone(balancer, asked);
        }
        if connection.counted.as_session {
            self.admission.release(connection.peer.ip(), slot, connection.user.as_deref());
        }
        log::debug!("{}: disconnected", connection.peer);
    }

    /// Notes what a connection is ready for.
    pub(super) fn note(&mut self, slot: usize, event: &Event) {
        // Reading finds the errors.
        if event.is_readable() || event.is_error() || event.is_read_closed() {
            self.mark_ready(slot);
        }
        if event.is_writable() {
            self.guard_slot(slot, |connections| connections.flush(slot, Instant::now()));
        }
    }

    /// Notes that there may be input.
    pub(super) fn mark_ready(&mut self, slot: usize) {
        if let Some(connection) = self.slots.get(slot) {
            self.input.ready.join(slot, connection.source.id);
        }
    }
}
