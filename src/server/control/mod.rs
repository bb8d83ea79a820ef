//! The control socket: administrators query the server and give it commands.
//!
//! A client sends one line, `overview`, `sessions`, `state NUMBER` or a [`Command`] in JSON, and
//! gets the response as JSON objects on lines of their own; then the connection is closed. Long
//! lists and commands for thousands of sessions go in chunks, so that games are not delayed.

mod chunks;
mod client;
mod command;
mod execute;
mod overview;
mod paths;
mod session_row;
mod socket;

pub use command::{Command, Response, StateResponse, Target};
pub use overview::Overview;
pub use paths::ControlPaths;
pub use session_row::SessionRow;
pub use socket::ControlError;

use crate::server::connections::Connections;
use crate::server::listen::acceptor::Acceptor;
use client::ControlClient;
use mio::event::Event;
use mio::net::{UnixListener, UnixStream};
use mio::{Interest, Registry, Token};
use slab::Slab;
use socket::SocketFile;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The listening socket; its clients have the tokens from [`FIRST_CLIENT`] on.
pub(super) const CONTROL: Token = Token(usize::MAX >> 1);
const FIRST_CLIENT: usize = CONTROL.0 + 1;

/// Clients at one time. A further one displaces a client without a request, or is refused.
pub(super) const MAX_CLIENTS: usize = 16;
/// Time for a client to read its response while another client waits.
const READ_TIMEOUT_WHEN_FULL: Duration = Duration::from_secs(1);

const TOO_MANY_CLIENTS: &[u8] = b"{\"error\":\"too many clients at the same time; try again\"}\n";

pub(super) struct Control {
    listener: UnixListener,
    acceptor: Acceptor,
    clients: Slab<ControlClient>,
    started: Instant,
    /// Removes the socket file when dropped.
    _file: SocketFile,
}

impl Control {
    pub(super) fn new(path: &Path, registry: &Registry) -> Result<Control, ControlError> {
        let (listener, file) = socket::listen(path)?;
        let mut listener = UnixListener::from_std(listener);
        registry
            .register(&mut listener, CONTROL, Interest::READABLE)
            .map_err(|error| ControlError::of(path, error))?;
        let acceptor = Acceptor::new();
        Ok(Control { listener, acceptor, clients: Slab::new(), started: Instant::now(), _file: file })
    }

    /// Notes that the socket or one of its clients is ready.
    pub(super) fn note(&mut self, event: &Event) {
        let Token(token) = event.token();
        if event.token() == CONTROL {
            self.acceptor.ready = true;
            return;
        }
        let client = token.checked_sub(FIRST_CLIENT).and_then(|index| self.clients.get_mut(index));
        if let Some(client) = client {
            client.ready = true;
        }
    }

    /// Returns when there is something to do without an event.
    pub(super) fn next_wakeup(&self, now: Instant) -> Option<Instant> {
        let busy = self.clients.iter().any(|(_, client)| client.ready);
        if busy {
            return Some(now);
        }
        self.clients.iter().map(|(_, client)| client.deadline()).chain(self.acceptor.next_wakeup(now)).min()
    }

    fn accept(&mut self, registry: &Registry, now: Instant) {
        for _ in 0..MAX_CLIENTS {
            let Some((mut stream, _)) = self.acceptor.next(now, || self.listener.accept()) else { return };
            if self.clients.len() >= MAX_CLIENTS && !self.displace_client(registry, now) {
                log::warn!("control socket: {MAX_CLIENTS} clients are connected, another one was refused");
                // A new connection has room for a line, unless the client has disconnected.
                let _ = stream.write(TOO_MANY_CLIENTS);
            } else if let Err(error) = self.admit(stream, registry, now) {
                log::warn!("control socket: {error}");
            }
        }
    }

    /// Closes the client that has been connected longest without a request, or else the one that
    /// has not read for longest. Returns false if none of them is idle.
    fn displace_client(&mut self, registry: &Registry, now: Instant) -> bool {
        let is_idle = |client: &ControlClient| {
            client.is_reading_request()
                || now.saturating_duration_since(client.active) >= READ_TIMEOUT_WHEN_FULL
        };
        let idle = self.clients.iter().filter(|(_, client)| is_idle(client));
        let Some((key, _)) = idle.min_by_key(|(_, client)| (!client.is_reading_request(), client.active))
        else {
            return false;
        };
        self.clients.remove(key).deregister(registry);
        true
    }

    fn admit(&mut self, mut stream: UnixStream, registry: &Registry, now: Instant) -> io::Result<()> {
        let entry = self.clients.vacant_entry();
        let token = Token(FIRST_CLIENT + entry.key());
        registry.register(&mut stream, token, Interest::READABLE | Interest::WRITABLE)?;
        entry.insert(ControlClient::new(stream, now));
        Ok(())
    }

    /// Accepts clients, and gives each client that is ready a turn.
    pub(super) fn serve(&mut self, connections: &mut Connections, registry: &Registry) {
        let now = Instant::now();
        self.accept(registry, now);
        let started = self.started;
        self.clients.retain(|_, client| {
            let goes_on = !client.ready || client.turn(connections, started, now).unwrap_or(false);
            let stays = goes_on && client.deadline() > now;
            if !stays {
                client.deregister(registry);
            }
            stays
        });
    }
}
