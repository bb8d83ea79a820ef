//! HTTP for monitoring: `/metrics`, `/healthz` and `/readyz`.
//!
//! A thread of its own, with an event loop of its own and a lower priority than the loop that
//! serves games: floods of requests, garbage and slow readers delay no game. The thread reads the
//! server's counters; the loop waits only for the locks of hosted engines, held
//! while a few rows are copied.

mod client;
mod metrics;
mod request;
mod responder;
mod response;
mod service;
mod slots;

pub(super) use metrics::AllMetrics;

use crate::server::ListenerPolicy;
use mio::{Poll, Waker};
pub(super) use service::MAX_CLIENTS;
use service::{CurrentPolicy, Service, WAKER};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

/// The listener and its thread, which ends when this is dropped.
pub(super) struct HttpListener {
    address: SocketAddr,
    policies: Sender<ListenerPolicy>,
    waker: Waker,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl HttpListener {
    /// Listens on this socket. `server` wakes the server's loop.
    ///
    /// # Errors
    /// The system lacks resources.
    pub(super) fn new(
        socket: TcpListener,
        policy: ListenerPolicy,
        all: AllMetrics,
        server: Arc<Waker>,
    ) -> io::Result<HttpListener> {
        socket.set_nonblocking(true)?;
        let address = socket.local_addr()?;
        let poll = Poll::new()?;
        let waker = Waker::new(poll.registry(), WAKER)?;
        let (policy, policies) = CurrentPolicy::new(policy);
        let is_over = Arc::new(AtomicBool::new(false));
        let socket = mio::net::TcpListener::from_std(socket);
        let service = Service::new(poll, socket, policy, all, server, Arc::clone(&is_over))?;
        let thread = std::thread::Builder::new().name("http".to_owned()).spawn(move || service.run())?;
        Ok(HttpListener { address, policies, waker, is_over, thread: Some(thread) })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
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
