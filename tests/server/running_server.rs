//! A server in a thread of the test.

use farboard::config::Settings;
use farboard::server::{Handle, Server, ServerLimits};
use std::net::SocketAddr;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The default limits, with a login timeout for busy machines.
pub fn limits(patience: Duration) -> ServerLimits {
    let config = Settings::default().resolve().expect("the defaults are right");
    ServerLimits { login_timeout: patience, ..ServerLimits::new(&config) }
}

/// A running server; stopped and joined when dropped.
pub struct RunningServer {
    pub address: SocketAddr,
    pub handle: Handle,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl RunningServer {
    /// Runs a server in a new thread.
    pub fn new(server: Server) -> RunningServer {
        let (address, handle) = (server.addresses().expect("an address")[0], server.handle());
        let thread = std::thread::spawn(move || server.run());
        RunningServer { address, handle, thread: Some(thread) }
    }

    /// Waits until it has ended by itself.
    pub fn join(&mut self, patience: Duration) {
        let deadline = Instant::now() + patience;
        let thread = self.thread.take().expect("not joined yet");
        while !thread.is_finished() {
            assert!(Instant::now() < deadline, "the server does not end");
            std::thread::yield_now();
        }
        thread.join().expect("no panic").expect("no error");
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.handle.stop();
        if let Some(thread) = self.thread.take() {
            let outcome = thread.join();
            if !std::thread::panicking() {
                outcome.expect("no panic in the server").expect("no error in the server");
            }
        }
    }
}
