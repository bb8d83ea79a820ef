//! The connections, and what their sessions want: effects are carried out, output is sent, timers ring.
//! What comes in from the clients is in `input`.
//!
//! A connection lives in a slot. Slots are used again; the pool knows a connection by an owner number
//! made of slot and generation, so that what a search says late never reaches a new tenant.

use super::Limits;
use super::census::Census;
use super::connection::Connection;
use super::input;
use super::timers::Timers;
use crate::pool::{JobId, Mailbox, Pool, SearchEvent};
use crate::protocol::framing::Lines;
use crate::session::{Effect, Input};
use mio::event::Event;
use mio::net::TcpStream;
use mio::{Interest, Registry, Token};
use slab::Slab;
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a closing connection may take to read what it was told.
const FAREWELL: Duration = Duration::from_secs(10);
/// How long we wait for the other side to close, once everything is sent.
const LINGER: Duration = Duration::from_secs(2);

/// All connections with what they share.
pub(super) struct Tenants {
    pub(super) connections: Slab<Connection>,
    pub(super) census: Census,
    registry: Registry,
    pub(super) limits: Limits,
    pool: Pool,
    mailbox: Arc<Mailbox>,
    timers: Timers,
    /// Slots with input that was announced and not yet read, or read and not yet handled.
    pub(super) ready: VecDeque<usize>,
    generation: u32,
    seed: u64,
    // Kept between turns to save allocations.
    pub(super) buffer: Vec<u8>,
    pub(super) effects: Vec<Effect>,
    events: Vec<(JobId, SearchEvent)>,
}

impl Tenants {
    pub(super) fn new(
        registry: Registry,
        pool: Pool,
        mailbox: Arc<Mailbox>,
        limits: Limits,
        seed: u64,
    ) -> Tenants {
        Tenants {
            connections: Slab::new(),
            census: Census::new(limits.sessions, limits.sessions_per_address),
            registry,
            limits,
            pool,
            mailbox,
            timers: Timers::default(),
            ready: VecDeque::new(),
            generation: 0,
            seed,
            buffer: vec![0; input::AT_ONCE],
            effects: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Whether nobody is connected.
    pub(super) fn is_empty(&self) -> bool {
        self.connections.is_empty()
    }

    /// How many sessions there are.
    pub(super) fn sessions(&self) -> usize {
        self.census.sessions()
    }

    /// A seed for one more session.
    pub(super) fn seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.seed
    }

    /// When there is something to do although no event comes.
    pub(super) fn wake(&self, now: Instant) -> Option<Instant> {
        if self.ready.is_empty() { self.timers.next() } else { Some(now) }
    }

    /// Gives a connection a slot.
    pub(super) fn insert(&mut self, mut stream: TcpStream, peer: SocketAddr) -> Option<usize> {
        let entry = self.connections.vacant_entry();
        let slot = entry.key();
        if let Err(error) = self.registry.register(&mut stream, Token(slot), Interest::READABLE) {
            log::error!("{peer}: turned away: {error}");
            return None;
        }
        self.generation = self.generation.wrapping_add(1);
        let owner = u64::from(self.generation) << 32 | slot as u64;
        entry.insert(Connection::new(stream, peer, owner, self.limits.line, self.limits.output));
        Some(slot)
    }

    /// Remembers what a connection is ready for.
    pub(super) fn note(&mut self, slot: usize, event: &Event) {
        let Some(connection) = self.connections.get_mut(slot) else { return };
        // Errors are found by reading.
        if (event.is_readable() || event.is_error() || event.is_read_closed()) && !connection.listed {
            connection.listed = true;
            self.ready.push_back(slot);
        }
        if event.is_writable() {
            self.settle(slot, Instant::now());
        }
    }

    /// Tells a session something and carries out what it wants.
    pub(super) fn tell(&mut self, slot: usize, input: Input<'_>, now: Instant) {
        if let Some(connection) = self.connections.get_mut(slot)
            && let Some(session) = &mut connection.session
        {
            session.handle(input, now, &mut self.effects);
            self.carry_out(slot, now);
        }
    }

    pub(super) fn carry_out(&mut self, slot: usize, now: Instant) {
        let mut effects = std::mem::take(&mut self.effects);
        for effect in effects.drain(..) {
            let connection = &mut self.connections[slot];
            let job = |search| JobId { owner: connection.owner, search };
            match effect {
                Effect::Reply(reply) => connection.output.push(&reply.line(), reply.thinking_key()),
                Effect::Start(search, request, terms) => {
                    self.pool.start(job(search), request, terms);
                    connection.searches.push(search);
                }
                Effect::Retime(search, terms) => self.pool.retime(job(search), terms),
                Effect::Stop(search) => {
                    self.pool.stop(job(search));
                    connection.searches.retain(|&other| other != search);
                }
                Effect::Timer(at) => self.timers.set(slot, at),
                Effect::Close => {
                    self.close(slot, now);
                    break;
                }
            }
        }
        effects.clear();
        self.effects = effects;
    }

    /// Ends the session. What it has said is still sent.
    pub(super) fn close(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.connections[slot];
        connection.session = None;
        // What it has not handled has nobody to handle it any more.
        connection.lines = Lines::new(self.limits.line);
        for search in connection.searches.drain(..) {
            self.pool.stop(JobId { owner: connection.owner, search });
        }
        self.timers.set(slot, Some(now + FAREWELL));
    }

    /// Sends what can be sent, and ends what has come to its end. To be called after everything that may
    /// have changed the output of a connection.
    pub(super) fn settle(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.connections.get_mut(slot) else { return };
        if let Err(error) = connection.write() {
            return self.lost(slot, &error);
        }
        if connection.output.is_over_hard_limit() {
            let (peer, unread) = (connection.peer, connection.output.bytes());
            log::warn!("{peer}: closed, as it does not read: {unread} bytes are waiting");
            return self.remove(slot);
        }
        if connection.output.is_empty() && connection.session.is_none() && !connection.lingers {
            if connection.eof {
                return self.remove(slot);
            }
            connection.linger();
            self.timers.set(slot, Some(now + LINGER));
        } else if connection.eof && connection.lingers {
            return self.remove(slot);
        }
        self.await_room(slot);
    }

    /// Asks to be told when there is room for more output, exactly while there is output left.
    fn await_room(&mut self, slot: usize) {
        let connection = &mut self.connections[slot];
        let awaits_room = !connection.output.is_empty();
        if awaits_room == connection.awaits_room {
            return;
        }
        let interest = if awaits_room { Interest::READABLE | Interest::WRITABLE } else { Interest::READABLE };
        match self.registry.reregister(&mut connection.stream, Token(slot), interest) {
            Ok(()) => connection.awaits_room = awaits_room,
            Err(error) => self.lost(slot, &error),
        }
    }

    pub(super) fn lost(&mut self, slot: usize, error: &io::Error) {
        if let Some(connection) = self.connections.get(slot) {
            log::debug!("{}: lost: {error}", connection.peer);
        }
        self.remove(slot);
    }

    fn remove(&mut self, slot: usize) {
        let Some(mut connection) = self.connections.try_remove(slot) else { return };
        for &search in &connection.searches {
            self.pool.stop(JobId { owner: connection.owner, search });
        }
        self.timers.set(slot, None);
        if connection.listed {
            // Otherwise the next tenant of the slot would have two turns where others have one.
            self.ready.retain(|&other| other != slot);
        }
        if connection.counted {
            self.census.leave(connection.peer.ip());
        }
        if let Err(error) = self.registry.deregister(&mut connection.stream) {
            log::debug!("{}: {error}", connection.peer);
        }
        log::debug!("{}: closed, {} sessions", connection.peer, self.census.sessions());
    }

    /// Wakes those whose time has come.
    pub(super) fn serve_timers(&mut self) {
        let now = Instant::now();
        // All at once: a session that sets a timer for an instant that is over must not keep us here.
        let due: Vec<usize> = std::iter::from_fn(|| self.timers.take_due(now)).collect();
        for slot in due {
            let Some(connection) = self.connections.get(slot) else { continue };
            if connection.session.is_some() {
                self.tell(slot, Input::Timer, now);
                self.settle(slot, now);
            } else {
                self.remove(slot);
            }
        }
    }

    /// Brings what searches have said to their sessions.
    pub(super) fn serve_searches(&mut self) {
        let mut events = std::mem::take(&mut self.events);
        self.mailbox.take(&mut events);
        let now = Instant::now();
        for (job, event) in events.drain(..) {
            let slot = job.owner as u32 as usize;
            let Some(connection) =
                self.connections.get_mut(slot).filter(|connection| connection.owner == job.owner)
            else {
                continue;
            };
            if matches!(event, SearchEvent::Done(_)) {
                connection.searches.retain(|&search| search != job.search);
            }
            self.tell(slot, Input::Search(job.search, event), now);
            self.settle(slot, now);
        }
        self.events = events;
    }

    /// Tells every session that the server ends.
    pub(super) fn drain(&mut self, now: Instant) {
        let slots: Vec<usize> = self.connections.iter().map(|(slot, _)| slot).collect();
        for slot in slots {
            self.tell(slot, Input::Drain, now);
            self.settle(slot, now);
        }
    }

    /// Ends all connections now.
    pub(super) fn clear(&mut self) {
        let slots: Vec<usize> = self.connections.iter().map(|(slot, _)| slot).collect();
        slots.into_iter().for_each(|slot| self.remove(slot));
    }
}
