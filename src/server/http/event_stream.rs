//! The feed without a WebSocket, for scripts: as server-sent events, or a game as PGN.

use super::relay::RelayEnd;
use super::response::{PLAIN, Response, Status};
use crate::server::connection::{ClientStream, Output, ReadOutcome};
use crate::server::watch::Feed;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Silence after which a stream of events gets an empty comment, which shows whether its client is
/// still there.
const SILENCE: Duration = Duration::from_secs(20);
/// Time for the server's loop to copy a game.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time for a client to close after the last byte.
const LINGER: Duration = Duration::from_secs(1);
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// The head of a stream of events, which ends with the connection.
pub(super) const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\
                               Connection: close\r\n\r\n";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Events are sent as they come.
    Events,
    /// The game has not come yet.
    AwaitingGame,
    /// Nothing more will be sent.
    Leaving,
}

/// A client that reads the feed.
pub(super) struct EventStream {
    pub(super) peer: SocketAddr,
    pub(super) stream: ClientStream,
    output: Output,
    /// Its key in the feed.
    pub(super) watcher: usize,
    state: State,
    since: Instant,
}

impl EventStream {
    /// A stream of events, whose [head](HEAD) is in `output`.
    pub(super) fn events(
        (stream, output, _): (ClientStream, Output, Vec<u8>),
        peer: SocketAddr,
        watcher: usize,
        now: Instant,
    ) -> EventStream {
        EventStream { peer, stream, output, watcher, state: State::Events, since: now }
    }

    /// A client that gets one game as PGN.
    pub(super) fn pgn(
        parts: (ClientStream, Output, Vec<u8>),
        peer: SocketAddr,
        watcher: usize,
        now: Instant,
    ) -> EventStream {
        EventStream { state: State::AwaitingGame, ..EventStream::events(parts, peer, watcher, now) }
    }

    /// Returns when there is something to do without an event.
    pub(super) fn deadline(&self) -> Instant {
        self.since
            + match self.state {
                State::Events => SILENCE,
                State::AwaitingGame => PATIENCE,
                State::Leaving => LINGER,
            }
    }

    /// Sends what is new, as far as the client reads.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn turn(&mut self, feed: &mut Feed, buffer: &mut [u8], now: Instant) -> io::Result<RelayEnd> {
        self.stream.write(&mut self.output)?;
        let is_sent = self.output.is_empty() && self.stream.is_sent();
        if is_sent && self.send_news(feed, now) {
            return Ok(RelayEnd::Continue);
        }
        if now >= self.deadline() {
            let has_time = self.has_time(is_sent, now);
            return Ok(if has_time { RelayEnd::Continue } else { RelayEnd::Ended });
        }
        if is_sent && self.state == State::Leaving && !self.stream.is_shut() {
            self.stream.linger()?;
        }
        // A client has nothing more to say.
        match self.stream.read(buffer)? {
            ReadOutcome::Bytes(_) | ReadOutcome::Overhead(_) => Ok(RelayEnd::Continue),
            ReadOutcome::Nothing => Ok(RelayEnd::Waiting),
            ReadOutcome::End | ReadOutcome::Handshake | ReadOutcome::NotTls => Ok(RelayEnd::Ended),
        }
    }

    /// Returns false if the client's time is over.
    fn has_time(&mut self, is_sent: bool, now: Instant) -> bool {
        match self.state {
            State::Events if is_sent => {
                self.output.push(":\n\n", None);
                self.since = now;
                true
            }
            State::AwaitingGame if is_sent => {
                self.answer(Status::Unavailable, PLAIN, "the server is busy: try again\n", now);
                true
            }
            State::Events | State::AwaitingGame | State::Leaving => false,
        }
    }

    /// Returns false if there is no news.
    fn send_news(&mut self, feed: &mut Feed, now: Instant) -> bool {
        match self.state {
            State::Events => {
                let Some(news) = feed.next_message(self.watcher) else { return false };
                self.output.push(&format!("data: {news}\n\n"), None);
                self.since = now;
            }
            State::AwaitingGame => match feed.pgn(self.watcher) {
                None => return false,
                Some(Some(pgn)) => self.answer(Status::Ok, PGN, &pgn, now),
                Some(None) => {
                    self.answer(Status::NotFound, PLAIN, "no game with this number can be watched\n", now);
                }
            },
            State::Leaving => return false,
        }
        true
    }

    fn answer(&mut self, status: Status, content_type: &'static str, body: &str, now: Instant) {
        self.output.push(&Response::new(status, content_type, body.as_bytes()).head(false), None);
        self.output.push(body, None);
        (self.state, self.since) = (State::Leaving, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Visibility;
    use crate::server::connection::{ClientSocket, OutputLimits};
    use crate::server::watch::{WatchUpdate, tests::watched};
    use mio::net::UnixStream;
    use std::io::Read;

    type Parts = (ClientStream, Output, Vec<u8>);

    /// Returns the parts of a connection, and the client's end.
    fn connection() -> (Parts, SocketAddr, UnixStream) {
        let (client, own) = UnixStream::pair().expect("a pair");
        let stream = ClientStream::new(ClientSocket::Pair(own), None).expect("no TLS");
        let output = Output::new(OutputLimits { soft: usize::MAX, hard: usize::MAX });
        ((stream, output, Vec::new()), SocketAddr::from(([127, 0, 0, 1], 1)), client)
    }

    /// Lets the stream have turns until it waits or ends, and returns what the client has got.
    fn received(
        events: &mut EventStream,
        feed: &mut Feed,
        client: &mut UnixStream,
        now: Instant,
    ) -> (RelayEnd, String) {
        let mut buffer = [0; 1000];
        let end = loop {
            match events.turn(feed, &mut buffer, now).expect("a connection") {
                RelayEnd::Continue => {}
                end => break end,
            }
        };
        let mut text = Vec::new();
        // It ends, or there is nothing more yet.
        let _ = client.read_to_end(&mut text);
        (end, String::from_utf8(text).expect("text"))
    }

    fn update(id: u64) -> WatchUpdate {
        let game = "uci\nposition startpos moves e2e4 e7e5\ngo infinite";
        WatchUpdate { sessions: vec![(id, watched(game, Visibility::Everybody))], ..WatchUpdate::default() }
    }

    #[test]
    fn events_come_as_long_as_the_client_listens() {
        let (mut feed, (parts, peer, mut client), now) = (Feed::default(), connection(), Instant::now());
        let watcher = feed.join(false);
        feed.watch_events(watcher, None);
        let mut events = EventStream::events(parts, peer, watcher, now);
        assert_eq!(received(&mut events, &mut feed, &mut client, now), (RelayEnd::Waiting, String::new()));
        feed.take(update(3));
        assert!(feed.interest().positions.contains(&3), "all positions are sent");
        let (end, text) = received(&mut events, &mut feed, &mut client, now);
        assert_eq!(end, RelayEnd::Waiting);
        assert!(text.starts_with("data: {\"type\":\"wall\"") && text.ends_with("}\n\n"), "{text}");
        assert!(text.contains("\"ply\":2"), "{text}");
        let (end, text) = received(&mut events, &mut feed, &mut client, now + SILENCE);
        assert_eq!((end, text.as_str()), (RelayEnd::Waiting, ":\n\n"));
        drop(client);
        assert!(!matches!(events.turn(&mut feed, &mut [0; 9], now), Ok(RelayEnd::Waiting)));
    }

    #[test]
    fn a_game_comes_as_pgn_and_ends_the_connection() {
        let (mut feed, (parts, peer, mut client), now) = (Feed::default(), connection(), Instant::now());
        let watcher = feed.join(false);
        feed.watch_events(watcher, Some(3));
        let mut events = EventStream::pgn(parts, peer, watcher, now);
        assert_eq!(received(&mut events, &mut feed, &mut client, now).1, "");
        feed.take(update(3));
        let (_, text) = received(&mut events, &mut feed, &mut client, now);
        assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.contains("1. e4 e5"), "{text}");
        drop(client);
        assert_eq!(events.turn(&mut feed, &mut [0; 9], now).ok(), Some(RelayEnd::Ended));
    }

    #[test]
    fn games_that_do_not_exist_or_do_not_come_are_refused() {
        for (known, status) in [(Some(4), "404 Not Found"), (None, "503 Service Unavailable")] {
            let (mut feed, (parts, peer, mut client), now) = (Feed::default(), connection(), Instant::now());
            let watcher = feed.join(false);
            feed.watch_events(watcher, Some(3));
            let mut events = EventStream::pgn(parts, peer, watcher, now);
            known.into_iter().for_each(|id| feed.take(update(id)));
            let (_, text) = received(&mut events, &mut feed, &mut client, now + PATIENCE);
            assert!(text.contains(status), "{text}");
        }
    }
}
