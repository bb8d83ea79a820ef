//! One client: socket, buffers, and the session behind them.

use super::access_log::{self, Leaving, Name, Refusal};
use super::entrance::Entrance;
use super::output::Output;
use super::rsh::Visit;
use super::wire::{Found, Wire};
use super::{Door, Limits};
use crate::pool::{SearchId, Source};
use crate::protocol::Line;
use crate::protocol::framing::Lines;
use crate::protocol::telnet::Telnet;
use crate::session::{Conversation, Protocol};
use mio::net::TcpStream;
use socket2::{SockRef, TcpKeepalive};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A connection, from the accept to the end.
pub(super) struct Connection {
    pub(super) wire: Wire,
    pub(super) peer: SocketAddr,
    /// When it came.
    pub(super) since: Instant,
    /// Where it came in.
    pub(super) door: Arc<Door>,
    /// The name of this tenant of the slot, for the pool.
    pub(super) owner: u64,
    /// Whose share it has of the loop's time, and its searches of the cores.
    pub(super) source: Source,
    /// What is asked of the client before its session begins; `None` when it does, or if there is nothing to ask.
    pub(super) entrance: Option<Box<Entrance>>,
    /// `None` before it begins, and once it has closed.
    pub(super) session: Option<Conversation>,
    /// Why the session ends, once it does.
    pub(super) leaving: Leaving,
    /// Whether it counts as a session.
    pub(super) counted: bool,
    pub(super) lines: Lines,
    telnet: Telnet,
    pub(super) output: Output,
    /// Bytes that its buffers held when that was last said to those who count all together.
    pub(super) held: usize,
    /// Searches that were started and have not ended.
    pub(super) searches: Vec<SearchId>,
    /// The client will send no more.
    pub(super) eof: bool,
    /// Since when there has always been more input than could be handled, and nothing was said.
    pub(super) swamped: Option<Instant>,
    /// The system was asked to say when there is room for more output.
    pub(super) awaits_room: bool,
    /// Our side is shut down; what the client still sends is thrown away.
    pub(super) lingers: bool,
    /// For a client of a remote shell.
    pub(super) visit: Option<Box<Visit>>,
}

impl Connection {
    pub(super) fn new(
        wire: Wire,
        peer: SocketAddr,
        door: Arc<Door>,
        owner: u64,
        source: Source,
        limits: &Limits,
    ) -> Connection {
        if let Err(error) = set_options(wire.socket(), limits.keepalive) {
            log::debug!("{peer}: socket options: {error}");
        }
        Connection {
            wire,
            peer,
            since: Instant::now(),
            door,
            owner,
            source,
            entrance: None,
            session: None,
            leaving: Leaving::default(),
            counted: false,
            lines: Lines::new(limits.line),
            telnet: Telnet::default(),
            output: Output::new(limits.output),
            held: 0,
            searches: Vec::new(),
            eof: false,
            swamped: None,
            awaits_room: false,
            lingers: false,
            visit: None,
        }
    }

    /// Whether there is nobody to hear what still comes: only the output remains.
    pub(super) fn is_over(&self) -> bool {
        self.session.is_none() && self.entrance.is_none()
    }

    /// Reads once.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<Found> {
        let found = self.wire.read(buffer);
        if let Ok(Found::Bytes(_)) = found {
            self.hasten();
        }
        found
    }

    /// Whether the connection still stands. After the end of input a reset is not told by reading.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn check(&self) -> io::Result<()> {
        self.wire.socket().take_error()?.map_or(Ok(()), Err)
    }

    /// Whether it has no session yet, and may get one.
    pub(super) fn is_arriving(&self) -> bool {
        self.visit.as_ref().is_some_and(|visit| visit.is_arriving())
    }

    /// Takes bytes that were read, without what telnet has put between them.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.lines.fill(|buffer| self.telnet.filter(bytes, buffer));
    }

    /// Has this sent, as soon as the client can take it.
    pub(super) fn say(&mut self, line: Line) {
        match &mut self.visit {
            Some(visit) => visit.pace.push(line.text, line.key),
            None => self.output.push(&line.text, line.key),
        }
    }

    /// What its client speaks, as far as that is known.
    pub(super) fn protocol(&self) -> Protocol {
        self.session.as_ref().map_or(self.door.protocol, Conversation::protocol)
    }

    /// Bytes not sent.
    pub(super) fn unsent(&self) -> usize {
        self.output.bytes() + self.visit.as_ref().map_or(0, |visit| visit.pace.bytes())
    }

    /// Bytes of memory that its buffers take, nearly.
    pub(super) fn memory(&self) -> usize {
        let paced = self.visit.as_ref().map_or(0, |visit| visit.pace.bytes());
        self.output.memory() + paced + self.lines.held() + self.wire.held()
    }

    /// Has the system acknowledge at once what was read. WinBoard sends a command in pieces, and its system keeps each
    /// back until the one before is acknowledged.
    pub(super) fn hasten(&self) {
        #[cfg(target_os = "linux")]
        if self.visit.is_some()
            && let Err(error) = SockRef::from(self.wire.socket()).set_tcp_quickack(true)
        {
            log::debug!("{}: {error}", self.peer);
        }
    }

    /// Sends as much of the output as there is room for.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn write(&mut self, now: Instant) -> io::Result<()> {
        if self.output.is_empty()
            && let Some(text) = self.visit.as_mut().and_then(|visit| visit.pace.write(now))
        {
            self.output.push(&text, None);
        }
        if self.output.is_empty() && self.wire.is_sent() { Ok(()) } else { self.wire.write(&mut self.output) }
    }

    /// Whether nothing is left that could be sent at once.
    pub(super) fn is_written(&self) -> bool {
        self.output.is_empty() && self.wire.is_sent()
    }

    /// Whether nothing is left to be sent.
    pub(super) fn is_sent(&self) -> bool {
        self.is_written() && self.unsent() == 0
    }

    /// What the log calls its session.
    pub(super) fn name(&self) -> Name {
        Name { number: self.owner >> 32, peer: self.peer }
    }

    /// Logs that the client goes without a proof, if it was told the server's.
    pub(super) fn say_gone(&self) {
        if self.entrance.as_ref().is_some_and(|entrance| entrance.is_challenged()) {
            access_log::refused(
                self.peer,
                Refusal::NoProof,
                &"it heard the server's proof and gave none of its own",
            );
        }
    }

    /// Logs that the session ends, if there is one.
    pub(super) fn say_end(&self) {
        if let Some(session) = &self.session {
            access_log::ends(self.name(), self.since.elapsed(), self.leaving, session.lag());
        }
    }

    /// Says that nothing more will come, and goes on reading: closing a socket with input that was not
    /// read makes the system reset the connection, and the client would lose what it was told last. Does
    /// nothing as long as there is no room for saying so.
    pub(super) fn linger(&mut self) {
        match self.wire.finish() {
            Ok(finished) => self.lingers = finished,
            Err(error) => {
                self.lingers = true;
                log::debug!("{}: shutdown: {error}", self.peer);
            }
        }
    }
}

/// `keepalive`: a client that has not been heard of so long is asked whether it is there, and what was sent and not
/// acknowledged after so long never will be: then the system drops the connection. One that answers may be silent for ever.
fn set_options(stream: &TcpStream, keepalive: Duration) -> io::Result<()> {
    let socket = SockRef::from(stream);
    // Replies are short and somebody waits for each.
    socket.set_tcp_nodelay(true)?;
    // The system counts in whole seconds.
    let interval = (keepalive / 4).max(Duration::from_secs(1));
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(keepalive).with_interval(interval))?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(keepalive))?;
    Ok(())
}
