//! The loop's end: which sessions have changed, and what is sent of them.

use super::{GuestMoves, Interest};
use crate::auth::Visibility;
use crate::protocol::web::ServerLoad;
use crate::session::{Extent, Occasion, Picture};
use mio::Waker;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

/// Time between two updates.
const INTERVAL: Duration = Duration::from_millis(250);

/// Most pictures in an update; the others follow with the next.
const PICTURES: usize = 2_000;

/// A session as it is sent to watchers.
#[derive(Clone, Debug)]
pub(in crate::server) struct Watched {
    /// Number of its connection. Later ones have greater numbers.
    pub(in crate::server) connection: u64,
    /// Its audience.
    pub(in crate::server) visibility: Visibility,
    /// Whether its search waits for a core.
    pub(in crate::server) waits: bool,
    /// The session.
    pub(in crate::server) picture: Picture,
}

/// The changes since the last update.
#[derive(Clone, Default, Debug)]
pub(in crate::server) struct WatchUpdate {
    /// The [`Interest::round`] that it is for.
    pub(in crate::server) round: u64,
    /// Sessions by their numbers: all that are new or listed differently, and the ones on a screen
    /// that have changed.
    pub(in crate::server) sessions: Vec<(u64, Watched)>,
    /// Numbers of sessions that can no longer be seen.
    pub(in crate::server) gone: Vec<u64>,
    /// The load of the server; the numbers of games and analyses are left to the receiver.
    pub(in crate::server) load: ServerLoad,
}

/// An entry in the list of sessions.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Listed {
    slot: usize,
    connection: u64,
    occasion: Occasion,
    rules: u8,
    players: [String; 2],
    visibility: Visibility,
}

impl Listed {
    fn of(slot: usize, watched: &Watched) -> Listed {
        let Picture { occasion, position, players, .. } = &watched.picture;
        Listed {
            slot,
            connection: watched.connection,
            occasion: *occasion,
            rules: position.rules_id(),
            players: players.clone(),
            visibility: watched.visibility,
        }
    }
}

/// Collects the changes of sessions while there are watchers.
pub(in crate::server) struct Gallery {
    interests: Receiver<Interest>,
    guests: Receiver<GuestMoves>,
    updates: Sender<WatchUpdate>,
    /// Whether the last update has not been taken yet.
    is_untaken: Arc<AtomicBool>,
    watchers: Arc<Waker>,
    interest: Interest,
    /// Slots with changes.
    changed: BTreeSet<usize>,
    /// The sessions in the list by their numbers.
    listed: HashMap<u64, Listed>,
    gone: Vec<u64>,
    last_update: Option<Instant>,
    /// Whether watchers have to be sent an update, even an empty one.
    is_expected: bool,
}

impl Gallery {
    pub(super) fn new(
        (interests, guests): (Receiver<Interest>, Receiver<GuestMoves>),
        (updates, is_untaken): (Sender<WatchUpdate>, Arc<AtomicBool>),
        watchers: Arc<Waker>,
    ) -> Gallery {
        Gallery {
            interests,
            guests,
            updates,
            is_untaken,
            watchers,
            interest: Interest::default(),
            changed: BTreeSet::new(),
            listed: HashMap::new(),
            gone: Vec::new(),
            last_update: None,
            is_expected: false,
        }
    }

    /// Notes that the session in this slot has changed.
    pub(in crate::server) fn mark(&mut self, slot: usize) {
        if self.interest.exists() {
            self.changed.insert(slot);
        }
    }

    /// Notes that the session in this slot has ended. It may go on in another one.
    pub(in crate::server) fn remove(&mut self, slot: usize, session: Option<u64>) {
        self.changed.remove(&slot);
        if let Some(session) = session {
            let mut gone = std::mem::take(&mut self.gone);
            self.unlist(slot, session, &mut gone);
            self.gone = gone;
        }
    }

    /// Removes a session from the list, unless it goes on in another slot.
    fn unlist(&mut self, slot: usize, session: u64, gone: &mut Vec<u64>) {
        if self.listed.get(&session).is_some_and(|listed| listed.slot == slot) {
            self.listed.remove(&session);
            gone.push(session);
        }
    }

    fn has_news(&self) -> bool {
        self.is_expected || !self.changed.is_empty() || !self.gone.is_empty()
    }

    /// Returns when the next update is due.
    pub(in crate::server) fn next_wakeup(&self) -> Option<Instant> {
        let last = self.last_update.filter(|_| self.has_news())?;
        last.checked_add(INTERVAL)
    }

    /// Takes the moves of guests, each with the slot of its session.
    pub(in crate::server) fn take_guest_moves(&self) -> Vec<(usize, GuestMoves)> {
        let slot = |moves: GuestMoves| Some((self.listed.get(&moves.session)?.slot, moves));
        self.guests.try_iter().filter_map(slot).collect()
    }

    /// Takes the wishes of watchers. Returns true if they know nothing yet, so that all slots have
    /// to be [marked](Gallery::mark).
    pub(in crate::server) fn take_interest(&mut self) -> bool {
        let Some(newest) = self.interests.try_iter().last() else { return false };
        let before = std::mem::replace(&mut self.interest, newest);
        let begins = self.interest.exists() && (!before.exists() || before.round != self.interest.round);
        if begins || !self.interest.exists() {
            self.changed.clear();
            self.listed.clear();
            self.gone.clear();
            self.is_expected = begins;
            return begins;
        }
        let seen = |interest: &Interest| &interest.positions | &interest.games;
        for session in &seen(&self.interest) - &seen(&before) {
            self.changed.extend(self.listed.get(&session).map(|listed| listed.slot));
        }
        let whole = &self.interest.games - &before.games;
        self.changed.extend(whole.iter().filter_map(|session| Some(self.listed.get(session)?.slot)));
        false
    }

    /// Sends an update if one is due. `watched` returns the session in a slot with its number, as
    /// far as it can be seen.
    pub(in crate::server) fn update(
        &mut self,
        now: Instant,
        load: impl FnOnce() -> ServerLoad,
        mut watched: impl FnMut(usize, &dyn Fn(u64) -> Extent) -> Option<(u64, Option<Watched>)>,
    ) {
        let is_due = self.last_update.is_none_or(|last| now.saturating_duration_since(last) >= INTERVAL);
        if !is_due || !self.has_news() {
            return;
        }
        self.last_update = Some(now);
        // A thread that does not keep up gets the newest state later.
        if self.is_untaken.load(Ordering::Acquire) {
            return;
        }
        let mut update = WatchUpdate {
            round: self.interest.round,
            gone: std::mem::take(&mut self.gone),
            load: load(),
            ..WatchUpdate::default()
        };
        let games = std::mem::take(&mut self.interest.games);
        let extent = |session| if games.contains(&session) { Extent::Game } else { Extent::Position };
        while update.sessions.len() < PICTURES
            && let Some(slot) = self.changed.pop_first()
        {
            match watched(slot, &extent) {
                None => {}
                Some((session, None)) => self.unlist(slot, session, &mut update.gone),
                // It goes on with a later connection, and this one is about to be closed.
                Some((session, Some(watched)))
                    if self
                        .listed
                        .get(&session)
                        .is_some_and(|known| known.connection > watched.connection) => {}
                Some((session, Some(watched))) => {
                    let listed = Listed::of(slot, &watched);
                    let is_on_screen = self.interest.positions.contains(&session) || games.contains(&session);
                    if is_on_screen || self.listed.get(&session) != Some(&listed) {
                        self.listed.insert(session, listed);
                        update.sessions.push((session, watched));
                    }
                }
            }
        }
        self.interest.games = games;
        let is_expected = std::mem::take(&mut self.is_expected);
        if is_expected || !update.sessions.is_empty() || !update.gone.is_empty() {
            self.send(update);
        }
    }

    fn send(&self, update: WatchUpdate) {
        self.is_untaken.store(true, Ordering::Release);
        // Without a thread of watchers there is none to wake.
        if self.updates.send(update).is_ok()
            && let Err(error) = self.watchers.wake()
        {
            log::debug!("cannot wake the thread of watchers: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Books;
    use crate::server::watch::{Audience, watching};
    use crate::session::{Conversation, Input, Profile, Protocol, Setup};

    fn gallery() -> (Gallery, Audience, mio::Poll) {
        let poll = mio::Poll::new().expect("a poll");
        let waker = Arc::new(Waker::new(poll.registry(), mio::Token(0)).expect("a waker"));
        let (gallery, audience) = watching(Arc::clone(&waker), waker);
        (gallery, audience, poll)
    }

    fn watched(lines: &str, extent: Extent) -> Watched {
        let setup = Setup { seed: 1, identity: 1, profile: Arc::new(Profile::new("test", Books::default())) };
        let (mut session, now) = (Conversation::new(Protocol::Uci, setup, Arc::default()), Instant::now());
        for line in lines.lines() {
            session.handle(Input::Line(line.as_bytes()), now, &mut Vec::new());
        }
        let picture = session.picture(extent, now).expect("a picture");
        Watched { connection: 1, visibility: Visibility::Everybody, waits: false, picture }
    }

    /// Returns what an update at this instant sends: sessions with their plies, and those gone.
    fn sent(gallery: &mut Gallery, audience: &Audience, now: Instant) -> (Vec<(u64, bool)>, Vec<u64>) {
        gallery.update(now, ServerLoad::default, |slot, extent| {
            let session = slot as u64 + 100;
            let lines = "uci\nposition startpos moves e2e4\ngo infinite";
            Some((session, (slot < 10).then(|| watched(lines, extent(session)))))
        });
        let mut sent = (Vec::new(), Vec::new());
        if let Some(update) = audience.take_update() {
            let whole = |(session, watched): (u64, Watched)| (session, watched.picture.game.is_some());
            sent.0.extend(update.sessions.into_iter().map(whole));
            sent.1.extend(update.gone);
        }
        sent
    }

    #[test]
    fn without_watchers_there_is_no_work() {
        let (mut gallery, audience, _poll) = gallery();
        gallery.mark(1);
        assert!(!gallery.take_interest());
        assert_eq!(gallery.next_wakeup(), None);
        assert_eq!(sent(&mut gallery, &audience, Instant::now()), (vec![], vec![]));
    }

    #[test]
    fn all_are_listed_once_and_those_on_a_screen_again() {
        let (mut gallery, mut audience, _poll) = gallery();
        let start = Instant::now();
        let mut interest = Interest { list: true, ..Interest::default() };
        audience.want(interest.clone());
        assert!(gallery.take_interest(), "everything is new to the first watcher");
        [1, 2, 11].into_iter().for_each(|slot| gallery.mark(slot));
        assert_eq!(sent(&mut gallery, &audience, start), (vec![(101, false), (102, false)], vec![]));
        gallery.mark(1);
        assert_eq!(gallery.next_wakeup(), Some(start + INTERVAL));
        assert_eq!(sent(&mut gallery, &audience, start + INTERVAL / 2), (vec![], vec![]), "not so soon");
        assert_eq!(sent(&mut gallery, &audience, start + INTERVAL), (vec![], vec![]), "listed as before");
        interest.positions.insert(101);
        interest.games.insert(102);
        audience.want(interest.clone());
        assert!(!gallery.take_interest());
        let now = start + 2 * INTERVAL;
        assert_eq!(sent(&mut gallery, &audience, now), (vec![(101, false), (102, true)], vec![]));
        gallery.mark(2);
        gallery.remove(3, Some(101));
        gallery.remove(4, None);
        assert!(gallery.gone.is_empty(), "the session goes on in slot 1");
        gallery.remove(1, Some(101));
        assert_eq!(sent(&mut gallery, &audience, now + INTERVAL), (vec![(102, true)], vec![101]));
        audience.want(Interest::default());
        assert!(!gallery.take_interest());
        gallery.mark(2);
        assert_eq!(gallery.next_wakeup(), None);
    }

    #[test]
    fn a_session_is_shown_as_its_latest_connection_has_it() {
        let (mut gallery, mut audience, _poll) = gallery();
        audience.want(Interest { list: true, positions: BTreeSet::from([100]), ..Interest::default() });
        assert!(gallery.take_interest());
        let mut now = Instant::now();
        // The session of slot 1 goes on in slot 2, before the first connection is known to be lost.
        for (slot, lines, is_sent) in [
            (1, "uci\nposition startpos\ngo infinite", true),
            (2, "uci\nposition startpos moves e2e4\ngo infinite", true),
            (1, "uci\nposition startpos moves d2d4\ngo infinite", false),
        ] {
            gallery.mark(slot);
            gallery.update(now, ServerLoad::default, |slot, extent| {
                Some((100, Some(Watched { connection: slot as u64, ..watched(lines, extent(100)) })))
            });
            assert_eq!(audience.take_update().is_some(), is_sent, "{lines}");
            now += INTERVAL;
        }
        gallery.remove(1, Some(100));
        assert!(gallery.gone.is_empty());
        gallery.remove(2, Some(100));
        assert_eq!(gallery.gone, [100]);
    }

    #[test]
    fn a_watcher_who_comes_as_the_last_one_leaves_is_sent_everything() {
        let (mut gallery, mut audience, _poll) = gallery();
        let wants = |round, game| Interest { round, games: BTreeSet::from([game]), ..Interest::default() };
        audience.want(wants(0, 101));
        assert!(gallery.take_interest());
        gallery.mark(1);
        let start = Instant::now();
        assert_eq!(sent(&mut gallery, &audience, start).0, [(101, true)]);
        for interests in
            [vec![wants(1, 999)], vec![Interest { round: 2, ..Interest::default() }, wants(2, 999)]]
        {
            interests.into_iter().for_each(|interest| audience.want(interest));
            assert!(gallery.take_interest(), "the list was forgotten in between");
            gallery.mark(1);
            let now = start + INTERVAL * gallery.interest.round as u32;
            assert_eq!(sent(&mut gallery, &audience, now).0, [(101, false)]);
        }
        audience.want(wants(3, 101));
        audience.want(Interest { round: 4, ..Interest::default() });
        assert!(!gallery.take_interest());
    }

    #[test]
    fn a_thread_that_does_not_keep_up_gets_the_newest_state_later() {
        let (mut gallery, mut audience, _poll) = gallery();
        audience.want(Interest { list: true, positions: BTreeSet::from([101]), ..Interest::default() });
        gallery.take_interest();
        let mut now = Instant::now();
        let update = |gallery: &mut Gallery, now| {
            gallery.mark(1);
            gallery.update(now, ServerLoad::default, |slot, extent| {
                let session = slot as u64 + 100;
                Some((session, Some(watched("uci\nposition startpos\ngo infinite", extent(session)))))
            });
        };
        for _ in 0..3 {
            update(&mut gallery, now);
            now += INTERVAL;
        }
        assert!(audience.take_update().is_some() && audience.take_update().is_none());
        assert_eq!(gallery.next_wakeup(), Some(now), "what has changed is not forgotten");
        update(&mut gallery, now);
        assert!(audience.take_update().is_some());
    }
}
