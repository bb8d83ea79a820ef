//! Requests to the server from other threads: shutdown and reload.

use mio::Waker;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Requested shutdown. Later values are more urgent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::server) enum ShutdownRequest {
    Serve,
    Drain,
    Stop,
}

/// Controls a server from any thread.
#[derive(Clone)]
pub struct Handle {
    shutdown_request: Arc<AtomicU8>,
    reload: Arc<AtomicBool>,
    waker: Arc<Waker>,
}

impl Handle {
    pub(in crate::server) fn new(waker: Arc<Waker>) -> Handle {
        Handle {
            shutdown_request: Arc::new(AtomicU8::new(ShutdownRequest::Serve as u8)),
            reload: Arc::default(),
            waker,
        }
    }

    /// Drains: no new sessions; idle ones end now, running games may go on for the configured time.
    /// Returns at once.
    pub fn drain(&self) {
        self.request(ShutdownRequest::Drain);
    }

    /// Stops: ends everything now. Returns at once.
    pub fn stop(&self) {
        self.request(ShutdownRequest::Stop);
    }

    /// Reloads the configuration if [enabled](super::Server::let_reload). Returns at once.
    pub fn reload(&self) {
        self.reload.store(true, Ordering::SeqCst);
        self.wake();
    }

    pub(in crate::server) fn wants_reload(&self) -> bool {
        self.reload.swap(false, Ordering::SeqCst)
    }

    pub(in crate::server) fn waker(&self) -> Arc<Waker> {
        Arc::clone(&self.waker)
    }

    fn request(&self, shutdown_request: ShutdownRequest) {
        self.shutdown_request.fetch_max(shutdown_request as u8, Ordering::SeqCst);
        self.wake();
    }

    pub(in crate::server) fn wake(&self) {
        if let Err(error) = self.waker.wake() {
            log::error!("cannot wake the server: {error}");
        }
    }

    pub(in crate::server) fn shutdown_request(&self) -> ShutdownRequest {
        match self.shutdown_request.load(Ordering::SeqCst) {
            0 => ShutdownRequest::Serve,
            1 => ShutdownRequest::Drain,
            _ => ShutdownRequest::Stop,
        }
    }
}
