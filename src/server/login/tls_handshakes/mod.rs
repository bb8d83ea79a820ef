//! TLS handshakes, in a thread of their own.
//!
//! A signature with an RSA key of 4096 bits takes 3 to 6 ms of a core, which would delay all
//! clients, and a client causes one without having shown anything. So each step of a handshake is
//! handed to this thread with the state of its TLS, and the loop leaves that connection alone until
//! the step is finished. One thread bounds the cost of all handshakes, address blocks take turns,
//! and the thread yields to the loop when cores are short.

mod round_robin;

use crate::server::admission::address_block;
use crate::server::connection::Tls;
use crate::server::os::process::lower_thread_priority;
use mio::Waker;
use round_robin::RoundRobinQueue;
use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};

/// Steps that may wait. With a slow key, further ones would be late for the login.
const MAX_WAITING: usize = 1024;

pub(in crate::server) struct HandshakeStep {
    pub(in crate::server) owner: u64,
    pub(in crate::server) address: IpAddr,
    pub(in crate::server) tls: Box<Tls>,
    /// Dangling if the connection has ended.
    pub(in crate::server) wanted: Weak<()>,
}

pub(in crate::server) struct FinishedStep {
    pub(in crate::server) owner: u64,
    pub(in crate::server) tls: Box<Tls>,
    pub(in crate::server) outcome: Result<(), rustls::Error>,
}

struct StepQueue {
    waiting: RoundRobinQueue<IpAddr, HandshakeStep>,
    finished: VecDeque<FinishedStep>,
    is_over: bool,
}

struct Shared {
    state: Mutex<StepQueue>,
    filled: Condvar,
    waker: Arc<Waker>,
}

/// The thread, which starts with the first step, and its queue.
pub(in crate::server) struct TlsHandshakes {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl TlsHandshakes {
    /// Creates the queue. `waker` wakes the loop when a step is finished.
    pub(in crate::server) fn new(waker: Arc<Waker>) -> TlsHandshakes {
        let state = StepQueue {
            waiting: RoundRobinQueue::new(MAX_WAITING),
            finished: VecDeque::new(),
            is_over: false,
        };
        let shared = Shared { state: Mutex::new(state), filled: Condvar::new(), waker };
        TlsHandshakes { shared: Arc::new(shared), thread: None }
    }

    /// Queues a step. If the queue is full, drops a step of the address block with most steps and
    /// returns its owner; that connection must be closed.
    pub(in crate::server) fn begin(&mut self, step: HandshakeStep) -> Result<(), u64> {
        let owner = step.owner;
        if let Err(error) = self.start() {
            log::warn!(
                "TLS handshakes run in the event loop and delay all clients: cannot start their thread: {error}"
            );
            let finished = run(step);
            self.shared.lock().finished.extend(finished);
            return self.shared.waker.wake().map_err(|_| owner);
        }
        let address = address_block(step.address);
        let mut state = self.shared.lock();
        state.waiting.make_room(|step| step.wanted.strong_count() > 0);
        let pushed = state.waiting.push(address, step);
        drop(state);
        self.shared.filled.notify_one();
        pushed.map_err(|refused| refused.owner)
    }

    fn start(&mut self) -> io::Result<()> {
        if self.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return Ok(());
        }
        let shared = Arc::clone(&self.shared);
        let thread = thread::Builder::new().name("handshakes".to_owned()).spawn(move || shared.run())?;
        self.thread = Some(thread);
        Ok(())
    }

    pub(in crate::server) fn take(&self) -> Option<FinishedStep> {
        self.shared.lock().finished.pop_front()
    }
}

impl Drop for TlsHandshakes {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.filled.notify_one();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("TLS handshake thread panicked");
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, StepQueue> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        lower_thread_priority();
        while let Some(step) = self.next() {
            let Some(finished) = run(step) else { continue };
            self.lock().finished.push_back(finished);
            if let Err(error) = self.waker.wake() {
                log::error!("TLS handshake thread cannot wake the server: {error}");
            }
        }
    }

    /// Waits for a step; `None` at shutdown.
    fn next(&self) -> Option<HandshakeStep> {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return None;
            }
            if let Some(step) = state.waiting.pop() {
                return Some(step);
            }
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Runs a step, if its connection still exists.
fn run(step: HandshakeStep) -> Option<FinishedStep> {
    let HandshakeStep { owner, mut tls, wanted, .. } = step;
    wanted.upgrade()?;
    let outcome = tls.step();
    Some(FinishedStep { owner, tls, outcome })
}
