//! How the server is asked to end, from other threads.

use mio::Waker;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// What the server was asked for. Later ones are more urgent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Wish {
    Serve,
    Drain,
    Stop,
}

/// Ends a server from any thread.
#[derive(Clone)]
pub struct Handle {
    wish: Arc<AtomicU8>,
    waker: Arc<Waker>,
}

impl Handle {
    pub(super) fn new(waker: Arc<Waker>) -> Handle {
        Handle { wish: Arc::new(AtomicU8::new(Wish::Serve as u8)), waker }
    }

    /// No new sessions from now on; idle ones end now, running games may go on for the time set in the
    /// configuration. Returns at once.
    pub fn drain(&self) {
        self.ask(Wish::Drain);
    }

    /// Ends everything now. Returns at once.
    pub fn stop(&self) {
        self.ask(Wish::Stop);
    }

    fn ask(&self, wish: Wish) {
        self.wish.fetch_max(wish as u8, Ordering::SeqCst);
        if let Err(error) = self.waker.wake() {
            log::error!("the server cannot be woken: {error}");
        }
    }

    pub(super) fn wish(&self) -> Wish {
        match self.wish.load(Ordering::SeqCst) {
            0 => Wish::Serve,
            1 => Wish::Drain,
            _ => Wish::Stop,
        }
    }
}
