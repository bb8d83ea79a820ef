//! The connections, and what their sessions want: effects are carried out, output is sent, timers ring.
//! What comes in from the clients is in `input`.
//!
//! A connection lives in a slot. Slots are used again; the pool knows a connection by an owner number
//! made of slot and generation, so that what a search says late never reaches a new tenant.

use super::access_log::{self, Leaving, Refusal};
use super::buffers::Buffers;
use super::census::Census;
use super::connection::Connection;
use super::effects::{Host, carry_out};
use super::fair_queue::FairQueue;
use super::handshakes::Handshakes;
use super::input;
use super::profiles::Profiles;
use super::starts::Starts;
use super::timers::Timers;
use super::unproven::Unproven;
use super::wire::Wire;
use super::{Door, Limits, Sources};
use crate::pool::{JobId, Mailbox, Pool, SearchEvent, SearchId, SearchOrder};
use crate::protocol::Line;
use crate::protocol::framing::Lines;
use crate::session::{Effect, Errand, Input};
use mio::event::Event;
use mio::net::TcpStream;
use mio::{Interest, Registry, Token};
use slab::Slab;
use std::collections::{HashSet, VecDeque};
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
    pub(super) buffers: Buffers,
    pub(super) unproven: Unproven,
    pub(super) registry: Registry,
    pub(super) limits: Limits,
    pub(super) sources: Sources,
    pub(super) pool: Pool,
    mailbox: Arc<Mailbox>,
    pub(super) timers: Timers,
    /// When to look after clients of a remote shell, besides.
    visits: Timers,
    /// Slots with input that was announced and not yet read, or read and not yet handled.
    pub(super) ready: FairQueue<usize>,
    pub(super) starts: Starts,
    generation: u32,
    pub(super) handshakes: Handshakes,
    pub(super) profiles: Profiles,
    seed: u64,
    /// How long one client may take at a time.
    pub(super) turn: Duration,
    /// How long the input of a client may be more than can be handled before it is asked whether it is there.
    pub(super) silence: Duration,
    // Kept between turns to save allocations.
    pub(super) buffer: Vec<u8>,
    pub(super) effects: Vec<Effect>,
    /// What searches have said and was not brought to their sessions yet.
    events: VecDeque<(JobId, SearchEvent)>,
}

/// Where the owner of a search is.
fn slot_of(job: JobId) -> usize {
    job.owner as u32 as usize
}

/// The threads beside the loop, and what they have to say to it.
pub(super) struct Background {
    pub(super) pool: Pool,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) handshakes: Handshakes,
}

impl Tenants {
    pub(super) fn new(
        registry: Registry,
        Background { pool, mailbox, handshakes }: Background,
        limits: Limits,
        sources: Sources,
        profiles: Profiles,
        seed: u64,
    ) -> Tenants {
        Tenants {
            connections: Slab::new(),
            buffers: Buffers::default(),
            census: Census::new(limits.sessions, limits.sessions_per_address),
            unproven: Unproven::new(limits.unproven),
            registry,
            limits,
            sources,
            pool,
            mailbox,
            timers: Timers::default(),
            visits: Timers::default(),
            ready: FairQueue::new(),
            starts: Starts::new(),
            generation: 0,
            handshakes,
            profiles,
            seed,
            turn: input::TURN,
            silence: input::SILENCE,
            buffer: vec![0; input::AT_ONCE],
            effects: Vec::new(),
            events: VecDeque::new(),
        }
    }

    /// From now on newcomers get these.
    pub(super) fn adopt(&mut self, limits: Limits, profiles: Profiles) {
        self.census.limit(limits.sessions, limits.sessions_per_address);
        self.unproven.limit(limits.unproven);
        (self.limits, self.profiles) = (limits, profiles);
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
        // Whoever puts something into a mailbox that is not empty wakes nobody: the one before has.
        let has_mail = !self.events.is_empty() || !self.mailbox.is_empty();
        if !self.ready.is_empty() || !self.starts.is_empty() || has_mail {
            return Some(now);
        }
        [self.timers.next(), self.visits.next()].into_iter().flatten().min()
    }

    /// Gives a connection a slot.
    pub(super) fn insert(&mut self, stream: TcpStream, peer: SocketAddr, door: &Arc<Door>) -> Option<usize> {
        let mut wire = match Wire::new(stream, door.tls.as_ref()) {
            Ok(wire) => wire,
            Err(error) => {
                access_log::refused(peer, Refusal::Fault, &error);
                return None;
            }
        };
        let entry = self.connections.vacant_entry();
        let slot = entry.key();
        if let Err(error) = self.registry.register(wire.socket_mut(), Token(slot), Interest::READABLE) {
            access_log::refused(peer, Refusal::Fault, &error);
            return None;
        }
        self.generation = self.generation.wrapping_add(1);
        let owner = u64::from(self.generation) << 32 | slot as u64;
        let source = self.sources.of(peer.ip(), owner);
        entry.insert(Connection::new(wire, peer, Arc::clone(door), owner, source, &self.limits));
        Some(slot)
    }

    /// Remembers what a connection is ready for.
    pub(super) fn note(&mut self, slot: usize, event: &Event) {
        // Errors are found by reading.
        if event.is_readable() || event.is_error() || event.is_read_closed() {
            self.list(slot);
        }
        if event.is_writable() {
            self.turn_of(slot, |tenants| tenants.settle(slot, Instant::now()));
        }
    }

    /// Notes that there may be something to read.
    pub(super) fn list(&mut self, slot: usize) {
        if let Some(connection) = self.connections.get(slot) {
            self.ready.join(slot, connection.source.id);
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
        carry_out(&mut effects, &mut Slot { tenants: self, slot, now });
        self.effects = effects;
    }

    /// Ends the session. What it has said is still sent.
    pub(super) fn close(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.connections[slot];
        connection.say_end();
        connection.session = None;
        connection.entrance = None;
        self.unproven.leave(slot);
        // What it has not handled has nobody to handle it any more.
        connection.lines = Lines::new(self.limits.line);
        for search in connection.searches.drain(..) {
            self.starts.stop(JobId { owner: connection.owner, search }, &self.pool);
        }
        self.timers.set(slot, Some(now + FAREWELL));
    }

    /// Sends what can be sent, and ends what has come to its end. To be called after everything that may
    /// have changed the output of a connection.
    pub(super) fn settle(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.connections.get_mut(slot) else { return };
        if connection.is_arriving() {
            // Until it has arrived nothing is said.
            if connection.eof {
                self.remove(slot);
            }
            return;
        }
        let written = connection.write(now);
        self.count_buffers(slot);
        if let Err(error) = written {
            return self.lost(slot, &error);
        }
        let Some(connection) = self.connections.get_mut(slot) else { return };
        if connection.unsent() > self.limits.output.hard {
            connection.leaving = Leaving::Deaf;
            return self.remove(slot);
        }
        if connection.is_sent() && connection.is_over() && !connection.lingers {
            connection.linger();
            if connection.lingers {
                // A window that is busy reads late, and what its user does meanwhile must not meet a closed connection.
                let patience = if connection.visit.is_some() { FAREWELL } else { LINGER };
                self.timers.set(slot, Some(now + patience));
            }
        }
        if connection.eof && connection.lingers {
            return self.remove(slot);
        }
        if let Some(visit) = &connection.visit {
            self.visits.set(slot, visit.wake(now));
        }
        self.await_room(slot);
    }

    /// Asks to be told when there is room for more output, exactly while there is output left.
    fn await_room(&mut self, slot: usize) {
        let connection = &mut self.connections[slot];
        let awaits_room = !connection.is_written();
        if awaits_room == connection.awaits_room {
            return;
        }
        let interest = if awaits_room { Interest::READABLE | Interest::WRITABLE } else { Interest::READABLE };
        match self.registry.reregister(connection.wire.socket_mut(), Token(slot), interest) {
            Ok(()) => connection.awaits_room = awaits_room,
            Err(error) => self.lost(slot, &error),
        }
    }

    pub(super) fn lost(&mut self, slot: usize, error: &io::Error) {
        if let Some(connection) = self.connections.get_mut(slot) {
            connection.leaving = Leaving::Lost(error.kind());
            connection.say_gone();
            if connection.wire.is_handshaking() && error.kind() == io::ErrorKind::InvalidData {
                access_log::refused(connection.peer, Refusal::NoTls, error);
            }
            log::debug!("{}: lost: {error}", connection.peer);
        }
        self.remove(slot);
    }

    pub(super) fn remove(&mut self, slot: usize) {
        let Some(mut connection) = self.connections.try_remove(slot) else { return };
        connection.say_end();
        for &search in &connection.searches {
            self.starts.stop(JobId { owner: connection.owner, search }, &self.pool);
        }
        self.buffers.note(&mut connection.held, 0);
        self.timers.set(slot, None);
        self.visits.set(slot, None);
        self.ready.remove(slot);
        self.unproven.leave(slot);
        if connection.counted {
            self.census.leave(connection.peer.ip());
        }
        let back = connection.visit.as_mut().and_then(|visit| visit.back());
        for stream in [connection.wire.socket_mut()].into_iter().chain(back) {
            if let Err(error) = self.registry.deregister(stream) {
                log::debug!("{}: {error}", connection.peer);
            }
        }
        log::debug!("{}: disconnected", connection.peer);
    }

    /// Wakes those whose time has come. What their searches have said by then is brought to them before.
    pub(super) fn serve_timers(&mut self) {
        let now = Instant::now();
        // All at once: a session that sets a timer for an instant that is over must not keep us here.
        let due: Vec<usize> = std::iter::from_fn(|| self.timers.take_due(now)).collect();
        if !due.is_empty() {
            self.fetch_mail();
            let due: HashSet<usize> = due.iter().copied().collect();
            let (urgent, others) = self.events.drain(..).partition(|(job, _)| due.contains(&slot_of(*job)));
            self.events = urgent;
            while self.serve_next_event(now).is_some() {}
            self.events = others;
        }
        for slot in due {
            self.turn_of(slot, |tenants| tenants.serve_timer(slot, now));
        }
        let due: Vec<usize> = std::iter::from_fn(|| self.visits.take_due(now)).collect();
        for slot in due {
            self.turn_of(slot, |tenants| tenants.serve_visit(slot, now));
        }
    }

    fn serve_timer(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.connections.get(slot) else { return };
        if connection.session.is_some() {
            self.tell(slot, Input::Timer, now);
            self.settle(slot, now);
        } else if connection.entrance.is_some() {
            self.close_late(slot, now);
        } else if connection.is_arriving() {
            self.end_arrival(slot, now);
        } else {
            self.remove(slot);
        }
    }

    /// Brings what searches have said to their sessions, as much as there is time for in one turn.
    pub(super) fn serve_searches(&mut self) {
        if self.events.is_empty() {
            self.fetch_mail();
        }
        let now = Instant::now();
        let end = now + self.turn;
        while let Some(is_last) = self.serve_next_event(now) {
            if is_last && Instant::now() >= end {
                return;
            }
        }
    }

    /// Takes over what is in the mailbox.
    fn fetch_mail(&mut self) {
        let mut events = std::mem::take(&mut self.events).into();
        self.mailbox.take(&mut events);
        self.events = events.into();
    }

    /// Brings the next word of a search to its session: whether it was the last one of that search; `None` if there is none.
    fn serve_next_event(&mut self, now: Instant) -> Option<bool> {
        let (job, event) = self.events.pop_front()?;
        let is_last = self.events.front().is_none_or(|&(next, _)| next != job);
        let slot = slot_of(job);
        self.turn_of(slot, |tenants| tenants.serve_search(slot, job, event, is_last, now));
        Some(is_last)
    }

    /// Brings one word of a search to its session; what that says to the last one is sent with what it has said before.
    fn serve_search(&mut self, slot: usize, job: JobId, event: SearchEvent, is_last: bool, now: Instant) {
        let connection = self.connections.get_mut(slot);
        let Some(connection) = connection.filter(|connection| connection.owner == job.owner) else { return };
        if !matches!(event, SearchEvent::Report(_)) {
            connection.searches.retain(|&search| search != job.search);
        }
        self.tell(slot, Input::Search(job.search, event), now);
        if is_last {
            self.settle(slot, now);
        }
    }

    /// Tells every session that the server ends.
    pub(super) fn drain(&mut self, now: Instant) {
        let slots: Vec<usize> = self.connections.iter().map(|(slot, _)| slot).collect();
        for slot in slots {
            self.turn_of(slot, |tenants| tenants.drain_one(slot, now));
        }
    }

    fn drain_one(&mut self, slot: usize, now: Instant) {
        if self.connections[slot].is_arriving() {
            return self.remove(slot);
        }
        self.connections[slot].leaving = Leaving::Drained;
        self.tell(slot, Input::Drain, now);
        if self.connections.get(slot).is_some_and(|connection| connection.entrance.is_some()) {
            self.close(slot, now);
        }
        self.settle(slot, now);
    }

    /// Ends all connections now.
    pub(super) fn clear(&mut self) {
        let slots: Vec<usize> = self.connections.iter().map(|(slot, _)| slot).collect();
        for slot in slots {
            self.connections[slot].leaving = Leaving::Drained;
            self.remove(slot);
        }
    }
}

/// A connection, as the place where its session lives.
struct Slot<'a> {
    tenants: &'a mut Tenants,
    slot: usize,
    now: Instant,
}

impl Host for Slot<'_> {
    fn send(&mut self, line: Line) {
        self.tenants.connections[self.slot].say(line);
    }

    fn search(&mut self, search: SearchId, order: SearchOrder) {
        let connection = &mut self.tenants.connections[self.slot];
        match order {
            // First: it must be known even if starting it fails.
            SearchOrder::Start(..) => connection.searches.push(search),
            SearchOrder::Stop => connection.searches.retain(|&other| other != search),
            _ => {}
        }
        let job = JobId { owner: connection.owner, search };
        self.tenants.starts.order(job, order, connection.source, &self.tenants.pool);
    }

    fn set_timer(&mut self, at: Option<Instant>) {
        self.tenants.timers.set(self.slot, at);
    }

    fn run_errand(&mut self, errand: Errand) {
        // Nobody far away has files here.
        log::error!("{}: not done: {errand:?}", self.tenants.connections[self.slot].peer);
    }

    fn close(&mut self) {
        let connection = &mut self.tenants.connections[self.slot];
        if !connection.eof && connection.leaving == Leaving::Closed {
            connection.leaving = Leaving::Quit;
        }
        self.tenants.close(self.slot, self.now);
    }
}
