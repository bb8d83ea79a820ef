//! HTTP for programs that look after servers: `/metrics`, `/healthz` and `/readyz`.
//!
//! A thread of its own, with an event loop of its own and a lower priority than the loop that serves games: whoever asks ten
//! thousand times a second, sends garbage or does not read takes time from nobody's game. The thread reads what the server
//! counts. The only locks that the loop may wait for are those of engines of others, held while a few rows are copied.
//!
//! * `service`: the thread, its clients and their limits. `client`: one connection. `policy`: who may come, by now.
//! * `slots`: which client loses its slot to a new one. `host`: names that requests may give this machine.
//! * `request`, `response`: what is read and written. `answers`: what is answered to whom.
//! * `numbers`, `process`: all numbers together, and those of the process.

mod answers;
mod client;
mod host;
mod metrics;
mod policy;
mod process;
mod request;
mod response;
mod service;
mod slots;

pub(super) use metrics::AllMetrics;

use crate::metrics::text::Writer;
use crate::server::ListenerPolicy;
use crate::server::listen::acceptor::Acceptor;
use crate::server::observe::access_log::AccessLog;
use answers::Answers;
use mio::{Poll, Waker};
use policy::CurrentPolicy;
pub(super) use service::MAX_CLIENTS;
use service::{Service, WAKER};
use slab::Slab;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::Instant;

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
    /// The system has no more of what that takes.
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
        let metrics = Arc::clone(&all.server);
        let mut service = Service {
            poll,
            socket: mio::net::TcpListener::from_std(socket),
            policy,
            http_metrics: Arc::clone(&all.http),
            answers: Answers::new(Arc::clone(&metrics), Writer::new(all), address.ip()),
            access_log: AccessLog::new(Arc::clone(&metrics)),
            metrics,
            server,
            is_over: Arc::clone(&is_over),
            acceptor: Acceptor::new(),
            clients: Slab::new(),
            buffer: Service::buffer(),
            next_beat: Instant::now(),
        };
        service.register()?;
        let thread = std::thread::Builder::new().name("http".to_owned()).spawn(move || service.run())?;
        Ok(HttpListener { address, policies, waker, is_over, thread: Some(thread) })
    }

    /// The address, with the port that the system chose.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Applies this policy to newcomers, and to further requests of those who are there.
    pub(super) fn set_policy(&self, policy: ListenerPolicy) {
        let sent = self.policies.send(policy).is_ok();
        if !sent {
            log::error!("the thread of HTTP has ended, and hears of no other policy");
        } else if let Err(error) = self.waker.wake() {
            // It hears of it with the next request.
            log::debug!("the thread of HTTP cannot be woken: {error}");
        }
    }
}

impl Drop for HttpListener {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        if let Err(error) = self.waker.wake() {
            log::error!("the thread of HTTP cannot be woken: {error}");
            return;
        }
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the thread of HTTP ended by a panic");
        }
    }
}
