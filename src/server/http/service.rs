//! The HTTP thread: a small event loop of its own.

use super::client::{Context, HttpClient, TurnEnd};
use super::door::Door;
use super::metrics::{AllMetrics, HttpMetrics};
use super::relays::{Relays, WebEntry};
use super::responder::Responder;
use super::slots::{Crowd, Holder};
use crate::metrics::text::Writer;
use crate::server::ListenerPolicy;
use crate::server::admission::address_block;
use crate::server::event_loop::poll;
use crate::server::listen::acceptor::Acceptor;
use crate::server::observe::metrics::Metrics;
use crate::server::os::panic_guard::guarded;
use crate::server::os::process::lower_thread_priority;
use crate::server::outcome::Refusal;
use crate::server::watch::Audience;
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token};
use slab::Slab;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

pub(super) const WAKER: Token = Token(usize::MAX);
const LISTENER: Token = Token(usize::MAX - 1);

pub(in crate::server) const MAX_CLIENTS: usize = 256;
/// The first token of WebSockets; clients count up from 0.
const FIRST_RELAY: usize = MAX_CLIENTS;
/// New connections per turn: so few that their requests are answered before they lose their slots.
const MAX_ACCEPTS: usize = MAX_CLIENTS / 4;
/// Interval at which the server's loop is asked for a sign of life, and bans are enforced.
const BEAT: Duration = Duration::from_secs(5);
const BUFFER: usize = 16 << 10;
/// Time at the end of the server for WebSockets to pass on the last words of their sessions.
const LAST_WORDS: Duration = Duration::from_secs(1);

pub(super) struct Service {
    poll: Poll,
    socket: TcpListener,
    policy: CurrentPolicy,
    responder: Responder,
    http_metrics: Arc<HttpMetrics>,
    metrics: Arc<Metrics>,
    is_over: Arc<AtomicBool>,
    acceptor: Acceptor,
    clients: Slab<HttpClient>,
    relays: Relays,
    buffer: Vec<u8>,
    next_beat: Instant,
}

impl Service {
    /// Listens on this socket. `entry` leads to the server's loop; the thread ends once `is_over`.
    ///
    /// # Errors
    /// The system lacks resources.
    pub(super) fn new(
        poll: Poll,
        mut socket: TcpListener,
        policy: CurrentPolicy,
        all: AllMetrics,
        entry: WebEntry,
        audience: Audience,
        is_over: Arc<AtomicBool>,
    ) -> io::Result<Service> {
        poll.registry().register(&mut socket, LISTENER, Interest::READABLE)?;
        let (metrics, http_metrics) = (Arc::clone(&all.server), Arc::clone(&all.http));
        let address = socket.local_addr()?.ip();
        Ok(Service {
            poll,
            socket,
            policy,
            http_metrics,
            responder: Responder::new(Arc::clone(&metrics), Writer::new(all), address),
            metrics,
            is_over,
            acceptor: Acceptor::new(),
            clients: Slab::new(),
            relays: Relays::new(entry, audience, FIRST_RELAY),
            buffer: vec![0; BUFFER],
            next_beat: Instant::now(),
        })
    }

    pub(super) fn run(mut self) {
        lower_thread_priority();
        let mut events = Events::with_capacity(2 * MAX_CLIENTS);
        let mut end = None;
        while !self.has_ended(&mut end) {
            if let Err(error) = self.wait(&mut events) {
                log::error!("HTTP stopped: {error}");
                return;
            }
            for event in &events {
                match event.token() {
                    WAKER => {}
                    LISTENER => self.acceptor.ready = true,
                    Token(token) if token >= FIRST_RELAY => self.relays.note(token),
                    Token(key) => {
                        self.clients.get_mut(key).into_iter().for_each(|client| client.ready = true)
                    }
                }
            }
            let now = Instant::now();
            // The wake-up may only have announced a new policy.
            self.policy.get();
            self.accept(now);
            self.serve(now);
            self.relays.serve(&mut self.buffer, now);
            self.beat(now);
        }
    }

    /// Returns true once the server is over and its sessions' last words are sent, or it is too
    /// late for that.
    fn has_ended(&self, end: &mut Option<Instant>) -> bool {
        if !self.is_over.load(Ordering::Acquire) {
            return false;
        }
        let now = Instant::now();
        self.relays.is_empty() || now >= *end.get_or_insert(now + LAST_WORDS)
    }

    fn wait(&mut self, events: &mut Events) -> io::Result<()> {
        let now = Instant::now();
        let busy = self.clients.iter().any(|(_, client)| client.ready).then_some(now);
        let deadlines = self.clients.iter().map(|(_, client)| client.deadline());
        let relays = self.relays.next_wakeup(now);
        let next = deadlines
            .chain(busy)
            .chain(relays)
            .chain(self.acceptor.next_wakeup(now))
            .chain([self.next_beat])
            .min();
        poll(&mut self.poll, events, next.map(|next| next.saturating_duration_since(now)))
    }

    fn accept(&mut self, now: Instant) {
        for _ in 0..MAX_ACCEPTS {
            let crowd = (self.acceptor.ready && self.clients.len() >= MAX_CLIENTS).then(|| self.crowd());
            self.acceptor.slot_free_from = crowd.as_ref().and_then(Crowd::free_from);
            let Some((stream, peer)) = self.acceptor.next(now, || self.socket.accept()) else { return };
            if !self.policy.get().admits(peer.ip()) {
                self.metrics.refused(peer, Refusal::NotAllowed, &"the address is not in the allow list");
                continue;
            }
            if let Some(victim) = crowd.and_then(|crowd| crowd.victim(address_block(peer.ip()))) {
                self.remove(victim);
            }
            if let Err(error) = self.admit(stream, peer, now) {
                log::warn!("HTTP, {peer}: {error}");
            }
        }
    }

    fn crowd(&self) -> Crowd {
        let holder = |(key, client): (usize, &HttpClient)| Holder {
            key,
            source: address_block(client.peer.ip()),
            is_idle: client.is_idle(),
            since: client.since,
        };
        Crowd::new(self.clients.iter().map(holder).collect())
    }

    fn admit(&mut self, mut stream: TcpStream, peer: SocketAddr, now: Instant) -> io::Result<()> {
        let policy = self.policy.get();
        let entry = self.clients.vacant_entry();
        let interest = Interest::READABLE | Interest::WRITABLE;
        self.poll.registry().register(&mut stream, Token(entry.key()), interest)?;
        stream.set_nodelay(true)?;
        entry.insert(HttpClient::new(stream, peer, policy, now).map_err(io::Error::other)?);
        Ok(())
    }

    fn serve(&mut self, now: Instant) {
        let keys: Vec<usize> = self.clients.iter().map(|(key, _)| key).collect();
        for key in keys {
            let client = &mut self.clients[key];
            let mut end = Ok(TurnEnd::Waiting);
            if client.ready {
                let mut context = Context {
                    policy: &mut self.policy,
                    responder: &mut self.responder,
                    responses: &self.http_metrics.responses,
                    metrics: &self.metrics,
                    bans: self.relays.bans(),
                    has_room: self.relays.has_room(),
                    buffer: &mut self.buffer,
                };
                end = guarded(|| client.turn(&mut context, now)).unwrap_or(Ok(TurnEnd::Ended));
                client.ready = matches!(end, Ok(TurnEnd::Continue));
            }
            let client = &self.clients[key];
            match end {
                Ok(TurnEnd::Waiting | TurnEnd::Continue) if client.deadline() > now => {}
                Ok(TurnEnd::Upgraded(door)) => self.upgrade(key, door, now),
                Ok(_) => self.remove(key),
                Err(error) => {
                    log::debug!("HTTP, {}: {error}", client.peer);
                    self.remove(key);
                }
            }
        }
    }

    fn upgrade(&mut self, key: usize, door: Door, now: Instant) {
        let client = self.clients.remove(key);
        let peer = client.peer;
        if let Err(error) = self.relays.add(client, door, self.poll.registry(), now) {
            log::warn!("HTTP, {peer}: {error}");
        }
    }

    fn remove(&mut self, key: usize) {
        let mut client = self.clients.remove(key);
        if let Err(error) = self.poll.registry().deregister(client.socket()) {
            log::debug!("HTTP, {}: {error}", client.peer);
        }
    }

    /// Ends watching by clients that were kicked meanwhile. Wakes the loop if it has been silent:
    /// it may have nothing to do, or hang.
    fn beat(&mut self, now: Instant) {
        if now < self.next_beat {
            return;
        }
        self.next_beat = now + BEAT;
        self.relays.end_banned(now);
        if self.metrics.since_last_turn() >= BEAT / 2
            && let Err(error) = self.relays.wake_server()
        {
            log::debug!("cannot wake the server: {error}");
        }
    }
}

/// The listener's policy, which a reload may replace at any time. The loop sends a new one rather
/// than wait for this thread.
pub(super) struct CurrentPolicy {
    policy: ListenerPolicy,
    newer: Receiver<ListenerPolicy>,
}

impl CurrentPolicy {
    /// Creates the policy and the sender for newer ones.
    pub(super) fn new(policy: ListenerPolicy) -> (CurrentPolicy, Sender<ListenerPolicy>) {
        let (sender, newer) = channel();
        (CurrentPolicy { policy, newer }, sender)
    }

    pub(super) fn get(&mut self) -> &ListenerPolicy {
        if let Some(newest) = self.newer.try_iter().last() {
            self.policy = newest;
        }
        &self.policy
    }
}
