//! A WebSocket, and the session behind it: bytes go both ways, cut anywhere. Or the feed of other
//! sessions, with a message at a time.
//!
//! Neither side is read before everything read from it is passed on, so a slow reader costs no
//! memory here: what is for a slow page waits in the server's loop, which has limits for it.

#[cfg(test)]
mod tests;

use super::wire::{TURN_BYTES, Wire};
use crate::server::connection::{ClientStream, Output, nonblocking};
use crate::server::watch::Feed;
use mio::net::UnixStream;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Bytes, Error, Message, WebSocket};

/// Longest message of a page in bytes: a state with what a search keeps of its table fits.
pub(super) const MAX_MESSAGE: usize = 512 << 10;
/// Longest message to a page in bytes.
const MAX_SENT: usize = 16 << 10;
/// Bytes read from a page at a time; every WebSocket has them in memory.
const READ_BUFFER: usize = 4 << 10;

/// Silence of a page after which it is asked for a sign of life, and then the time for that.
pub(super) const SILENCE: Duration = Duration::from_secs(20);
/// Time for a page to close after the session's end.
const FAREWELL: Duration = Duration::from_secs(5);
/// Time for the browser to close the connection after that.
const LINGER: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RelayEnd {
    /// Nothing can be done until the next event.
    Waiting,
    Continue,
    Ended,
}

/// The state of a relay, since some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RelayState {
    /// The page was heard.
    Open,
    /// The page was asked for a sign of life.
    Asked,
    /// The session has ended or the page has broken a rule, and the page knows.
    Closing,
    /// Nothing is left to be sent, and the sending side is being shut down.
    Leaving,
}

/// The other end of a WebSocket.
pub(super) enum Behind {
    /// The way to a session.
    Session(UnixStream),
    /// A watcher of the feed.
    Feed(usize),
    /// Nothing any more; a watcher has not left the feed yet.
    Nothing(Option<usize>),
}

impl Behind {
    fn watcher(&self) -> Option<usize> {
        match self {
            Behind::Session(_) => None,
            Behind::Feed(watcher) => Some(*watcher),
            Behind::Nothing(watcher) => *watcher,
        }
    }

    fn end(&mut self) {
        *self = Behind::Nothing(self.watcher());
    }
}

pub(super) struct Relay {
    pub(super) peer: SocketAddr,
    page: WebSocket<Wire>,
    behind: Behind,
    /// Bytes of the page that the session has not taken.
    for_session: Bytes,
    state: RelayState,
    since: Instant,
}

impl Relay {
    /// Creates a relay for a connection that has just become a WebSocket: with what is still to be
    /// sent, and what was read already.
    pub(super) fn new(
        (stream, output, input): (ClientStream, Output, Vec<u8>),
        peer: SocketAddr,
        behind: Behind,
        now: Instant,
    ) -> Relay {
        let bounds = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE));
        let wire = Wire::new(stream, output);
        Relay {
            peer,
            page: WebSocket::from_partially_read(wire, input, Role::Server, Some(bounds)),
            behind,
            for_session: Bytes::new(),
            state: RelayState::Open,
            since: now,
        }
    }

    /// Returns the page's connection, for the system's events.
    pub(super) fn stream(&mut self) -> &mut ClientStream {
        &mut self.page.get_mut().stream
    }

    /// Returns true once no session is behind it.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.behind, Behind::Nothing(_))
    }

    /// Returns its key in the feed, if it watches.
    pub(super) fn watcher(&self) -> Option<usize> {
        self.behind.watcher()
    }

    /// Returns when there is something to do without an event.
    pub(super) fn deadline(&self) -> Instant {
        self.since
            + match self.state {
                RelayState::Open | RelayState::Asked => SILENCE,
                RelayState::Closing => FAREWELL,
                RelayState::Leaving => LINGER,
            }
    }

    fn begin(&mut self, state: RelayState, now: Instant) {
        (self.state, self.since) = (state, now);
    }

    /// Relays as much as is possible and fair.
    ///
    /// # Errors
    /// The connection to the page is broken.
    pub(super) fn turn(&mut self, feed: &mut Feed, buffer: &mut [u8], now: Instant) -> io::Result<RelayEnd> {
        if now >= self.deadline() && self.time_out(now)? == RelayEnd::Ended {
            return Ok(RelayEnd::Ended);
        }
        self.page.get_mut().budget = TURN_BYTES;
        for _ in 0..TURN_BYTES / READ_BUFFER {
            self.page.get_mut().send()?;
            if self.state == RelayState::Leaving {
                return self.leave(buffer);
            }
            let has_sent = self.relay_to_page(feed, buffer, now)?;
            let has_read = self.relay_from_page(feed, now)?;
            if !has_sent && !has_read {
                let wire = self.page.get_mut();
                wire.send()?;
                return Ok(if wire.budget == 0 { RelayEnd::Continue } else { RelayEnd::Waiting });
            }
        }
        Ok(RelayEnd::Continue)
    }

    fn time_out(&mut self, now: Instant) -> io::Result<RelayEnd> {
        match self.state {
            RelayState::Open if self.for_session.is_empty() => {
                self.begin(RelayState::Asked, now);
                ended(self.page.send(Message::Ping(Bytes::new())))?;
            }
            // It is the session that does not read.
            RelayState::Open => self.begin(RelayState::Open, now),
            RelayState::Asked | RelayState::Closing | RelayState::Leaving => return Ok(RelayEnd::Ended),
        }
        Ok(RelayEnd::Continue)
    }

    /// Passes on what the session has sent, as one message. Returns false if nothing is possible.
    fn relay_to_page(&mut self, feed: &mut Feed, buffer: &mut [u8], now: Instant) -> io::Result<bool> {
        if !self.page.get_ref().is_sent() {
            return Ok(false);
        }
        let session = match &mut self.behind {
            Behind::Nothing(_) => return Ok(false),
            Behind::Feed(watcher) => {
                let Some(news) = feed.next_message(*watcher) else { return Ok(false) };
                ended(self.page.send(Message::Text(news)))?;
                return Ok(true);
            }
            Behind::Session(session) => session,
        };
        let most = buffer.len().min(MAX_SENT);
        match nonblocking(|| session.read(&mut buffer[..most])).unwrap_or(Some(0)) {
            None => return Ok(false),
            Some(0) => self.close(CloseCode::Normal, "", now)?,
            Some(count) => {
                let message = Bytes::copy_from_slice(&buffer[..count]);
                ended(self.page.send(Message::Binary(message)))?;
            }
        }
        Ok(true)
    }

    /// Passes on a message of the page. Returns false if nothing is possible.
    fn relay_from_page(&mut self, feed: &mut Feed, now: Instant) -> io::Result<bool> {
        if let Behind::Session(session) = &mut self.behind
            && !self.for_session.is_empty()
        {
            match nonblocking(|| session.write(&self.for_session)) {
                Ok(Some(count)) => drop(self.for_session.split_to(count)),
                Ok(None) => return Ok(false),
                // It has ended, but what it has sent is still to be read.
                Err(_) => self.for_session.clear(),
            }
            return Ok(true);
        }
        // No message is read before everything that answers the last one is sent.
        if !self.page.get_ref().is_sent() {
            return Ok(false);
        }
        let message = self.page.read();
        if message.is_ok() && self.state != RelayState::Closing {
            self.begin(RelayState::Open, now);
        }
        match message {
            Ok(Message::Binary(bytes)) => match &self.behind {
                Behind::Session(_) => self.for_session = bytes,
                Behind::Feed(_) => self.close(CloseCode::Unsupported, "", now)?,
                Behind::Nothing(_) => {}
            },
            Ok(Message::Text(text)) => match (&self.behind, serde_json::from_str(&text)) {
                (Behind::Feed(watcher), Ok(request)) => feed.watch(*watcher, request),
                (Behind::Feed(_), Err(_)) => self.close(CloseCode::Policy, "", now)?,
                (Behind::Session(_) | Behind::Nothing(_), _) => {
                    self.close(CloseCode::Unsupported, "", now)?
                }
            },
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_)) => {}
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            Err(Error::Io(error)) => return Err(error),
            Err(Error::ConnectionClosed | Error::AlreadyClosed) => self.end(now),
            Err(Error::Capacity(_)) => self.close(CloseCode::Size, "", now)?,
            Err(Error::Utf8(_)) => self.close(CloseCode::Invalid, "", now)?,
            Err(error) => {
                log::debug!("HTTP, {}: {error}", self.peer);
                self.close(CloseCode::Protocol, "", now)?;
            }
        }
        Ok(true)
    }

    /// Ends the session and says goodbye to the page, with a reason of at most 123 bytes for the
    /// person. What a page that has broken a rule sends after that cannot be understood.
    ///
    /// # Errors
    /// The connection to the page is broken.
    pub(super) fn close(&mut self, code: CloseCode, reason: &'static str, now: Instant) -> io::Result<()> {
        let has_begun = self.state == RelayState::Closing;
        self.behind.end();
        self.begin(RelayState::Closing, now);
        ended(self.page.close(Some(CloseFrame { code, reason: reason.into() })))?;
        if has_begun || code != CloseCode::Normal {
            self.end(now);
        }
        Ok(())
    }

    fn end(&mut self, now: Instant) {
        self.behind.end();
        self.begin(RelayState::Leaving, now);
    }

    /// Shuts down the sending side and reads what the browser still sends.
    fn leave(&mut self, buffer: &mut [u8]) -> io::Result<RelayEnd> {
        let wire = self.page.get_mut();
        if !wire.is_sent() {
            return Ok(RelayEnd::Waiting);
        }
        if !wire.stream.is_shut() {
            wire.stream.linger()?;
            if !wire.stream.is_shut() {
                return Ok(RelayEnd::Waiting);
            }
        }
        match wire.read(buffer) {
            Ok(0) => Ok(RelayEnd::Ended),
            Ok(_) => Ok(RelayEnd::Continue),
            Err(error) if error.kind() == ErrorKind::WouldBlock && wire.budget == 0 => Ok(RelayEnd::Continue),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(RelayEnd::Waiting),
            Err(error) => Err(error),
        }
    }
}

/// Keeps the errors of the connection: a page that is being closed gets no more messages.
fn ended(sent: Result<(), Error>) -> io::Result<()> {
    match sent {
        Err(Error::Io(error)) => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
