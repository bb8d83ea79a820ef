//! The event loop: one thread that waits for events and serves all connections in turns.

mod drain;
pub(super) mod fair_queue;
mod handle;
pub(super) mod input_turns;
mod reload;
#[cfg(test)]
mod tests;
pub(super) mod timers;

pub use handle::Handle;

use crate::server::admission::Admission;
use crate::server::connections::{Arrival, Connections};
use crate::server::outcome::Refusal;

use crate::archive::Archive;
use crate::config::Transport;
use crate::hosting::Hosts;
use crate::pool::{Mailbox, Pool};
use crate::server::Notifier;
use crate::server::control::{CONTROL, Control, ControlError};
use crate::server::http::{AllMetrics, HttpListener, WebClient};
use crate::server::listen::listener::Listener;
use crate::server::login::tls_handshakes::TlsHandshakes;
use crate::server::outcome::LimitReached;
use crate::server::reload::{Read, Reloader};
use crate::server::rsh::SIGNAL_CHANNELS;
use crate::server::searches::Searches;
use crate::server::sessions::factory::SessionFactory;
use crate::server::{ListenerPolicy, Setup};
use crate::session::{Profile, Protocol, StateKey};
use handle::ShutdownRequest;
use mio::{Events, Interest, Poll, Token, Waker};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook_mio::v1_0::Signals;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const WAKER: Token = Token(usize::MAX);
const SIGNALS: Token = Token(usize::MAX - 1);
/// The first listener; the others count down from here, as connections count up from 0.
const FIRST_LISTENER: Token = Token(usize::MAX - 2);

const EVENTS_PER_TURN: usize = 1024;

/// Protocol of the pages that a browser shows.
const WEB_PROTOCOL: Protocol = Protocol::Web;

/// Connections accepted from one listener in one turn, so that open sessions do not wait for all of
/// them.
const MAX_ACCEPTS_PER_TURN: usize = 16;

/// Progress of the shutdown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ServerPhase {
    Serving,
    /// Running games may go on until then.
    Draining(Instant),
    Over,
}

impl ServerPhase {
    fn end(self) -> Option<Instant> {
        match self {
            ServerPhase::Draining(end) => Some(end),
            ServerPhase::Serving | ServerPhase::Over => None,
        }
    }
}

/// A listening server. [`Server::run`] serves until shutdown.
pub struct Server {
    pub(super) poll: Poll,
    pub(super) listeners: Vec<Listener>,
    pub(super) connections: Connections,
    pub(super) phase: ServerPhase,
    pub(super) drain: Duration,
    signals: Option<Signals>,
    pub(super) notifier: Option<Notifier>,
    control: Option<Control>,
    pub(super) reloader: Option<Reloader>,
    /// The HTTP listener, with its configured address.
    pub(super) http: Option<(SocketAddr, HttpListener)>,
    /// Policy of the clients that come through it. It has checked whether they may connect.
    web_policy: Arc<ListenerPolicy>,
    handle: Handle,
}

impl Server {
    /// Creates a server on listening sockets, each with its policy.
    ///
    /// # Errors
    /// The system lacks what an event loop needs (file descriptors).
    pub fn new(listeners: Vec<(TcpListener, ListenerPolicy)>, setup: Setup) -> io::Result<Server> {
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let listeners = listeners
            .into_iter()
            .enumerate()
            .map(|(index, (socket, policy))| {
                socket.set_nonblocking(true)?;
                let mut socket = mio::net::TcpListener::from_std(socket);
                poll.registry().register(&mut socket, Token(FIRST_LISTENER.0 - index), Interest::READABLE)?;
                Ok(Listener::new(socket, policy))
            })
            .collect::<io::Result<Vec<_>>>()?;
        let handle = Handle::new(Arc::clone(&waker));
        let mailbox = Arc::new(Mailbox::new(move || {
            if let Err(error) = waker.wake() {
                log::error!("a search cannot wake the server: {error}");
            }
        }));
        let pool = Pool::new(setup.size, setup.search, Arc::clone(&mailbox));
        let registry = poll.registry().try_clone()?;
        let handshakes = TlsHandshakes::new(handle.waker());
        let connections = Connections::new(
            registry,
            setup.limits,
            Admission::new(&setup.limits, setup.sources),
            SessionFactory::new(setup.profile, setup.seed),
            Searches::new(pool, mailbox),
            handshakes,
        );
        Ok(Server {
            listeners,
            connections,
            poll,
            phase: ServerPhase::Serving,
            drain: setup.limits.drain,
            signals: None,
            notifier: None,
            control: None,
            reloader: None,
            http: None,
            web_policy: Arc::new(ListenerPolicy { protocol: WEB_PROTOCOL, ..ListenerPolicy::open() }),
            handle,
        })
    }

    /// Adds named profiles, which listeners and clients may select.
    pub fn with_profiles(mut self, named: BTreeMap<String, Arc<Profile>>) -> Server {
        self.connections.sessions.named = Arc::new(named);
        self
    }

    /// Adds the hosted engines of its profiles, for administrators.
    pub fn with_engines(mut self, engines: Arc<Hosts>) -> Server {
        self.connections.engines = Some(engines);
        self
    }

    /// Adds an archive, for sessions whose profile wants one.
    pub fn with_archive(mut self, archive: Option<Archive>) -> Server {
        self.connections.archive = archive;
        self
    }

    /// Adds a key of states shared with other servers.
    pub fn with_state_key(mut self, key: Option<StateKey>) -> Server {
        if let Some(key) = key {
            self.connections.sessions.state_key = key;
        }
        self
    }

    /// Returns the addresses it listens on, with the ports chosen by the system.
    ///
    /// # Errors
    /// A socket has no address.
    pub fn addresses(&self) -> io::Result<Vec<SocketAddr>> {
        self.listeners.iter().map(|listener| listener.socket.local_addr()).collect()
    }

    /// Returns a handle with which other threads can end the server.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Enables reloads of the configuration. `configured`: the configured addresses of the
    /// listeners, in their order.
    pub fn let_reload(&mut self, configured: impl IntoIterator<Item = SocketAddr>, read: Arc<Read>) {
        for (listener, address) in self.listeners.iter_mut().zip(configured) {
            listener.configured = Some(address);
        }
        self.reloader = Some(Reloader::new(read, self.handle.waker()));
    }

    /// Marks the listening sockets that another process keeps open after shutdown, in the order of
    /// the listeners. While the server drains, new connections there get a message instead of
    /// waiting for its successor.
    pub fn set_shared_sockets(&mut self, inherited: impl IntoIterator<Item = bool>) {
        for (listener, inherited) in self.listeners.iter_mut().zip(inherited) {
            listener.is_shared = inherited;
        }
    }

    /// Handles signals: the first SIGINT or SIGTERM drains the server, the second stops it, SIGHUP
    /// reloads the configuration. For programs only: signals belong to the process, not to a
    /// library.
    ///
    /// # Errors
    /// The system does not permit it.
    pub fn watch_signals(&mut self) -> io::Result<()> {
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        self.poll.registry().register(&mut signals, SIGNALS, Interest::READABLE)?;
        self.signals = Some(signals);
        Ok(())
    }

    /// Notifies the service manager when the server is ready, and when it is stopping.
    pub fn notify(&mut self, notifier: Option<Notifier>) {
        self.notifier = notifier;
    }

    /// Creates the control socket at this path.
    ///
    /// # Errors
    /// Something exists there already, or the system does not permit it.
    pub fn make_control(&mut self, path: &Path) -> Result<(), ControlError> {
        self.control = Some(Control::new(path, self.poll.registry())?);
        Ok(())
    }

    /// Serves HTTP on this socket, whose configured address is `configured`. `table`: size of the
    /// transposition table in bytes. To be called after [`Server::with_engines`].
    ///
    /// # Errors
    /// The system lacks resources.
    pub fn serve_http(
        &mut self,
        socket: TcpListener,
        configured: SocketAddr,
        policy: ListenerPolicy,
        table: u64,
    ) -> io::Result<SocketAddr> {
        let Connections { observer, searches, engines, .. } = &self.connections;
        let all = AllMetrics::new(Arc::clone(observer), searches.pool.metrics(), engines.clone(), table);
        let sessions = self.connections.limits.sessions;
        let bans = self.connections.admission.bans.clone();
        let (http, gallery) = HttpListener::new(socket, policy, all, self.handle.waker(), sessions, bans)?;
        let address = http.address();
        self.connections.gallery = Some(gallery);
        self.http = Some((configured, http));
        Ok(address)
    }

    /// Serves until shutdown. Searches are stopped and their threads joined.
    ///
    /// # Errors
    /// The system fails to wait for events.
    pub fn run(mut self) -> io::Result<()> {
        let mut events = Events::with_capacity(EVENTS_PER_TURN);
        if let Some(notifier) = &self.notifier {
            notifier.ready();
        }
        while self.phase != ServerPhase::Over {
            self.turn(&mut events)?;
        }
        Ok(())
    }

    /// Runs one turn: waits until there is something to do, and does it.
    pub(super) fn turn(&mut self, events: &mut Events) -> io::Result<()> {
        self.wait(events)?;
        let began = Instant::now();
        self.note(events);
        self.accept();
        self.accept_web_clients();
        self.connections.serve_handshakes();
        self.connections.serve_input();
        self.connections.serve_timers();
        self.connections.serve_searches();
        self.connections.start_searches();
        self.connections.enforce_buffer_limit();
        self.connections.serve_watchers();
        self.serve_control();
        self.serve_handle();
        if let Some(notifier) = &mut self.notifier {
            notifier.alive(Instant::now());
        }
        self.connections.publish_metrics(began.elapsed());
        Ok(())
    }

    fn wait(&mut self, events: &mut Events) -> io::Result<()> {
        let now = Instant::now();
        let timeout = self.next_wake(now).map(|at| at.saturating_duration_since(now));
        poll(&mut self.poll, events, timeout)
    }

    /// Returns when there is something to do without an event.
    fn next_wake(&self, now: Instant) -> Option<Instant> {
        let listeners = self.listeners.iter().filter_map(|listener| listener.acceptor.next_wakeup(now));
        let control = self.control.as_ref().and_then(|control| control.next_wakeup(now));
        let watched = self.notifier.as_ref().and_then(Notifier::next_wakeup);
        listeners
            .chain(self.phase.end())
            .chain(self.connections.next_wakeup(now))
            .chain(control)
            .chain(watched)
            .min()
    }

    /// Notes what is ready; the work is done later, so that all get their turn in the same way.
    fn note(&mut self, events: &Events) {
        for event in events {
            match event.token() {
                WAKER => {}
                SIGNALS => self.take_signals(),
                Token(token)
                    if token > FIRST_LISTENER.0 - self.listeners.len() && token <= FIRST_LISTENER.0 =>
                {
                    self.listeners[FIRST_LISTENER.0 - token].acceptor.ready = true;
                }
                Token(token) if token >= CONTROL.0 => {
                    if let Some(control) = &mut self.control {
                        control.note(event);
                    }
                }
                Token(token) if token >= SIGNAL_CHANNELS.0 => {
                    let slot = token - SIGNAL_CHANNELS.0;
                    self.connections.guard_slot(slot, |connections| connections.note_signal_channel(slot));
                }
                Token(slot) => self.connections.note(slot, event),
            }
        }
    }

    fn accept(&mut self) {
        let now = Instant::now();
        let drains = self.phase != ServerPhase::Serving;
        let refuses_sessions = drains || self.connections.admission.is_drained;
        for listener in &mut self.listeners {
            for _ in 0..MAX_ACCEPTS_PER_TURN {
                if listener.may_begin_login() {
                    // Without a permit, new connections wait in the backlog.
                    let free_from = self.connections.admission.pending_logins.permit_free_from();
                    listener.acceptor.slot_free_from = free_from;
                }
                let Some((stream, peer)) = listener.accept(now) else { break };
                let (policy, is_proxy) = (&listener.policy, listener.policy.is_proxy(peer.ip()));
                if !is_proxy && !policy.admits(peer.ip()) {
                    let why = "the address is not in the allow list";
                    self.connections.observer.refused(peer, Refusal::NotAllowed, &why);
                } else if policy.transport == Transport::Agent {
                    self.connections.answer_agent(stream, peer, policy, refuses_sessions, now);
                } else if drains {
                    self.connections.refuse_new_connection(stream, peer, policy, LimitReached::Draining, now);
                } else {
                    let arrival = if is_proxy { Arrival::Proxy } else { Arrival::Direct };
                    self.connections.admit(stream, peer, policy, arrival, now);
                }
            }
        }
    }

    /// Accepts clients of pages, like others of their addresses.
    fn accept_web_clients(&mut self) {
        let Some((_, http)) = &self.http else { return };
        let (now, policy) = (Instant::now(), &self.web_policy);
        for _ in 0..MAX_ACCEPTS_PER_TURN {
            let Some(WebClient { socket, peer, user }) = http.next_web_client() else { return };
            match self.phase {
                ServerPhase::Serving => {
                    let arrival = user.map_or(Arrival::Direct, Arrival::Page);
                    self.connections.admit(socket, peer, policy, arrival, now);
                }
                ServerPhase::Draining(_) | ServerPhase::Over => {
                    self.connections.refuse_new_connection(socket, peer, policy, LimitReached::Draining, now);
                }
            }
        }
        // There may be more.
        self.handle.wake();
    }

    fn serve_control(&mut self) {
        if let Some(control) = &mut self.control {
            control.serve(&mut self.connections, self.poll.registry());
        }
    }

    fn take_signals(&mut self) {
        let Some(signals) = &mut self.signals else { return };
        for signal in signals.pending() {
            match self.handle.shutdown_request() {
                _ if signal == SIGHUP => self.handle.reload(),
                ShutdownRequest::Serve => self.handle.drain(),
                ShutdownRequest::Drain | ShutdownRequest::Stop => self.handle.stop(),
            }
        }
    }

    fn serve_handle(&mut self) {
        if self.handle.wants_reload() {
            self.begin_reload();
        }
        self.end_reload();
        match self.handle.shutdown_request() {
            ShutdownRequest::Serve => {}
            ShutdownRequest::Drain => self.continue_drain(Instant::now()),
            ShutdownRequest::Stop => self.stop(),
        }
    }
}

/// Waits for events. A signal ends the wait without an event.
pub(super) fn poll(poll: &mut Poll, events: &mut Events, timeout: Option<Duration>) -> io::Result<()> {
    match poll.poll(events, timeout) {
        Err(error) if error.kind() == ErrorKind::Interrupted => {
            events.clear();
            Ok(())
        }
        other => other,
    }
}
