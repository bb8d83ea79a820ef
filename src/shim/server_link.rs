//! The connection to a server: a socket, a thread that reads and a thread that writes.
//!
//! The threads move bytes without interpreting them. TLS and handshake are in [`Link::received`] and
//! [`Link::send`], called by the thread that owns the link. Neither blocks: a server that does not read holds
//! up only the writing thread.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use socket2::SockRef;

use super::admitted::Opened;
use crate::auth::Guard;

/// The capacity of a Linux pipe.
const CHUNK: usize = 64 * 1024;

/// Reports of a link's threads.
#[derive(Debug)]
pub enum LinkEvent {
    /// Bytes from the server, for [`Link::received`].
    Received(Vec<u8>),
    /// This many of the bytes given to [`Link::send`] have been written.
    Sent(usize),
    /// The server sends no more: an end of the stream, or an error.
    Ended(io::Result<()>),
}

enum WriteOrder {
    Send { bytes: Vec<u8>, meant: usize },
    Finish,
}

/// A connection to one server.
#[derive(Debug)]
pub struct Link {
    stream: TcpStream,
    guard: Guard,
    /// What the server sent before the link began.
    early: Vec<u8>,
    orders: Sender<WriteOrder>,
    /// The link was dropped: further reports are not wanted.
    dropped: Arc<AtomicBool>,
}

impl Link {
    /// Starts the threads of a connection, which call `report`.
    ///
    /// # Errors
    ///
    /// No threads or descriptors are available.
    pub fn start(opened: Opened, report: impl Fn(LinkEvent) + Clone + Send + 'static) -> io::Result<Self> {
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
                    // The reader reports failures: it may still have the server's last words.
                    WriteOrder::Send { bytes, meant } if writer.write_all(&bytes).is_ok() => {
                        sent(LinkEvent::Sent(meant));
                    }
                    WriteOrder::Send { .. } => return,
                    WriteOrder::Finish => drop(writer.shutdown(Shutdown::Write)),
                }
            }
        })?;
        Ok(Self { stream, guard, early, orders, dropped })
    }

    /// Decodes bytes from the server.
    ///
    /// # Errors
    ///
    /// The bytes are not valid; the link cannot be used any more.
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

    /// Interprets the end of the server's output.
    ///
    /// # Errors
    ///
    /// An error, or an end that did not come from the server.
    pub fn ended(&self, end: io::Result<()>) -> io::Result<()> {
        end?;
        self.guard.ended().map_err(|error| io::Error::new(ErrorKind::UnexpectedEof, error))
    }

    /// Queues bytes for the server, as one write. Does not block.
    pub fn send(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.guard.send(bytes);
            self.flush(bytes.len());
        }
    }

    /// Queues the guard's output; `meant` is the number of bytes before encoding.
    fn flush(&mut self, meant: usize) {
        let bytes = self.guard.take_output();
        if !bytes.is_empty() {
            // If the thread has ended, the connection is broken, and the reader reports it.
            let _ = self.orders.send(WriteOrder::Send { bytes, meant });
        }
    }

    /// Makes the end of the link a reset: otherwise a server that sends without end could go on.
    pub fn abort_at_end(&self) {
        // If that fails, the system closes the connection later.
        let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
    }

    /// Ends the stream to the server; its answers may still come.
    pub fn finish(&mut self) {
        self.guard.finish();
        self.flush(0);
        // As in `flush`.
        let _ = self.orders.send(WriteOrder::Finish);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Otherwise a server that sends without end would be read without end.
        self.dropped.store(true, Ordering::Relaxed);
        // Wakes the threads. Fails if the connection is gone already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn read(mut stream: TcpStream, has_heard: bool, unwanted: &AtomicBool, report: impl Fn(LinkEvent)) {
    if has_heard {
        // The early bytes are in the link already; the relay must only ask for them.
        report(LinkEvent::Received(Vec::new()));
    }
    let mut chunk = vec![0; CHUNK];
    let end = loop {
        match stream.read(&mut chunk) {
            _ if unwanted.load(Ordering::Relaxed) => break Ok(()),
            Ok(0) => break Ok(()),
            Ok(size) => report(LinkEvent::Received(chunk[..size].to_owned())),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    report(LinkEvent::Ended(end));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Keys;
    use std::net::TcpListener;

    #[test]
    fn what_is_said_arrives_in_order_and_the_end_too() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("a bound socket");
        let stream = TcpStream::connect(address).expect("the listener");
        let (mut server, _) = listener.accept().expect("a connection");
        let (reports, news) = mpsc::channel();
        let opened = Opened::new(stream, "127.0.0.1", &Keys::default()).expect("no keys are asked for");
        let mut link = Link::start(opened, move |news| drop(reports.send(news))).expect("threads");

        link.send(b"usermove ");
        link.send(b"e2e4\n");
        link.finish();
        let mut heard = String::new();
        server.read_to_string(&mut heard).expect("all of it");
        assert_eq!(heard, "usermove e2e4\n");

        server.write_all(b"move e7e5\n").expect("an open half");
        drop(server);
        let (mut said, mut sent) = (Vec::new(), 0);
        loop {
            match news.recv_timeout(Duration::from_secs(30)).expect("news") {
                LinkEvent::Received(bytes) => said.extend(link.received(bytes).expect("words")),
                LinkEvent::Sent(count) => sent += count,
                LinkEvent::Ended(end) => break end.expect("an orderly end"),
            }
        }
        assert_eq!((said.as_slice(), sent), (&b"move e7e5\n"[..], 14));
    }
}
