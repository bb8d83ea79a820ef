//! One client: socket, buffers, and the session behind them.

use super::output::{Output, OutputLimits};
use crate::pool::SearchId;
use crate::protocol::framing::Lines;
use crate::session::Session;
use mio::net::TcpStream;
use socket2::{SockRef, TcpKeepalive};
use std::io::{self, ErrorKind, Read};
use std::net::{Shutdown, SocketAddr};
use std::time::Duration;

/// A client that has not been heard of so long is asked whether it is there.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// What was sent and not acknowledged after this time will not be: the connection is dropped.
const USER_TIMEOUT: Duration = Duration::from_secs(60);

/// A connection, from the accept to the end.
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    pub(super) peer: SocketAddr,
    /// The name of this tenant of the slot, for the pool.
    pub(super) owner: u64,
    /// `None` once the session has closed, or if there never was one: only the output remains.
    pub(super) session: Option<Session>,
    /// Whether it counts as a session.
    pub(super) counted: bool,
    pub(super) lines: Lines,
    pub(super) output: Output,
    /// Searches that were started and have not ended.
    pub(super) searches: Vec<SearchId>,
    /// The client will send no more.
    pub(super) eof: bool,
    /// It is in the list of those with input to read or to handle.
    pub(super) listed: bool,
    /// The system was asked to say when there is room for more output.
    pub(super) awaits_room: bool,
    /// Our side is shut down; what the client still sends is thrown away.
    pub(super) lingers: bool,
}

/// What a read found.
pub(super) enum Found {
    /// So many bytes.
    Bytes(usize),
    /// Nothing, until more is announced.
    Nothing,
    /// The client will send no more.
    End,
}

impl Connection {
    pub(super) fn new(
        stream: TcpStream,
        peer: SocketAddr,
        owner: u64,
        max_line: usize,
        output: OutputLimits,
    ) -> Connection {
        if let Err(error) = set_options(&stream) {
            log::debug!("{peer}: socket options: {error}");
        }
        Connection {
            stream,
            peer,
            owner,
            session: None,
            counted: false,
            lines: Lines::new(max_line),
            output: Output::new(output),
            searches: Vec::new(),
            eof: false,
            listed: false,
            awaits_room: false,
            lingers: false,
        }
    }

    /// Reads once.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<Found> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) => return Ok(Found::End),
                Ok(count) => return Ok(Found::Bytes(count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(Found::Nothing),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether the connection still stands. After the end of input a reset is not told by reading.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn check(&self) -> io::Result<()> {
        self.stream.take_error()?.map_or(Ok(()), Err)
    }

    /// Sends as much of the output as there is room for.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn write(&mut self) -> io::Result<()> {
        if self.output.is_empty() { Ok(()) } else { self.output.write_to(&mut self.stream) }
    }

    /// Says that nothing more will come, and goes on reading: closing a socket with input that was not
    /// read makes the system reset the connection, and the client would lose what it was told last.
    pub(super) fn linger(&mut self) {
        self.lingers = true;
        if let Err(error) = self.stream.shutdown(Shutdown::Write) {
            log::debug!("{}: shutdown: {error}", self.peer);
        }
    }
}

fn set_options(stream: &TcpStream) -> io::Result<()> {
    let socket = SockRef::from(stream);
    // Replies are short and somebody waits for each.
    socket.set_tcp_nodelay(true)?;
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE).with_interval(KEEPALIVE / 4))?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(USER_TIMEOUT))?;
    Ok(())
}
