//! The byte stream of a client, plain or inside TLS.
//!
//! Both kinds behave like a non-blocking socket: they transfer what they can, and then nothing
//! until the next event. With TLS this holds because no bytes stay in between: received bytes are
//! handed out before more are read, and accepted bytes are sent before more are accepted.

use crate::auth::user_login::CHANNEL_LABEL;
use crate::auth::{Channel, names_in_certificate};
use crate::server::connection::{ClientSocket, Output};
use rustls::{ServerConfig, ServerConnection};
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::Shutdown;
use std::sync::{Arc, Weak};

/// The first byte of TLS, the type of a handshake record. No command of a protocol begins with it.
const HANDSHAKE_RECORD: u8 = 0x16;

/// Bytes of plain text that TLS buffers until the socket takes them: a record and a bit.
const MAX_TLS_BUFFER: usize = 32 << 10;

pub(in crate::server) struct ClientStream {
    pub(in crate::server) socket: ClientSocket,
    tls: Option<TlsState>,
    /// Whether the system announces room for output.
    pub(in crate::server) awaits_room: bool,
    is_shut: bool,
}

/// Location of the TLS state.
enum TlsState {
    /// Here; boxed, as most clients do without TLS.
    Present(Box<Tls>),
    /// Lent to the handshake thread, whose weak counterpart shows that the connection has ended.
    Lent { _wanted: Arc<()> },
}

pub(in crate::server) struct Tls {
    connection: ServerConnection,
    /// Whether the first byte was seen and is TLS.
    begun: bool,
}

/// Result of a read.
pub(in crate::server) enum ReadOutcome {
    Bytes(usize),
    /// This many bytes of TLS without plain text. There may be more.
    Overhead(usize),
    /// A part of a handshake. [`ClientStream::take_step`] must be called before the next read.
    Handshake,
    /// Nothing until the next event.
    Nothing,
    End,
    NotTls,
}

impl ClientStream {
    /// # Errors
    /// TLS cannot be set up.
    pub(in crate::server) fn new(
        socket: ClientSocket,
        tls: Option<&Arc<ServerConfig>>,
    ) -> Result<ClientStream, rustls::Error> {
        let mut stream = ClientStream { socket, tls: None, awaits_room: false, is_shut: false };
        if let Some(config) = tls {
            let mut connection = ServerConnection::new(Arc::clone(config))?;
            connection.set_buffer_limit(Some(MAX_TLS_BUFFER));
            stream.put_back(Box::new(Tls { connection, begun: false }));
        }
        Ok(stream)
    }

    /// Returns the TLS channel, once the handshake is complete.
    pub(in crate::server) fn channel(&self) -> Option<Channel> {
        let Some(TlsState::Present(tls)) = &self.tls else { return None };
        tls.connection.export_keying_material([0; 32], CHANNEL_LABEL, None).ok().map(Channel)
    }

    /// Returns the names in the client's certificate, if any, once the handshake is complete.
    pub(in crate::server) fn certificate_names(&self) -> Option<Vec<String>> {
        let Some(TlsState::Present(tls)) = &self.tls else { return None };
        let own = tls.connection.peer_certificates()?.first()?;
        Some(names_in_certificate(own))
    }

    pub(in crate::server) fn is_handshaking(&self) -> bool {
        match &self.tls {
            None => false,
            Some(TlsState::Present(tls)) => tls.connection.is_handshaking(),
            Some(TlsState::Lent { .. }) => true,
        }
    }

    /// Lends the TLS state for a step of the handshake. Until it is put back nothing can be read or
    /// written. `None` if it is not here.
    pub(in crate::server) fn take_step(&mut self) -> Option<(Box<Tls>, Weak<()>)> {
        let wanted = Arc::new(());
        let watch = Arc::downgrade(&wanted);
        match self.tls.replace(TlsState::Lent { _wanted: wanted }) {
            Some(TlsState::Present(tls)) => Some((tls, watch)),
            other => {
                self.tls = other;
                None
            }
        }
    }

    pub(in crate::server) fn put_back(&mut self, tls: Box<Tls>) {
        self.tls = Some(TlsState::Present(tls));
    }

    /// Continues in plain text, with a client that does not speak TLS.
    pub(in crate::server) fn drop_tls(&mut self) {
        self.tls = None;
    }

    /// Reads once.
    ///
    /// # Errors
    /// The connection is broken, or the bytes are not valid TLS.
    pub(in crate::server) fn read(&mut self, buffer: &mut [u8]) -> io::Result<ReadOutcome> {
        match &mut self.tls {
            None => Ok(match nonblocking(|| self.socket.read(buffer))? {
                None => ReadOutcome::Nothing,
                Some(0) => ReadOutcome::End,
                Some(count) => ReadOutcome::Bytes(count),
            }),
            Some(TlsState::Present(tls)) => tls.read(&mut self.socket, buffer),
            Some(TlsState::Lent { .. }) => Ok(ReadOutcome::Nothing),
        }
    }

    /// Sends as much of the output as the socket takes.
    ///
    /// # Errors
    /// The connection is broken.
    pub(in crate::server) fn write(&mut self, output: &mut Output) -> io::Result<()> {
        let tls = match &mut self.tls {
            None => return output.write_to(&mut self.socket),
            Some(TlsState::Present(tls)) => tls,
            Some(TlsState::Lent { .. }) => return Ok(()),
        };
        if !tls.connection.is_handshaking() {
            output.write_to(&mut Records { connection: &mut tls.connection, stream: &mut self.socket })?;
        }
        send(&mut tls.connection, &mut self.socket).map(drop)
    }

    /// Returns an upper bound of the bytes that TLS holds for the client, which it does not report.
    pub(in crate::server) fn held(&self) -> usize {
        match &self.tls {
            Some(TlsState::Present(tls)) if tls.connection.wants_write() => MAX_TLS_BUFFER,
            _ => 0,
        }
    }

    /// Returns true if everything accepted is sent.
    pub(in crate::server) fn is_sent(&self) -> bool {
        match &self.tls {
            Some(TlsState::Present(tls)) => !tls.connection.wants_write(),
            Some(TlsState::Lent { .. }) | None => true,
        }
    }

    /// Returns true if the sending side is shut down; further input is discarded.
    pub(in crate::server) fn is_shut(&self) -> bool {
        self.is_shut
    }

    /// Shuts down the sending side, to read on: closing a socket with unread input would make the
    /// system reset the connection, and the client would lose its last lines. Does nothing while
    /// the socket has no room for that.
    ///
    /// # Errors
    /// The connection is broken; it counts as shut down.
    pub(in crate::server) fn linger(&mut self) -> io::Result<()> {
        let finished = self.finish();
        self.is_shut = *finished.as_ref().unwrap_or(&true);
        finished.map(drop)
    }

    /// Closes the sending side. Returns false if the socket has no room for that yet.
    fn finish(&mut self) -> io::Result<bool> {
        if let Some(TlsState::Present(tls)) = &mut self.tls {
            tls.connection.send_close_notify();
            if !send(&mut tls.connection, &mut self.socket)? {
                return Ok(false);
            }
        }
        self.socket.shutdown(Shutdown::Write).map(|()| true)
    }
}

impl Tls {
    /// Takes a step of the handshake with the bytes read. May take milliseconds.
    ///
    /// # Errors
    /// The handshake failed.
    pub(in crate::server) fn step(&mut self) -> Result<(), rustls::Error> {
        self.connection.process_new_packets().map(drop)
    }

    fn read(&mut self, stream: &mut ClientSocket, buffer: &mut [u8]) -> io::Result<ReadOutcome> {
        if !self.begun {
            match nonblocking(|| stream.peek(&mut buffer[..1]))? {
                None => return Ok(ReadOutcome::Nothing),
                Some(1) if buffer[0] != HANDSHAKE_RECORD => return Ok(ReadOutcome::NotTls),
                Some(_) => self.begun = true,
            }
        }
        match self.connection.reader().read(buffer) {
            Ok(0) => return Ok(ReadOutcome::End),
            Ok(count) => return Ok(ReadOutcome::Bytes(count)),
            // The stream ended without a close_notify alert: no more commands come in either case.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(ReadOutcome::End),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        let Some(count) = nonblocking(|| self.connection.read_tls(stream))? else {
            return Ok(ReadOutcome::Nothing);
        };
        if count > 0 && self.connection.is_handshaking() {
            return Ok(ReadOutcome::Handshake);
        }
        if let Err(error) = self.connection.process_new_packets() {
            // Try to send the TLS alert.
            let _ = send(&mut self.connection, stream);
            return Err(io::Error::new(ErrorKind::InvalidData, error));
        }
        Ok(ReadOutcome::Overhead(count))
    }
}

/// A writer that encrypts plain text once everything encrypted before is sent.
struct Records<'a> {
    connection: &'a mut ServerConnection,
    stream: &'a mut ClientSocket,
}

impl Write for Records<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        if !send(self.connection, self.stream)? {
            return Err(ErrorKind::WouldBlock.into());
        }
        self.connection.writer().write_vectored(slices)
    }

    fn flush(&mut self) -> io::Result<()> {
        send(self.connection, self.stream).map(drop)
    }
}

/// Sends what TLS holds. Returns true if nothing is left.
fn send(connection: &mut ServerConnection, stream: &mut ClientSocket) -> io::Result<bool> {
    while connection.wants_write() {
        if nonblocking(|| connection.write_tls(stream))?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Retries interrupted calls; returns `None` if the call would block.
pub(in crate::server) fn nonblocking(
    mut attempt: impl FnMut() -> io::Result<usize>,
) -> io::Result<Option<usize>> {
    loop {
        match attempt() {
            Ok(count) => return Ok(Some(count)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
