//! The connections, and what their sessions want: effects are carried out, output is sent, timers ring.
//! What comes in from the clients is in `input`.
//!
//! A connection lives in a slot. Slots are used again; the pool knows a connection by an owner number
//! made of slot and generation, so that what a search says late never reaches a new tenant.

use super::access_log::{self, CloseReason, Refusal};
use super::buffers::BufferTotal;
use super::client_stream::ClientStream;
use super::connection::Connection;
use super::effects::{Host, carry_out};
use super::fair_queue::FairQueue;
use super::input;
use super::pending_logins::PendingLogins;
use super::profiles::Profiles;
use super::search_queue::SearchQueue;
use super::session_limits::SessionLimits;
use super::timers::Timers;
use super::tls_handshakes::TlsHandshakes;
use super::{Limits, ListenerPolicy, Sources};
use crate::pool::{JobId, Mailbox, Pool, SearchEvent, SearchId, SearchOrder};
use crate::protocol::Line;
use crate::protocol::framing::LineSplitter;
use crate::session::{Effect, FileRequest, Input};
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
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long we wait for the other side to close, once everything is sent.
const LINGER_TIMEOUT: Duration = Duration::from_secs(2);

/// All connections with what they share.
pub(super) struct Connections {
    pub(super) slots: Slab<Connection>,
    pub(super) session_limits: SessionLimits,
    pub(super) buffers: BufferTotal,
    pub(super) pending_logins: PendingLogins,
    pub(super) registry: Registry,
    pub(super) limits: Limits,
    pub(super) sources: Sources,
    pub(super) pool: Pool,
    mailbox: Arc<Mailbox>,
    pub(super) timers: Timers,
    /// When to look after clients of a remote shell, besides.
    rsh_timers: Timers,
    /// Slots with input that was announced and not yet read, or read and not yet handled.
    pub(super) ready: FairQueue<usize>,
    pub(super) search_queue: SearchQueue,
    generation: u32,
    pub(super) handshakes: TlsHandshakes,
    pub(super) profiles: Profiles,
    seed: u64,
    /// How long one client may take at a time.
    pub(super) max_turn: Duration,
    /// How long the input of a client may be more than can be handled before it is asked whether it is there.
    pub(super) overload_notice_after: Duration,
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
    pub(super) handshakes: TlsHandshakes,
}

impl Connections {
    pub(super) fn new(
        registry: Registry,
        Background { pool, mailbox, handshakes }: Background,
        limits: Limits,
        sources: Sources,
        profiles: Profiles,
        seed: u64,
    ) -> Connections {
        Connections {
            slots: Slab::new(),
            buffers: BufferTotal::default(),
            session_limits: SessionLimits::new(limits.sessions, limits.sessions_per_address),
            pending_logins: PendingLogins::new(limits.pending_logins),
            registry,
            limits,
            sources,
            pool,
            mailbox,
            timers: Timers::default(),
            rsh_timers: Timers::default(),
            ready: FairQueue::new(),
            search_queue: SearchQueue::new(),
            generation: 0,
            handshakes,
            profiles,
            seed,
            max_turn: input::MAX_TURN,
            overload_notice_after: input::OVERLOAD_NOTICE_AFTER,
            buffer: vec![0; input::MAX_READ_PER_TURN],
            effects: Vec::new(),
            events: VecDeque::new(),
        }
    }

    /// From now on newcomers get these.
    pub(super) fn adopt(&mut self, limits: Limits, profiles: Profiles) {
        self.session_limits.set_limits(limits.sessions, limits.sessions_per_address);
        self.pending_logins.set_limit(limits.pending_logins);
        (self.limits, self.profiles) = (limits, profiles);
    }

    /// Whether nobody is connected.
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// How many sessions there are.
    pub(super) fn sessions(&self) -> usize {
        self.session_limits.sessions()
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
        if !self.ready.is_empty() || !self.search_queue.is_empty() || has_mail {
            return Some(now);
        }
        [self.timers.next(), self.rsh_timers.next()].into_iter().flatten().min()
    }

    /// Gives a connection a slot.
    pub(super) fn insert(
        &mut self,
        stream: TcpStream,
        peer: SocketAddr,
        policy: &Arc<ListenerPolicy>,
    ) -> Option<usize> {
        let mut stream = match ClientStream::new(stream, policy.tls.as_ref()) {
            Ok(stream) => stream,
            Err(error) => {
                access_log::refused(peer, Refusal::Fault, &error);
                return None;
            }
        };
        let entry = self.slots.vacant_entry();
        let slot = entry.key();
        if let Err(error) = self.registry.register(stream.socket_mut(), Token(slot), Interest::READABLE) {
            access_log::refused(peer, Refusal::Fault, &error);
            return None;
        }
        self.generation = self.generation.wrapping_add(1);
        let owner = u64::from(self.generation) << 32 | slot as u64;
        let source = self.sources.of(peer.ip(), owner);
        entry.insert(Connection::new(stream, peer, Arc::clone(policy), owner, source, &self.limits));
        Some(slot)
    }

    /// Remembers what a connection is ready for.
    pub(super) fn note(&mut self, slot: usize, event: &Event) {
        // Errors are found by reading.
        if event.is_readable() || event.is_error() || event.is_read_closed() {
            self.mark_ready(slot);
        }
        if event.is_writable() {
            self.guard_slot(slot, |connections| connections.flush(slot, Instant::now()));
        }
    }

    /// Notes that there may be something to read.
    pub(super) fn mark_ready(&mut self, slot: usize) {
        if let Some(connection) = self.slots.get(slot) {
            self.ready.join(slot, connection.source.id);
        }
    }

    /// Tells a session something and carries out what it wants.
    pub(super) fn deliver(&mut self, slot: usize, input: Input<'_>, now: Instant) {
        if let Some(connection) = self.slots.get_mut(slot)
            && let Some(session) = &mut connection.session
        {
            session.handle(input, now, &mut self.effects);
            self.carry_out(slot, now);
        }
    }

    pub(super) fn carry_out(&mut self, slot: usize, now: Instant) {
        let mut effects = std::mem::take(&mut self.effects);
        carry_out(&mut effects, &mut ConnectionHost { connections: self, slot, now });
        self.effects = effects;
    }

    /// Ends the session. What it has said is still sent.
    pub(super) fn close(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        connection.log_end();
        connection.session = None;
        connection.login = None;
        self.pending_logins.remove(slot);
        // What it has not handled has nobody to handle it any more.
        connection.lines = LineSplitter::new(self.limits.line);
        for search in connection.searches.drain(..) {
            self.search_queue.stop(JobId { owner: connection.owner, search }, &self.pool);
        }
        self.timers.set(slot, Some(now + CLOSE_TIMEOUT));
    }

    /// Sends what can be sent, and ends what has come to its end. To be called after everything that may
    /// have changed the output of a connection.
    pub(super) fn flush(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.slots.get_mut(slot) else { return };
        if connection.is_logging_in() {
            // Until it has arrived nothing is said.
            if connection.eof {
                self.remove(slot);
            }
            return;
        }
        let written = connection.write(now);
        self.update_buffer_total(slot);
        if let Err(error) = written {
            return self.drop_broken(slot, &error);
        }
        let Some(connection) = self.slots.get_mut(slot) else { return };
        if connection.unsent() > self.limits.output.hard {
            connection.close_reason = CloseReason::Deaf;
            return self.remove(slot);
        }
        if connection.is_sent() && connection.is_closing() && !connection.is_lingering {
            connection.linger();
            if connection.is_lingering {
                // A window that is busy reads late, and what its user does meanwhile must not meet a closed connection.
                let patience = if connection.rsh.is_some() { CLOSE_TIMEOUT } else { LINGER_TIMEOUT };
                self.timers.set(slot, Some(now + patience));
            }
        }
        if connection.eof && connection.is_lingering {
            return self.remove(slot);
        }
        if let Some(rsh) = &connection.rsh {
            self.rsh_timers.set(slot, rsh.wake(now));
        }
        self.await_writable(slot);
    }

    /// Asks to be told when there is room for more output, exactly while there is output left.
    fn await_writable(&mut self, slot: usize) {
        let connection = &mut self.slots[slot];
        let awaits_writable = !connection.is_written();
        if awaits_writable == connection.awaits_writable {
            return;
        }
        let interest =
            if awaits_writable { Interest::READABLE | Interest::WRITABLE } else { Interest::READABLE };
        match self.registry.reregister(connection.stream.socket_mut(), Token(slot), interest) {
            Ok(()) => connection.awaits_writable = awaits_writable,
            Err(error) => self.drop_broken(slot, &error),
        }
    }

    pub(super) fn drop_broken(&mut self, slot: usize, error: &io::Error) {
        if let Some(connection) = self.slots.get_mut(slot) {
            connection.close_reason = CloseReason::Lost(error.kind());
            connection.log_missing_proof();
            if connection.stream.is_handshaking() && error.kind() == io::ErrorKind::InvalidData {
                access_log::refused(connection.peer, Refusal::NoTls, error);
            }
            log::debug!("{}: lost: {error}", connection.peer);
        }
        self.remove(slot);
    }

    pub(super) fn remove(&mut self, slot: usize) {
        let Some(mut connection) = self.slots.try_remove(slot) else { return };
        connection.log_end();
        for &search in &connection.searches {
            self.search_queue.stop(JobId { owner: connection.owner, search }, &self.pool);
        }
        self.buffers.update(&mut connection.held, 0);
        self.timers.set(slot, None);
        self.rsh_timers.set(slot, None);
        self.ready.remove(slot);
        self.pending_logins.remove(slot);
        if connection.counts_as_session {
            self.session_limits.release(connection.peer.ip());
        }
        let signal_channel = connection.rsh.as_mut().and_then(|rsh| rsh.signal_channel());
        for stream in [connection.stream.socket_mut()].into_iter().chain(signal_channel) {
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
            self.guard_slot(slot, |connections| connections.serve_timer(slot, now));
        }
        let due: Vec<usize> = std::iter::from_fn(|| self.rsh_timers.take_due(now)).collect();
        for slot in due {
            self.guard_slot(slot, |connections| connections.serve_rsh_timer(slot, now));
        }
    }

    fn serve_timer(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.slots.get(slot) else { return };
        if connection.session.is_some() {
            self.deliver(slot, Input::Timer, now);
            self.flush(slot, now);
        } else if connection.login.is_some() {
            self.close_late(slot, now);
        } else if connection.is_logging_in() {
            self.time_out_rsh_login(slot, now);
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
        let end = now + self.max_turn;
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
        self.guard_slot(slot, |connections| connections.serve_search(slot, job, event, is_last, now));
        Some(is_last)
    }

    /// Brings one word of a search to its session; what that says to the last one is sent with what it has said before.
    fn serve_search(&mut self, slot: usize, job: JobId, event: SearchEvent, is_last: bool, now: Instant) {
        let connection = self.slots.get_mut(slot);
        let Some(connection) = connection.filter(|connection| connection.owner == job.owner) else { return };
        if !matches!(event, SearchEvent::Report(_)) {
            connection.searches.retain(|&search| search != job.search);
        }
        self.deliver(slot, Input::Search(job.search, event), now);
        if is_last {
            self.flush(slot, now);
        }
    }

    /// Tells every session that the server ends.
    pub(super) fn drain(&mut self, now: Instant) {
        let slots: Vec<usize> = self.slots.iter().map(|(slot, _)| slot).collect();
        for slot in slots {
            self.guard_slot(slot, |connections| connections.drain_one(slot, now));
        }
    }

    fn drain_one(&mut self, slot: usize, now: Instant) {
        if self.slots[slot].is_logging_in() {
            return self.remove(slot);
        }
        self.slots[slot].close_reason = CloseReason::Drained;
        self.deliver(slot, Input::Drain, now);
        if self.slots.get(slot).is_some_and(|connection| connection.login.is_some()) {
            self.close(slot, now);
        }
        self.flush(slot, now);
    }

    /// Ends all connections now.
    pub(super) fn clear(&mut self) {
        let slots: Vec<usize> = self.slots.iter().map(|(slot, _)| slot).collect();
        for slot in slots {
            self.slots[slot].close_reason = CloseReason::Drained;
            self.remove(slot);
        }
    }
}

/// A connection, as the place where its session lives.
struct ConnectionHost<'a> {
    connections: &'a mut Connections,
    slot: usize,
    now: Instant,
}

impl Host for ConnectionHost<'_> {
    fn send(&mut self, line: Line) {
        self.connections.slots[self.slot].say(line);
    }

    fn search(&mut self, search: SearchId, order: SearchOrder) {
        let connection = &mut self.connections.slots[self.slot];
        match order {
            // First: it must be known even if starting it fails.
            SearchOrder::Start(..) => connection.searches.push(search),
            SearchOrder::Stop => connection.searches.retain(|&other| other != search),
            _ => {}
        }
        let job = JobId { owner: connection.owner, search };
        self.connections.search_queue.order(job, order, connection.source, &self.connections.pool);
    }

    fn set_timer(&mut self, at: Option<Instant>) {
        self.connections.timers.set(self.slot, at);
    }

    fn run_file_request(&mut self, request: FileRequest) {
        // Nobody far away has files here.
        log::error!("{}: not done: {request:?}", self.connections.slots[self.slot].peer);
    }

    fn close(&mut self) {
        let connection = &mut self.connections.slots[self.slot];
        if !connection.eof && connection.close_reason == CloseReason::Closed {
            connection.close_reason = CloseReason::Quit;
        }
        self.connections.close(self.slot, self.now);
    }
}
