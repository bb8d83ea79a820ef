//! The connection to a server: reads, and writes without blocking. TLS and handshake are in
//! [`Link::received`] and [`Link::send`], so that a reader moves bytes without interpreting them.

use super::address::Address;
use super::dial::{admit, reach};
use super::platform;
use super::write_queue::{Progress, WriteQueue};
use crate::auth::{Guard, Keys};
use socket2::SockRef;
use std::io::{self, ErrorKind, Read};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// The capacity of a Linux pipe.
const CHUNK: usize = 64 * 1024;

/// Report of a link.
#[derive(Debug)]
pub(crate) enum LinkEvent {
    /// Bytes from the server, for [`Link::received`].
    Received(Vec<u8>),
    /// Some bytes that could not be written at once have been written.
    Written,
    /// The end of the server's output, or an error.
    Ended(io::Result<()>),
}

/// A connection to one server.
pub(crate) struct Link {
    guard: Guard,
    output: WriteQueue<TcpStream>,
}

/// Reader of a link.
pub(crate) struct LinkReader(Arc<TcpStream>);

impl Link {
    /// Connects to a server. Blocks. Returns the link, the bytes that the server has already sent,
    /// and the reader for a thread of its own. A thread that starts if the server does not read
    /// calls `report`.
    pub(crate) fn dial(
        server: &Address,
        keys: &Keys,
        report: impl Fn(LinkEvent) -> bool + Send + Sync + 'static,
    ) -> io::Result<(Self, Vec<u8>, LinkReader)> {
        let mut stream = reach(server)?;
        let (guard, early) = admit(&mut stream, server.name(), keys)?;
        let writer = stream.try_clone()?;
        let report = move |progress| match progress {
            Progress::Written => drop(report(LinkEvent::Written)),
            Progress::Ended(Ok(())) => drop(writer.shutdown(Shutdown::Write)),
            // The reader reports failures: it may still have the server's last words.
            Progress::Ended(Err(_)) => {}
        };
        let output = WriteQueue::new(stream, platform::send_now, report);
        let reader = LinkReader(Arc::clone(&output.stream));
        Ok((Self { guard, output }, early, reader))
    }

    /// Decodes bytes from the server.
    ///
    /// # Errors
    /// The bytes are not valid; the link cannot be used any more.
    pub(crate) fn received(&mut self, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let decoded = self.guard.received(bytes);
        self.flush();
        decoded.map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
    }

    /// Interprets the end of the server's output.
    ///
    /// # Errors
    /// The end was an error, or did not come from the server.
    pub(crate) fn ended(&self, end: io::Result<()>) -> io::Result<()> {
        end?;
        self.guard.ended().map_err(|error| io::Error::new(ErrorKind::UnexpectedEof, error))
    }

    /// Sends bytes to the server, or queues them.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.guard.send(bytes);
        self.flush();
    }

    /// Returns the number of bytes that the server does not read.
    pub(super) fn unsent(&self) -> usize {
        self.output.queued()
    }

    /// Sends the guard's output.
    fn flush(&mut self) {
        let bytes = self.guard.take_output();
        if !bytes.is_empty() && self.output.write(&bytes).is_err() {
            // Nothing may follow lost bytes. If the connection is broken, the reader reports it.
            let _ = self.output.stream.shutdown(Shutdown::Write);
        }
    }

    /// Makes the end of the link a reset: otherwise a server that sends without end could go on.
    pub(crate) fn reset_at_end(&self) {
        // If that fails, the system closes the connection later.
        let _ = SockRef::from(&*self.output.stream).set_linger(Some(Duration::ZERO));
    }

    /// Ends the stream to the server; its answers may still come.
    pub(crate) fn finish(&mut self) {
        self.guard.finish();
        self.flush();
        if self.output.finish() {
            let _ = self.output.stream.shutdown(Shutdown::Write);
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Wakes the threads. Fails if the connection is broken.
        let _ = self.output.stream.shutdown(Shutdown::Both);
    }
}

impl LinkReader {
    /// Reads until the end, or until `report` returns false.
    pub(crate) fn run(self, report: impl Fn(LinkEvent) -> bool) {
        let mut chunk = vec![0; CHUNK];
        let end = loop {
            match (&*self.0).read(&mut chunk) {
                Ok(0) => break Ok(()),
                Ok(size) if report(LinkEvent::Received(chunk[..size].to_owned())) => {}
                // The link was dropped; its server may send without end.
                Ok(_) => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        report(LinkEvent::Ended(end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::TcpListener;
    use std::sync::mpsc;
    use std::thread;

    #[test]
    fn bytes_arrive_in_order_and_so_does_the_end() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("a bound socket").to_string();
        let address = address.parse().expect("an address");
        let (sender, reports) = mpsc::channel();
        let report = move |event| sender.send(event).is_ok();
        let link = Link::dial(&address, &Keys::default(), report.clone());
        let (mut link, early, reader) = link.expect("the listener, which wants no keys");
        let (mut server, _) = listener.accept().expect("a connection");
        let reading = thread::spawn(move || reader.run(report));

        // More than the buffers of both sockets hold.
        let much = vec![b'x'; 20_000_000];
        link.send(b"usermove ");
        link.send(&much);
        link.send(b"e2e4\n");
        assert!(link.unsent() > 0);
        link.finish();
        let mut received = Vec::new();
        server.read_to_end(&mut received).expect("all of it");
        assert!(received == [b"usermove ", &much[..], b"e2e4\n"].concat());
        assert_eq!(link.unsent(), 0);

        server.write_all(b"move e7e5\n").expect("an open half");
        drop(server);
        let mut output = early;
        loop {
            match reports.recv_timeout(Duration::from_secs(30)).expect("a report") {
                LinkEvent::Received(bytes) => output.extend(link.received(bytes).expect("plain bytes")),
                LinkEvent::Written => {}
                LinkEvent::Ended(end) => break end.expect("an orderly end"),
            }
        }
        reading.join().expect("a reader");
        assert_eq!(output, b"move e7e5\n");
    }
}
