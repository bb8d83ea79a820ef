//! Clients that repeat a text without end, as fast as the server reads. Their thread yields to the
//! server and to the measuring thread, as if it were on another machine.

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Bytes that a client sends in a turn.
const BYTES_PER_TURN: usize = 16 << 10;
/// Added to the niceness of the thread.
const NICENESS: i32 = 5;
/// Time in which the thread notices the end of the flood.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The clients' handling of the server's output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadMode {
    /// Read and discard it.
    Discard,
    /// Never read, and reconnect when the server closes them.
    Never,
}

/// A flood that goes on until dropped, which closes its connections.
pub struct Flood {
    over: Arc<AtomicBool>,
    counts: Arc<Counts>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

#[derive(Default)]
struct Counts {
    /// In bytes.
    sent: AtomicU64,
    reconnects: AtomicU64,
}

impl Flood {
    /// Connects `clients` clients that each send `first` once, and then `again` without end.
    ///
    /// # Errors
    /// A connection fails, or the system has no more threads.
    pub fn begin(
        address: SocketAddr,
        clients: usize,
        first: &str,
        again: &str,
        read_mode: ReadMode,
    ) -> io::Result<Flood> {
        let (over, counts) = (Arc::new(AtomicBool::new(false)), Arc::new(Counts::default()));
        let mut flooders = Flooders {
            poll: Poll::new()?,
            clients: Vec::new(),
            address,
            first: first.as_bytes().to_vec(),
            again: again.repeat(BYTES_PER_TURN / again.len().max(1) + 1).into_bytes(),
            read_mode,
            counts: Arc::clone(&counts),
        };
        for index in 0..clients {
            let client = flooders.connect(index)?;
            flooders.clients.push(client);
        }
        let ends = Arc::clone(&over);
        let body = move || flooders.run(&ends);
        let thread = std::thread::Builder::new().name("flood".to_owned()).spawn(body)?;
        Ok(Flood { over, counts, thread: Some(thread) })
    }

    /// Bytes sent so far.
    pub fn sent(&self) -> u64 {
        self.counts.sent.load(Ordering::Relaxed)
    }

    /// Reconnections so far.
    pub fn reconnects(&self) -> u64 {
        self.counts.reconnects.load(Ordering::Relaxed)
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

/// The clients of a flood.
struct Flooders {
    poll: Poll,
    clients: Vec<Flooder>,
    address: SocketAddr,
    first: Vec<u8>,
    again: Vec<u8>,
    read_mode: ReadMode,
    counts: Arc<Counts>,
}

struct Flooder {
    stream: TcpStream,
    /// The text being sent: first the beginning, then the repeated part.
    text: Vec<u8>,
    sent: usize,
    writable: bool,
    /// Whether the server has closed the connection.
    closed: bool,
}

impl Flooders {
    fn connect(&self, index: usize) -> io::Result<Flooder> {
        let stream = std::net::TcpStream::connect(self.address)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        let interest = Interest::READABLE | Interest::WRITABLE;
        self.poll.registry().register(&mut stream, Token(index), interest)?;
        Ok(Flooder { stream, text: self.first.clone(), sent: 0, writable: true, closed: false })
    }

    fn run(mut self, ends: &AtomicBool) -> io::Result<()> {
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICENESS);
        let mut events = Events::with_capacity(1024);
        while !ends.load(Ordering::Relaxed) {
            let busy = self.clients.iter().any(|client| client.writable);
            self.poll.poll(&mut events, Some(if busy { Duration::ZERO } else { POLL_INTERVAL }))?;
            for event in &events {
                let client = &mut self.clients[event.token().0];
                client.writable |= event.is_writable();
                if event.is_readable() && self.read_mode == ReadMode::Discard {
                    client.listen();
                }
            }
            for index in 0..self.clients.len() {
                let count = self.clients[index].speak(&self.again);
                self.counts.sent.fetch_add(count, Ordering::Relaxed);
                if self.clients[index].closed && self.read_mode == ReadMode::Never {
                    self.clients[index] = self.connect(index)?;
                    self.counts.reconnects.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }
}

impl Flooder {
    /// Sends what the socket accepts, up to a turn. Returns the number of bytes.
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
            Err(error) => {
                self.writable = false;
                self.closed = error.kind() != ErrorKind::WouldBlock;
                0
            }
        }
    }

    /// Discards the output of the server.
    fn listen(&mut self) {
        let mut buffer = [0; 16 << 10];
        while matches!(self.stream.read(&mut buffer), Ok(1..)) {}
    }
}
