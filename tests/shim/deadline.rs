//! Blocking calls with a deadline: a test that hangs fails instead and says where.

use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Far longer than anything here takes, even on a busy machine.
pub const TEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Returns the value of `work`, which may block.
pub fn within_patience<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(TEST_TIMEOUT).unwrap_or_else(|_| panic!("no {what} within {TEST_TIMEOUT:?}"))
}

/// Accepts the next connection and limits its reads and writes.
pub fn accept(listener: &TcpListener) -> TcpStream {
    let listener = listener.try_clone().expect("an open socket");
    let accepted = within_patience("connection", move || listener.accept());
    let (stream, _) = accepted.expect("a connection");
    stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("an open socket");
    stream.set_write_timeout(Some(TEST_TIMEOUT)).expect("an open socket");
    stream
}
