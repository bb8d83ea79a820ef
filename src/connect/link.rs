//! The connection to one server: a socket, a thread that reads from it, a thread that writes to it.
//!
//! The threads move bytes and know nothing of them. What the bytes mean on their way, now or when they
//! are protected, is in [`Link::received`] and [`Link::send`], which the one thread calls that owns the
//! link. Neither of them waits: a server that does not read holds up the writing thread and nobody else.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use socket2::SockRef;

use super::address::Address;
use super::liveness;
use super::opened::Opened;
use crate::keys::Guard;

/// A Linux pipe holds this much, so one read takes all that was written.
const CHUNK: usize = 64 * 1024;

/// What a link's threads report, with the number of the link.
#[derive(Debug)]
pub enum News {
    /// The server sent these bytes; they are for [`Link::received`].
    Received(Vec<u8>),
    /// So many bytes given to [`Link::send`] are on their way.
    Sent(usize),
    /// The server sends no more: an end of the stream, or an error.
    Ended(io::Result<()>),
}

enum Order {
    Send { bytes: Vec<u8>, meant: usize },
    Finish,
}

/// A connection to one server.
#[derive(Debug)]
pub struct Link {
    number: u64,
    server: Address,
    stream: TcpStream,
    guard: Guard,
    /// What the server had said before the link began.
    early: Vec<u8>,
    orders: Sender<Order>,
    /// Bytes given to [`Link::send`] and not reported as sent.
    unsent: usize,
    /// Somebody waits for the server.
    awaited: bool,
    /// Nobody wants to hear more.
    dropped: Arc<AtomicBool>,
}

impl Link {
    /// Starts the threads of a connection, which call `report` with their news.
    ///
    /// # Errors
    ///
    /// If threads or descriptors cannot be had.
    pub fn start(
        number: u64,
        server: Address,
        opened: Opened,
        report: impl Fn(News) + Clone + Send + 'static,
    ) -> io::Result<Self> {
        let Opened { stream, guard, early } = opened;
        let (orders, to_do) = mpsc::channel();
        let (reader, mut writer) = (stream.try_clone()?, stream.try_clone()?);
        let sent = report.clone();
        let has_heard = !early.is_empty();
        let dropped = Arc::new(AtomicBool::new(false));
        let unwanted = Arc::clone(&dropped);
        thread::Builder::new()
            .name("server to output".to_owned())
            .spawn(move || read(reader, has_heard, &unwanted, report))?;
        thread::Builder::new().name("input to server".to_owned()).spawn(move || {
            for order in to_do {
                match order {
                    // Failures are the reader's to report: it still has the server's last words.
                    Order::Send { bytes, meant } if writer.write_all(&bytes).is_ok() => {
                        sent(News::Sent(meant));
                    }
                    Order::Send { .. } => return,
                    Order::Finish => drop(writer.shutdown(Shutdown::Write)),
                }
            }
        })?;
        Ok(Self { number, server, stream, guard, early, orders, unsent: 0, awaited: true, dropped })
    }

    /// The number by which its news are told from those of other links.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Where it leads.
    pub fn server(&self) -> &Address {
        &self.server
    }

    /// What the server said with these bytes.
    ///
    /// # Errors
    ///
    /// If they are not what a server sends; then the link is of no more use.
    pub fn received(&mut self, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut words = std::mem::take(&mut self.early);
        if bytes.is_empty() {
            return Ok(words);
        }
        let heard = self.guard.received(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error));
        self.flush(0);
        words.extend(heard?);
        Ok(words)
    }

    /// What the end of what the server sends means.
    ///
    /// # Errors
    ///
    /// If it is an error, or if it is not the server that has ended it.
    pub fn ended(&self, end: io::Result<()>) -> io::Result<()> {
        end?;
        self.guard.ended().map_err(|error| io::Error::new(ErrorKind::UnexpectedEof, error))
    }

    /// Says this to the server, in one write. Does not wait.
    ///
    /// # Errors
    ///
    /// If it cannot be said in the form that the server wants.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !bytes.is_empty() {
            self.unsent += bytes.len();
            self.guard.send(bytes);
            self.flush(bytes.len());
        }
        Ok(())
    }

    /// Has the bytes written that the guard has made, of so many that were meant.
    fn flush(&mut self, meant: usize) {
        let bytes = self.guard.take_output();
        if !bytes.is_empty() {
            // A thread that is gone has found the connection broken, which its reader reports.
            let _ = self.orders.send(Order::Send { bytes, meant });
        }
    }

    /// Takes the report that so many bytes are on their way.
    pub fn sent(&mut self, count: usize) {
        self.unsent = self.unsent.saturating_sub(count);
    }

    /// Bytes that wait for the server to read.
    pub fn unsent(&self) -> usize {
        self.unsent
    }

    /// Has the system look more often whether the server's machine is still there while somebody waits for it.
    pub fn watch(&mut self, awaited: bool) {
        if std::mem::replace(&mut self.awaited, awaited) != awaited {
            liveness::watch(&self.stream, awaited);
        }
    }

    /// At its end the connection is reset: a server that talks without end could else go on, to nobody.
    pub fn abort_at_end(&self) {
        // Without that the system gives the connection up later.
        let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
    }

    /// Tells the server that no more will come; its answers still may.
    pub fn finish(&mut self) {
        self.guard.finish();
        self.flush(0);
        // As in `flush`.
        let _ = self.orders.send(Order::Finish);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // A server that talks without end would be listened to without end.
        self.dropped.store(true, Ordering::Relaxed);
        // Wakes the threads. Fails when the connection is gone already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn read(mut stream: TcpStream, has_heard: bool, unwanted: &AtomicBool, report: impl Fn(News)) {
    if has_heard {
        // What came early is the link's; only somebody must ask for it.
        report(News::Received(Vec::new()));
    }
    let mut chunk = vec![0; CHUNK];
    let end = loop {
        match stream.read(&mut chunk) {
            _ if unwanted.load(Ordering::Relaxed) => break Ok(()),
            Ok(0) => break Ok(()),
            Ok(size) => report(News::Received(chunk[..size].to_owned())),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    report(News::Ended(end));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Keys;
    use std::net::TcpListener;

    #[test]
    fn what_is_said_arrives_in_order_and_the_end_too() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("a bound socket");
        let stream = TcpStream::connect(address).expect("the listener");
        let (mut server, _) = listener.accept().expect("a connection");
        let (reports, news) = mpsc::channel();
        let place = "127.0.0.1".parse().expect("an address");
        let opened = Opened::new(stream, "127.0.0.1", &Keys::default()).expect("no keys are asked for");
        let mut link = Link::start(1, place, opened, move |news| drop(reports.send(news))).expect("threads");

        link.send(b"usermove ").expect("a link");
        link.send(b"e2e4\n").expect("a link");
        link.finish();
        let mut heard = String::new();
        server.read_to_string(&mut heard).expect("all of it");
        assert_eq!(heard, "usermove e2e4\n");

        server.write_all(b"move e7e5\n").expect("an open half");
        drop(server);
        let mut said = Vec::new();
        loop {
            match news.recv_timeout(Duration::from_secs(30)).expect("news") {
                News::Received(bytes) => said.extend(link.received(bytes).expect("words")),
                News::Sent(count) => link.sent(count),
                News::Ended(end) => break end.expect("an orderly end"),
            }
        }
        assert_eq!((said.as_slice(), link.unsent()), (&b"move e7e5\n"[..], 0));
    }
}
