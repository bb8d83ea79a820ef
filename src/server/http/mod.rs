//! HTTP: pages for browsers with their WebSockets, and for monitoring `/metrics`, `/healthz` and
//! `/readyz`.
//!
//! A thread of its own, with an event loop of its own and a lower priority than the loop that
//! serves games: floods of requests, garbage and slow readers delay no game. The thread reads the
//! server's counters; the loop waits only for the locks of hosted engines, held
//! while a few rows are copied. A WebSocket is relayed to the loop through a pair of sockets, and
//! is a connection like others there. Watchers of other sessions read the feed in this thread.

mod challenges;
mod client;
mod door;
mod event_stream;
mod host;
mod login;
mod login_cookies;
mod metrics;
mod pages;
mod relay;
mod relays;
mod request;
mod responder;
mod response;
mod service;
mod slots;
mod web_socket;
mod wire;

pub(super) use metrics::AllMetrics;
pub(super) use relays::WebClient;

use crate::server::ListenerPolicy;
use crate::server::admission::Bans;
use crate::server::connections::MAX_REFUSED;
use crate::server::watch::{Gallery, watching};
use mio::{Poll, Waker};
use relays::WebEntry;
pub(super) use service::MAX_CLIENTS;
use service::{CurrentPolicy, Service, WAKER};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// The listener and its thread, which ends when this is dropped.
pub(super) struct HttpListener {
    address: SocketAddr,
    policies: Sender<ListenerPolicy>,
    web_clients: Receiver<WebClient>,
    waker: Arc<Waker>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl HttpListener {
    /// Listens on this socket. `server` wakes the server's loop, which has at most `sessions` and
    /// shares its `bans`. Also returns the loop's end of watching.
    ///
    /// # Errors
    /// The system lacks resources.
    pub(super) fn new(
        socket: TcpListener,
        policy: ListenerPolicy,
        all: AllMetrics,
        server: Arc<Waker>,
        sessions: usize,
        bans: Bans,
    ) -> io::Result<(HttpListener, Gallery)> {
        socket.set_nonblocking(true)?;
        let address = socket.local_addr()?;
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let (gallery, audience) = watching(Arc::clone(&waker), Arc::clone(&server));
        let (policy, policies) = CurrentPolicy::new(policy);
        let (clients, web_clients) = channel();
        let entry = WebEntry { clients, server, most: sessions + MAX_REFUSED, bans };
        let is_over = Arc::new(AtomicBool::new(false));
        let socket = mio::net::TcpListener::from_std(socket);
        let service = Service::new(poll, socket, policy, all, entry, audience, Arc::clone(&is_over))?;
        let thread = std::thread::Builder::new().name("http".to_owned()).spawn(move || service.run())?;
        Ok((HttpListener { address, policies, web_clients, waker, is_over, thread: Some(thread) }, gallery))
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes a new client of a page.
    pub(super) fn next_web_client(&self) -> Option<WebClient> {
        self.web_clients.try_recv().ok()
    }

    /// Applies this policy to new connections and to further requests of existing ones.
    pub(super) fn set_policy(&self, policy: ListenerPolicy) {
        let sent = self.policies.send(policy).is_ok();
        if !sent {
            log::error!("HTTP thread has exited; the new policy was not applied");
        } else if let Err(error) = self.waker.wake() {
            // The thread applies it at the next request.
            log::debug!("cannot wake the HTTP thread: {error}");
        }
    }
}

impl Drop for HttpListener {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        if let Err(error) = self.waker.wake() {
            log::error!("cannot wake the HTTP thread: {error}");
            return;
        }
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("HTTP thread panicked");
        }
    }
}
