//! All WebSockets of the HTTP thread.

use super::client::HttpClient;
use super::door::Door;
use super::event_stream::EventStream;
use super::relay::{Behind, Relay, RelayEnd};
use crate::auth::User;
use crate::server::admission::{Banned, Bans};
use crate::server::connection::ClientSocket;
use crate::server::event_loop::timers::Timers;
use crate::server::os::panic_guard::guarded;
use crate::server::os::usage::cpu_time;
use crate::server::watch::{Audience, Feed};
use mio::net::UnixStream;
use mio::{Interest, Registry, Token, Waker};
use slab::Slab;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};
use tungstenite::protocol::frame::coding::CloseCode;

/// Divisor of all cores' CPU time for messages to watchers: half a percent. With many watchers,
/// updates become rarer.
const WATCHERS_PART: u32 = 200;

/// Reason for the end of watching by a kicked client.
pub(super) const KICKED: &str = "The administrator has ended your sessions: try again later\n";

/// A new client for the server's loop, which comes through this thread.
pub(in crate::server) struct WebClient {
    pub(in crate::server) socket: ClientSocket,
    /// Address of the browser.
    pub(in crate::server) peer: SocketAddr,
    /// The user who has logged in there.
    pub(in crate::server) user: Option<Arc<User>>,
}

/// The way of new clients to the server's loop.
pub(super) struct WebEntry {
    pub(super) clients: Sender<WebClient>,
    /// Wakes the server's loop.
    pub(super) server: Arc<Waker>,
    /// WebSockets at one time: as many as sessions, and some that are being refused one.
    pub(super) most: usize,
    /// Clients that the loop refuses.
    pub(super) bans: Bans,
}

impl WebEntry {
    /// Begins a session in the server's loop and returns the way to it.
    fn new_session(&self, peer: SocketAddr, user: Option<Arc<User>>) -> io::Result<UnixStream> {
        let (session, own) = UnixStream::pair()?;
        let client = WebClient { socket: ClientSocket::Pair(session), peer, user };
        self.clients.send(client).map_err(io::Error::other)?;
        self.server.wake()?;
        Ok(own)
    }
}

/// A connection that is no longer one of requests and responses.
enum Upgraded {
    Relay(Box<Relay>),
    Events(EventStream),
}

impl Upgraded {
    fn turn(&mut self, feed: &mut Feed, buffer: &mut [u8], now: Instant) -> io::Result<RelayEnd> {
        match self {
            Upgraded::Relay(relay) => relay.turn(feed, buffer, now),
            Upgraded::Events(events) => events.turn(feed, buffer, now),
        }
    }

    fn deadline(&self) -> Instant {
        match self {
            Upgraded::Relay(relay) => relay.deadline(),
            Upgraded::Events(events) => events.deadline(),
        }
    }

    /// Returns its key in the feed, if it watches.
    fn watcher(&self) -> Option<usize> {
        match self {
            Upgraded::Relay(relay) => relay.watcher(),
            Upgraded::Events(events) => Some(events.watcher),
        }
    }

    /// Returns true if it is a WebSocket without a session.
    fn is_over(&self) -> bool {
        match self {
            Upgraded::Relay(relay) => relay.is_over(),
            Upgraded::Events(_) => false,
        }
    }

    fn socket(&mut self) -> &mut ClientSocket {
        match self {
            Upgraded::Relay(relay) => &mut relay.stream().socket,
            Upgraded::Events(events) => &mut events.stream.socket,
        }
    }

    fn peer(&self) -> SocketAddr {
        match self {
            Upgraded::Relay(relay) => relay.peer,
            Upgraded::Events(events) => events.peer,
        }
    }
}

pub(super) struct Relays {
    entry: WebEntry,
    relays: Slab<Upgraded>,
    feed: Feed,
    audience: Audience,
    /// The clients that watch, as bans name them, by their keys in `relays`.
    watching: HashMap<usize, Banned>,
    /// When the next update for watchers may be taken.
    next_update: Instant,
    /// Relays that may have something to do.
    ready: BTreeSet<usize>,
    deadlines: Timers,
    /// The first token; both sockets of a relay have the same.
    first: usize,
}

impl Relays {
    /// Creates none yet. Their tokens count up from `first`.
    pub(super) fn new(entry: WebEntry, audience: Audience, first: usize) -> Relays {
        let (relays, ready, deadlines) = (Slab::new(), BTreeSet::new(), Timers::default());
        let (feed, watching, next_update) = (Feed::default(), HashMap::new(), Instant::now());
        Relays { entry, relays, feed, audience, watching, next_update, ready, deadlines, first }
    }

    /// Wakes the server's loop.
    ///
    /// # Errors
    /// The system lacks resources.
    pub(super) fn wake_server(&self) -> io::Result<()> {
        self.entry.server.wake()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.relays.is_empty()
    }

    /// Returns true if there is room for another one. One whose session is over makes room.
    pub(super) fn has_room(&self) -> bool {
        self.relays.len() < self.entry.most || self.relays.iter().any(|(_, relay)| relay.is_over())
    }

    /// Connects a client with what is behind this door.
    ///
    /// # Errors
    /// The system lacks resources.
    pub(super) fn add(
        &mut self,
        client: HttpClient,
        door: Door,
        registry: &Registry,
        now: Instant,
    ) -> io::Result<()> {
        if self.relays.len() >= self.entry.most
            && let Some((over, _)) = self.relays.iter().find(|(_, relay)| relay.is_over())
        {
            self.remove(over);
        }
        let peer = client.peer;
        let place = self.relays.vacant_entry();
        let (key, token) = (place.key(), Token(self.first + place.key()));
        let interest = Interest::READABLE | Interest::WRITABLE;
        let parts = client.into_socket();
        let watcher = door.audience().map(|audience| audience.banned_as(peer.ip()));
        let mut upgraded = match door {
            Door::Session(user) => {
                let mut session = self.entry.new_session(peer, user)?;
                registry.register(&mut session, token, interest)?;
                Upgraded::Relay(Box::new(Relay::new(parts, peer, Behind::Session(session), now)))
            }
            Door::Feed(audience) => {
                let watcher = Behind::Feed(self.feed.join(audience.is_user()));
                Upgraded::Relay(Box::new(Relay::new(parts, peer, watcher, now)))
            }
            Door::Events(audience, id) => {
                let watcher = self.feed.join(audience.is_user());
                self.feed.watch_events(watcher, id);
                Upgraded::Events(EventStream::events(parts, peer, watcher, now))
            }
            Door::Pgn(audience, id) => {
                let watcher = self.feed.join(audience.is_user());
                self.feed.watch_events(watcher, Some(id));
                Upgraded::Events(EventStream::pgn(parts, peer, watcher, now))
            }
        };
        registry.reregister(upgraded.socket(), token, interest)?;
        place.insert(upgraded);
        self.watching.extend(watcher.map(|client| (key, client)));
        self.ready.insert(key);
        Ok(())
    }

    /// Notes an event of the system for the relay with this token.
    pub(super) fn note(&mut self, token: usize) {
        let key = token.wrapping_sub(self.first);
        if self.relays.contains(key) {
            self.ready.insert(key);
        }
    }

    /// Returns when there is something to do without an event.
    pub(super) fn next_wakeup(&self, now: Instant) -> Option<Instant> {
        if !self.ready.is_empty() {
            return Some(now);
        }
        let update = Some(self.next_update).filter(|&next| next > now);
        self.deadlines.next().into_iter().chain(update).min()
    }

    /// Lets each relay that has something to do have a turn.
    pub(super) fn serve(&mut self, buffer: &mut [u8], now: Instant) {
        while let Some(due) = self.deadlines.take_due(now) {
            self.ready.insert(due);
        }
        if now >= self.next_update {
            self.update_watchers(buffer, now);
        }
        let ready = std::mem::take(&mut self.ready);
        self.take_turns(ready, buffer, now);
        if let Some(interest) = self.feed.new_interest() {
            self.audience.want(interest);
        }
        for moves in self.feed.take_guest_moves() {
            self.audience.pass(moves);
        }
    }

    fn take_turns(&mut self, keys: impl IntoIterator<Item = usize>, buffer: &mut [u8], now: Instant) {
        for key in keys {
            let Some(relay) = self.relays.get_mut(key) else { continue };
            match guarded(|| relay.turn(&mut self.feed, buffer, now)).unwrap_or(Ok(RelayEnd::Ended)) {
                Ok(RelayEnd::Waiting) => {}
                Ok(RelayEnd::Continue) => drop(self.ready.insert(key)),
                Ok(RelayEnd::Ended) => {
                    self.remove(key);
                    continue;
                }
                Err(error) => {
                    log::debug!("HTTP, {}: {error}", relay.peer());
                    self.remove(key);
                    continue;
                }
            }
            let deadline = self.relays[key].deadline();
            self.deadlines.set(key, Some(deadline));
        }
    }

    /// Sends watchers what is new in their sessions. The more CPU time this takes, the later is the
    /// next update: games go first.
    fn update_watchers(&mut self, buffer: &mut [u8], now: Instant) {
        let began = cpu_time();
        let mut has_news = false;
        while let Some(update) = self.audience.take_update() {
            self.feed.take(update);
            has_news = true;
        }
        if has_news {
            let is_watcher = |(key, relay): (usize, &Upgraded)| relay.watcher().map(|_| key);
            let watchers: Vec<usize> = self.relays.iter().filter_map(is_watcher).collect();
            self.take_turns(watchers, buffer, now);
            self.next_update =
                now + time_between_updates(cpu_time().saturating_sub(began), self.feed.cores());
        }
    }

    /// Returns the clients that are refused for a while.
    pub(super) fn bans(&self) -> &Bans {
        &self.entry.bans
    }

    /// Ends watching by banned clients; pages receive the reason. The loop ends their sessions.
    pub(super) fn end_banned(&mut self, now: Instant) {
        let bans = &self.entry.bans;
        if bans.is_empty() {
            return;
        }
        let is_banned = |client: &Banned| bans.seconds_left(client, now).is_some();
        let banned: Vec<usize> =
            self.watching.iter().filter(|(_, client)| is_banned(client)).map(|(&key, _)| key).collect();
        for key in banned {
            self.watching.remove(&key);
            let is_closing = match &mut self.relays[key] {
                Upgraded::Relay(relay) => relay.close(CloseCode::Policy, KICKED.trim_end(), now).is_ok(),
                Upgraded::Events(_) => false,
            };
            if is_closing {
                self.ready.insert(key);
            } else {
                self.remove(key);
            }
        }
    }

    /// Closes both sockets, which makes the system forget them.
    fn remove(&mut self, key: usize) {
        if let Some(watcher) = self.relays.remove(key).watcher() {
            self.feed.leave(watcher);
        }
        self.watching.remove(&key);
        self.ready.remove(&key);
        self.deadlines.set(key, None);
    }
}

/// Returns the least time between two updates of which one takes this CPU time.
fn time_between_updates(cost: Duration, cores: u32) -> Duration {
    cost * WATCHERS_PART / cores.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watchers_take_half_a_percent_of_all_cores() {
        let cost = Duration::from_millis(10);
        assert_eq!(time_between_updates(cost, 1), Duration::from_secs(2));
        assert_eq!(time_between_updates(cost, 4), cost * 50);
        assert_eq!(time_between_updates(Duration::ZERO, 0), Duration::ZERO);
    }
}
