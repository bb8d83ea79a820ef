//! The connection to a server: a socket, a thread that reads and a thread that writes. They move
//! bytes without interpreting them: TLS and handshake are in [`Link::received`] and [`Link::send`],
//! which do not block.

use super::admitted::Opened;
use crate::auth::Guard;
use socket2::SockRef;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

/// The capacity of a Linux pipe.
const CHUNK: usize = 64 * 1024;

/// Reports of a link's threads.
#[derive(Debug)]
pub(crate) enum LinkEvent {
    /// Bytes from the server, for [`Link::received`].
    Received(Vec<u8>),
    /// This many of the bytes given to [`Link::send`] have been written.
    Sent(usize),
    /// The end of the server's output, or an error.
    Ended(io::Result<()>),
}

/// Encoded bytes, and their number before encoding.
type Chunk = (Vec<u8>, usize);

/// A connection to one server.
#[derive(Debug)]
pub(crate) struct Link {
    stream: TcpStream,
    guard: Guard,
    /// Bytes that the server sent before the link began.
    early: Vec<u8>,
    /// `None` once the stream to the server is to end.
    queue: Option<Sender<Chunk>>,
    /// Whether the link was dropped, and no more reports are wanted.
    dropped: Arc<AtomicBool>,
}

impl Link {
    /// Starts the threads of a connection, which call `report`.
    pub(crate) fn start(
        opened: Opened,
        report: impl Fn(LinkEvent) + Clone + Send + 'static,
    ) -> io::Result<Self> {
        let Opened { stream, guard, early } = opened;
        let (queue, queued) = mpsc::channel::<Chunk>();
        let (reader, mut writer) = (stream.try_clone()?, stream.try_clone()?);
        let (report_sent, has_early) = (report.clone(), !early.is_empty());
        let dropped = Arc::new(AtomicBool::new(false));
        let is_dropped = Arc::clone(&dropped);
        let read = move || read(reader, has_early, &is_dropped, report);
        thread::Builder::new().name("server to output".to_owned()).spawn(read)?;
        let write = move || {
            for (bytes, count) in queued {
                if writer.write_all(&bytes).is_err() {
                    // The reader reports failures: it may still have the server's last words.
                    return;
                }
                report_sent(LinkEvent::Sent(count));
            }
            let _ = writer.shutdown(Shutdown::Write);
        };
        thread::Builder::new().name("input to server".to_owned()).spawn(write)?;
        Ok(Self { stream, guard, early, queue: Some(queue), dropped })
    }

    /// Decodes bytes from the server.
    ///
    /// # Errors
    /// The bytes are not valid; the link cannot be used any more.
    pub(crate) fn received(&mut self, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut decoded = std::mem::take(&mut self.early);
        if bytes.is_empty() {
            return Ok(decoded);
        }
        let more = self.guard.received(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error));
        self.flush(0);
        decoded.extend(more?);
        Ok(decoded)
    }

    /// Interprets the end of the server's output.
    ///
    /// # Errors
    /// The end was an error, or did not come from the server.
    pub(crate) fn ended(&self, end: io::Result<()>) -> io::Result<()> {
        end?;
        self.guard.ended().map_err(|error| io::Error::new(ErrorKind::UnexpectedEof, error))
    }

    /// Queues bytes for the server, as one write.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.guard.send(bytes);
            self.flush(bytes.len());
        }
    }

    /// Queues the guard's output; `count` is the number of bytes before encoding.
    fn flush(&mut self, count: usize) {
        let bytes = self.guard.take_output();
        if let Some(queue) = self.queue.as_ref().filter(|_| !bytes.is_empty()) {
            // If the thread has ended, the connection is broken, and the reader reports it.
            let _ = queue.send((bytes, count));
        }
    }

    /// Makes the end of the link a reset: otherwise a server that sends without end could go on.
    pub(crate) fn reset_at_end(&self) {
        // If that fails, the system closes the connection later.
        let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
    }

    /// Ends the stream to the server; its answers may still come.
    pub(crate) fn finish(&mut self) {
        self.guard.finish();
        self.flush(0);
        self.queue = None;
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Otherwise a server that sends without end would be read without end.
        self.dropped.store(true, Ordering::Relaxed);
        // Wakes the threads. Fails if the connection is broken.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn read(mut stream: TcpStream, has_early: bool, is_dropped: &AtomicBool, report: impl Fn(LinkEvent)) {
    if has_early {
        // The link has the early bytes already: they only need to be taken.
        report(LinkEvent::Received(Vec::new()));
    }
    let mut chunk = vec![0; CHUNK];
    let end = loop {
        match stream.read(&mut chunk) {
            _ if is_dropped.load(Ordering::Relaxed) => break Ok(()),
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
    fn bytes_arrive_in_order_and_so_does_the_end() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("a bound socket");
        let stream = TcpStream::connect(address).expect("the listener");
        let (mut server, _) = listener.accept().expect("a connection");
        let (sender, reports) = mpsc::channel();
        let opened = Opened::new(stream, "127.0.0.1", &Keys::default()).expect("a server without keys");
        let mut link = Link::start(opened, move |event| drop(sender.send(event))).expect("threads");

        link.send(b"usermove ");
        link.send(b"e2e4\n");
        link.finish();
        let mut received = String::new();
        server.read_to_string(&mut received).expect("all of it");
        assert_eq!(received, "usermove e2e4\n");

        server.write_all(b"move e7e5\n").expect("an open half");
        drop(server);
        let (mut output, mut sent) = (Vec::new(), 0);
        loop {
            match reports.recv_timeout(Duration::from_secs(30)).expect("a report") {
                LinkEvent::Received(bytes) => output.extend(link.received(bytes).expect("plain bytes")),
                LinkEvent::Sent(count) => sent += count,
                LinkEvent::Ended(end) => break end.expect("an orderly end"),
            }
        }
        assert_eq!((output.as_slice(), sent), (&b"move e7e5\n"[..], 14));
    }
}
