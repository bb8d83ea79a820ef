//! Watchers and what each of them has seen. A watcher that reads slowly has no queue: its next
//! message has the newest state of everything that has changed since its last one.

use super::{GuestMoves, Interest, WatchUpdate, Watched, encode};
use crate::auth::Visibility;
use crate::protocol::web::{FeedRequest, ServerLoad};
use crate::session::Occasion;
use slab::Slab;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::sync::Arc;
use tungstenite::Utf8Bytes;

/// Most positions on the screen of a watcher.
const SCREEN: usize = 512;

/// Most updates whose vanished sessions are remembered for slow watchers.
const REMEMBERED: usize = 1_000;

/// Most moves of a guest's message: the longest game of a session.
const GUEST_PLIES: usize = 1_000;

/// Most bytes of a guest's key and moves.
const GUEST_BYTES: usize = 16_384;

/// The number of an update, from 1.
type Update = u64;

/// A session, in the forms in which it is sent. Each is written at most once for all watchers.
struct Session {
    visibility: Visibility,
    listed: Arc<str>,
    /// The last update that has changed the entry in the list.
    listed_in: Update,
    changed_in: Update,
    watched: Watched,
    position: Option<Arc<str>>,
    game: Option<Arc<str>>,
}

/// A watcher's wish.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Screen {
    Nothing,
    /// The list and all positions.
    All,
    Wall(BTreeSet<u64>),
    Game(u64),
}

struct Watcher {
    /// Whether it has logged in as a user.
    is_user: bool,
    screen: Screen,
    /// The last update that it has been sent.
    seen: Update,
    /// Sessions that have come onto its screen since.
    unseen: BTreeSet<u64>,
    /// Whether it has been sent that the game on its screen cannot be seen.
    knows_end: bool,
}

impl Watcher {
    fn may_see(&self, session: &Session) -> bool {
        session.is_visible_to(self.is_user)
    }
}

impl Session {
    /// Returns true if a client may see it; `is_user`: whether the client has logged in.
    fn is_visible_to(&self, is_user: bool) -> bool {
        match self.visibility {
            Visibility::Nobody => false,
            Visibility::Users => is_user,
            Visibility::Everybody => true,
        }
    }
}

/// A message that all watchers get who see the same and have seen the same before.
struct Wall {
    /// The last update that they have been sent.
    since: Update,
    is_user: bool,
    message: Utf8Bytes,
}

/// All watchers, and the sessions they can watch.
#[derive(Default)]
pub(in crate::server) struct Feed {
    sessions: BTreeMap<u64, Session>,
    /// Sessions that are gone, by the update in which they went.
    gone: BTreeMap<Update, Vec<u64>>,
    /// The last update of which `gone` is forgotten.
    forgotten: Update,
    load: ServerLoad,
    last: Update,
    /// Number of times that all watchers have left.
    round: u64,
    watchers: Slab<Watcher>,
    /// Whether the wishes of the watchers may have changed since they were last returned.
    has_new_wishes: bool,
    /// Messages about the last update.
    walls: HashMap<Screen, Vec<Wall>>,
    /// Moves that have come from watchers.
    guest_moves: Vec<GuestMoves>,
}

impl Feed {
    /// Adds a watcher and returns its key. It sees nothing until its first
    /// [request](Feed::watch).
    pub(in crate::server) fn join(&mut self, is_user: bool) -> usize {
        let (screen, unseen) = (Screen::Nothing, BTreeSet::new());
        self.watchers.insert(Watcher { is_user, screen, seen: 0, unseen, knows_end: false })
    }

    /// Removes a watcher.
    pub(in crate::server) fn leave(&mut self, watcher: usize) {
        self.watchers.try_remove(watcher);
        self.has_new_wishes = true;
        if self.watchers.is_empty() {
            *self = Feed { round: self.round + 1, has_new_wishes: true, ..Feed::default() };
        }
    }

    /// Takes a watcher's request: changes what it sees, or notes its moves. Positions beyond the
    /// first [`SCREEN`] are ignored.
    pub(in crate::server) fn watch(&mut self, watcher: usize, request: FeedRequest) {
        let Some(watcher) = self.watchers.get_mut(watcher) else { return };
        let screen = match request {
            FeedRequest::Wall { ids } => Screen::Wall(ids.into_iter().take(SCREEN).collect()),
            FeedRequest::Game { id } => Screen::Game(id),
            FeedRequest::Play { id, key, moves } => {
                let is_visible = self.sessions.get(&id).is_some_and(|session| watcher.may_see(session));
                let length = key.len() + moves.iter().map(String::len).sum::<usize>();
                if is_visible && length <= GUEST_BYTES && moves.len() <= GUEST_PLIES {
                    self.guest_moves.push(GuestMoves { session: id, key, moves });
                }
                return;
            }
        };
        match (&watcher.screen, &screen) {
            (Screen::Wall(before), Screen::Wall(ids)) => watcher.unseen.extend(ids - before),
            (_, Screen::Game(id)) => watcher.unseen = BTreeSet::from([*id]),
            (Screen::Nothing | Screen::Game(_) | Screen::All, Screen::Wall(_))
            | (_, Screen::Nothing | Screen::All) => watcher.seen = 0,
        }
        watcher.screen = screen;
        watcher.knows_end = false;
        self.has_new_wishes = true;
    }

    /// Lets a watcher see one game with its moves, or all positions.
    pub(in crate::server) fn watch_events(&mut self, watcher: usize, game: Option<u64>) {
        match game {
            Some(id) => self.watch(watcher, FeedRequest::Game { id }),
            None => {
                self.watchers.get_mut(watcher).into_iter().for_each(|watcher| watcher.screen = Screen::All);
                self.has_new_wishes = true;
            }
        }
    }

    /// Returns the game of a watcher as PGN or PDN: `None` until it has come, `Some(None)` if it
    /// cannot be watched.
    pub(in crate::server) fn pgn(&self, watcher: usize) -> Option<Option<String>> {
        let watcher = self.watchers.get(watcher).filter(|_| self.last > 0)?;
        let Screen::Game(id) = &watcher.screen else { return Some(None) };
        let session = self.sessions.get(id).filter(|session| watcher.may_see(session));
        session.map_or(Some(None), |session| encode::pgn(&session.watched.picture).map(Some))
    }

    /// Returns the moves of watchers since the last call.
    pub(in crate::server) fn take_guest_moves(&mut self) -> Vec<GuestMoves> {
        std::mem::take(&mut self.guest_moves)
    }

    /// Returns the number of the server's cores, 0 before the first update.
    pub(in crate::server) fn cores(&self) -> u32 {
        self.load.cores.try_into().unwrap_or(u32::MAX)
    }

    /// Returns the wishes of all watchers together, if they may have changed since the last call.
    pub(in crate::server) fn new_interest(&mut self) -> Option<Interest> {
        std::mem::take(&mut self.has_new_wishes).then(|| self.interest())
    }

    /// Returns the wishes of all watchers together.
    pub(in crate::server) fn interest(&self) -> Interest {
        let mut interest = Interest { round: self.round, ..Interest::default() };
        for (_, watcher) in &self.watchers {
            match &watcher.screen {
                Screen::Nothing => {}
                Screen::All => {
                    interest.list = true;
                    interest.positions.extend(self.sessions.keys());
                }
                Screen::Wall(ids) => {
                    interest.list = true;
                    interest.positions.extend(ids);
                }
                Screen::Game(id) => {
                    interest.games.insert(*id);
                }
            }
        }
        interest
    }

    /// Takes an update of the loop. One that was made for watchers who have all left is dropped: it
    /// does not list all sessions.
    pub(in crate::server) fn take(&mut self, update: WatchUpdate) {
        let WatchUpdate { round, sessions, mut gone, load } = update;
        if round != self.round {
            return;
        }
        self.last += 1;
        self.walls.clear();
        self.has_new_wishes |= self.watchers.iter().any(|(_, watcher)| watcher.screen == Screen::All);
        // A session may end on one connection and go on with another in the same update.
        for id in &gone {
            self.sessions.remove(id);
        }
        for (id, watched) in sessions {
            let audience = watched.visibility;
            if self.put(id, watched).is_some_and(|before| before != audience) {
                // Watchers who may no longer see it remove it from their walls.
                gone.push(id);
            }
        }
        if !gone.is_empty() {
            self.gone.insert(self.last, gone);
        }
        self.load = load;
        // Watchers that have not seen a forgotten one are sent the whole list.
        while self.gone.len() > REMEMBERED
            && let Some((update, _)) = self.gone.pop_first()
        {
            self.forgotten = update;
        }
    }

    /// Adds or changes a session. Returns its audience before.
    fn put(&mut self, id: u64, watched: Watched) -> Option<Visibility> {
        let listed: Arc<str> = json(&encode::listed(id, &watched.picture)).into();
        let before = self.sessions.remove(&id);
        let audience = before.as_ref().map(|before| before.visibility);
        let same = before.filter(|before| before.listed == listed && before.visibility == watched.visibility);
        let listed_in = same.map_or(self.last, |before| before.listed_in);
        let session = Session {
            visibility: watched.visibility,
            listed,
            listed_in,
            changed_in: self.last,
            watched,
            position: None,
            game: None,
        };
        self.sessions.insert(id, session);
        audience
    }

    /// Returns the next message for a watcher that has read all before; `None` if there is nothing
    /// new.
    pub(in crate::server) fn next_message(&mut self, watcher: usize) -> Option<Utf8Bytes> {
        let watcher = self.watchers.get_mut(watcher)?;
        if self.last == 0 || watcher.seen == self.last && watcher.unseen.is_empty() {
            return None;
        }
        let since = std::mem::replace(&mut watcher.seen, self.last);
        let since = if since < self.forgotten { 0 } else { since };
        let unseen = std::mem::take(&mut watcher.unseen);
        let Watcher { is_user, ref screen, .. } = *watcher;
        match screen {
            Screen::Nothing => None,
            &Screen::Game(id) => match self.sessions.get_mut(&id) {
                Some(session) if watcher.may_see(session) => {
                    let is_new = session.changed_in > since || unseen.contains(&id);
                    watcher.knows_end = false;
                    is_new.then(|| game_message(id, session)).flatten().map(Utf8Bytes::from)
                }
                _ if std::mem::replace(&mut watcher.knows_end, true) => None,
                _ => Some(format!("{{\"type\":\"gone\",\"id\":{id}}}").into()),
            },
            Screen::Wall(_) | Screen::All => {
                let is_same = |wall: &&Wall| wall.since == since && wall.is_user == is_user;
                let known = self.walls.get(screen).and_then(|walls| walls.iter().find(is_same));
                if let Some(wall) = known.filter(|_| unseen.is_empty()) {
                    return Some(wall.message.clone());
                }
                let screen = screen.clone();
                let message = Utf8Bytes::from(self.wall(&screen, is_user, since, &unseen));
                if unseen.is_empty() {
                    let wall = Wall { since, is_user, message: message.clone() };
                    self.walls.entry(screen).or_default().push(wall);
                }
                Some(message)
            }
        }
    }

    /// Returns the changes since an update for a watcher with this screen, and the sessions that it
    /// has not seen yet.
    fn wall(&mut self, screen: &Screen, is_user: bool, since: Update, unseen: &BTreeSet<u64>) -> String {
        let is_on_screen = |id: u64| match screen {
            Screen::Wall(ids) => ids.contains(&id),
            Screen::All => true,
            Screen::Nothing | Screen::Game(_) => false,
        };
        let (mut changed, mut load) = (Vec::new(), self.load);
        let visible = self.sessions.iter_mut().filter(|(_, session)| session.is_visible_to(is_user));
        for (&id, session) in visible {
            match session.watched.picture.occasion {
                Occasion::Game => load.games += 1,
                Occasion::Analysis => load.analyses += 1,
            }
            let is_new = session.changed_in > since || unseen.contains(&id);
            if is_new && is_on_screen(id) {
                changed.push(position(id, session));
            } else if session.listed_in > since {
                changed.push(Arc::clone(&session.listed));
            }
        }
        let gone = self.gone.range(since + 1..).flat_map(|(_, gone)| gone).copied().collect();
        wall_message(&changed, gone, since == 0, load)
    }
}

/// Returns a session as a small board shows it.
fn position(id: u64, session: &mut Session) -> Arc<str> {
    let watched = &session.watched;
    let text = session.position.get_or_insert_with(|| json(&encode::session(id, watched)).into());
    Arc::clone(text)
}

/// Returns a session with its game; `None` if its moves have not come yet.
fn game_message(id: u64, session: &mut Session) -> Option<String> {
    if session.game.is_none() {
        session.game = Some(json(&encode::game(id, &session.watched)?).into());
    }
    session.game.as_deref().map(|game| format!("{{\"type\":\"picture\",{}", &game[1..]))
}

fn wall_message(changed: &[Arc<str>], gone: Vec<u64>, is_whole: bool, load: ServerLoad) -> String {
    let length: usize = changed.iter().map(|text| text.len() + 1).sum();
    let mut text = String::with_capacity(length + 200);
    // Writing to a string does not fail.
    let _ = write!(text, "{{\"type\":\"wall\",\"whole\":{is_whole},\"server\":{},\"changed\":[", json(&load));
    for (index, session) in changed.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "," });
        text.push_str(session);
    }
    let _ = write!(text, "],\"gone\":{}}}", json(&gone));
    text
}

fn json(value: &impl serde::Serialize) -> String {
    // No value of these messages is a map with other keys than strings: this cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
pub(in crate::server) mod tests;
