//! Clients that say the same without end, as fast as the server reads: in a thread of their own that steps back for
//! the server and for whoever measures, as if they were on other machines.

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Bytes that one client sends before the next one's turn.
const AT_ONCE: usize = 16 << 10;
/// Added to the niceness of the thread.
const NICENESS: i32 = 5;
/// How long the end of a flood may go unnoticed.
const LOOK: Duration = Duration::from_millis(20);

/// A flood that goes on until it is dropped, which closes all of its connections.
pub struct Flood {
    over: Arc<AtomicBool>,
    sent: Arc<AtomicU64>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

struct Client {
    stream: TcpStream,
    /// What is said first, then again and again what follows.
    text: Vec<u8>,
    sent: usize,
    writable: bool,
}

impl Flood {
    /// Connects so many clients that each say `first` once, and then `again` without end.
    ///
    /// # Errors
    /// A connection cannot be had, or the system has no more threads.
    pub fn begin(address: SocketAddr, clients: usize, first: &str, again: &str) -> io::Result<Flood> {
        let mut poll = Poll::new()?;
        let mut flooders = Vec::new();
        for index in 0..clients {
            let stream = std::net::TcpStream::connect(address)?;
            stream.set_nonblocking(true)?;
            let mut stream = TcpStream::from_std(stream);
            let interest = Interest::READABLE | Interest::WRITABLE;
            poll.registry().register(&mut stream, Token(index), interest)?;
            flooders.push(Client { stream, text: first.as_bytes().to_vec(), sent: 0, writable: true });
        }
        let again = again.repeat(AT_ONCE / again.len().max(1) + 1).into_bytes();
        let (over, sent) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (ends, count) = (Arc::clone(&over), Arc::clone(&sent));
        let body = move || {
            let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICENESS);
            let mut events = Events::with_capacity(1024);
            while !ends.load(Ordering::Relaxed) {
                let busy = flooders.iter().any(|client| client.writable);
                poll.poll(&mut events, Some(if busy { Duration::ZERO } else { LOOK }))?;
                for event in &events {
                    let client = &mut flooders[event.token().0];
                    client.writable |= event.is_writable();
                    if event.is_readable() {
                        client.listen();
                    }
                }
                for client in &mut flooders {
                    count.fetch_add(client.speak(&again), Ordering::Relaxed);
                }
            }
            Ok(())
        };
        let thread = std::thread::Builder::new().name("flood".to_owned()).spawn(body)?;
        Ok(Flood { over, sent, thread: Some(thread) })
    }

    /// Bytes that were sent so far.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

impl Drop for Flood {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Client {
    /// Sends as much as there is room for and is its turn; how many bytes that is.
    fn speak(&mut self, again: &[u8]) -> u64 {
        if !self.writable {
            return 0;
        }
        match self.stream.write(&self.text[self.sent..]) {
            Ok(count) => {
                self.sent += count;
                if self.sent == self.text.len() {
                    (self.text, self.sent) = (again.to_vec(), 0);
                }
                count as u64
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => 0,
            // No room, or nobody there.
            Err(_) => {
                self.writable = false;
                0
            }
        }
    }

    /// Throws away what the server says.
    fn listen(&mut self) {
        let mut buffer = [0; 16 << 10];
        while matches!(self.stream.read(&mut buffer), Ok(1..)) {}
    }
}
