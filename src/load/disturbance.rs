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

/// What clients do with what the server says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// They read it.
    Reads,
    /// They read nothing, and come again when the server closes them.
    Deaf,
}

/// A flood that goes on until it is dropped, which closes all of its connections.
pub struct Flood {
    over: Arc<AtomicBool>,
    counts: Arc<Counts>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

#[derive(Default)]
struct Counts {
    /// Bytes.
    sent: AtomicU64,
    came_again: AtomicU64,
}

impl Flood {
    /// Connects so many clients that each say `first` once, and then `again` without end.
    ///
    /// # Errors
    /// A connection cannot be had, or the system has no more threads.
    pub fn begin(
        address: SocketAddr,
        clients: usize,
        first: &str,
        again: &str,
        manner: Manner,
    ) -> io::Result<Flood> {
        let (over, counts) = (Arc::new(AtomicBool::new(false)), Arc::new(Counts::default()));
        let mut crowd = Crowd {
            poll: Poll::new()?,
            clients: Vec::new(),
            address,
            first: first.as_bytes().to_vec(),
            again: again.repeat(AT_ONCE / again.len().max(1) + 1).into_bytes(),
            manner,
            counts: Arc::clone(&counts),
        };
        for index in 0..clients {
            let client = crowd.connect(index)?;
            crowd.clients.push(client);
        }
        let ends = Arc::clone(&over);
        let body = move || crowd.run(&ends);
        let thread = std::thread::Builder::new().name("flood".to_owned()).spawn(body)?;
        Ok(Flood { over, counts, thread: Some(thread) })
    }

    /// Bytes that were sent so far.
    pub fn sent(&self) -> u64 {
        self.counts.sent.load(Ordering::Relaxed)
    }

    /// How often a client has come again so far.
    pub fn came_again(&self) -> u64 {
        self.counts.came_again.load(Ordering::Relaxed)
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
struct Crowd {
    poll: Poll,
    clients: Vec<Client>,
    address: SocketAddr,
    first: Vec<u8>,
    again: Vec<u8>,
    manner: Manner,
    counts: Arc<Counts>,
}

struct Client {
    stream: TcpStream,
    /// What is said first, then again and again what follows.
    text: Vec<u8>,
    sent: usize,
    writable: bool,
    /// The server has closed it.
    closed: bool,
}

impl Crowd {
    fn connect(&self, index: usize) -> io::Result<Client> {
        let stream = std::net::TcpStream::connect(self.address)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        let interest = Interest::READABLE | Interest::WRITABLE;
        self.poll.registry().register(&mut stream, Token(index), interest)?;
        Ok(Client { stream, text: self.first.clone(), sent: 0, writable: true, closed: false })
    }

    fn run(mut self, ends: &AtomicBool) -> io::Result<()> {
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICENESS);
        let mut events = Events::with_capacity(1024);
        while !ends.load(Ordering::Relaxed) {
            let busy = self.clients.iter().any(|client| client.writable);
            self.poll.poll(&mut events, Some(if busy { Duration::ZERO } else { LOOK }))?;
            for event in &events {
                let client = &mut self.clients[event.token().0];
                client.writable |= event.is_writable();
                if event.is_readable() && self.manner == Manner::Reads {
                    client.listen();
                }
            }
            for index in 0..self.clients.len() {
                let count = self.clients[index].speak(&self.again);
                self.counts.sent.fetch_add(count, Ordering::Relaxed);
                if self.clients[index].closed && self.manner == Manner::Deaf {
                    self.clients[index] = self.connect(index)?;
                    self.counts.came_again.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        Ok(())
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
            Err(error) => {
                self.writable = false;
                self.closed = error.kind() != ErrorKind::WouldBlock;
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
