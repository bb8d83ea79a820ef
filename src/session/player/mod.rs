//! The player behind every protocol: the one search of a session, its clock, its options, its
//! statistics.
//!
//! A session of a protocol owns a [`Player`], requests searches and passes on events. The methods
//! append effects (searches, the timer) and return what is left for the session to decide. The
//! player knows no protocol.
//!
//! * `search`: the current search. `variations`: its lines, if several are shown. `request`: its
//!   request. `events`: search events and the timer.
//! * `best_move`: the best move known. `pause`: a held search. `debounce`: scrolling in analysis.
//! * `limits`: the limits of a move. `clocks`: time controls. `lag`: the cost of moves besides
//!   thinking.
//! * `takeover`: the search of a restored session.
//! * `engine`: the profile and book in use. `profile`: the common part of its sessions. `options`:
//!   the settings of a user. `seeds`: random choices and table salts.
//! * `statistics`: figures for monitoring. `picture`: the search as watchers see it.
//!
//! Every search has a number that is never used again, and an event with any number but the current
//! one is dropped. That, not timing, is why a move can never come late.

mod best_move;
mod clocks;
mod debounce;
mod engine;
mod events;
mod lag;
mod limits;
mod options;
mod pause;
mod picture;
mod profile;
mod request;
mod search;
mod seeds;
mod state;
mod statistics;
mod takeover;
mod variations;

pub use crate::protocol::{DEFAULT_PROFILE, SEED_OPTION};
pub use lag::LagSeen;
pub use options::{OptionError, Options};
pub use profile::{Interrupt, Profile, Resources, SettingError};
pub use statistics::Measured;

pub(super) use best_move::{BestMove, pawns};
pub(super) use clocks::{TimeControl, seconds};
pub(super) use engine::{Engine, PROFILE_OPTION};
pub(super) use events::{BEST_KNOWN_MOVE, Due, QUICK_MOVE, SearchUpdate, Unavailable};
pub(super) use limits::{MoveLimits, Pace};
pub(crate) use options::bare_name;
pub(super) use options::{Announcements, Audience, Kibitz, OptionChange, OptionState, parse_flag};
pub(super) use pause::Resumed;
pub(super) use request::{NewSearch, untimed_budget};
pub(super) use search::{Findings, Held, Purpose, Search};
pub(super) use variations::variation_text;

use super::{Effect, FileRequest, GameIdentity, Setup, effect::Step};
use crate::pool::SearchOrder;
use crate::search::{FirstMoves, KnownScore, Notice, Request};
use debounce::Debounce;
use pause::Paused;
use ring::digest::{SHA256, digest};
use seeds::Seeds;
use statistics::Statistics;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The most positions with a score from the user; beyond it the oldest is forgotten.
const MAX_KNOWN_SCORES: usize = 256;

/// One client's player.
pub(super) struct Player {
    /// The engine that plays, its options and its book.
    pub(super) engine: Engine,
    /// The limits of a move.
    pub(super) limits: MoveLimits,
    /// The most cores for a search while no other search needs them.
    pub(super) cores: u8,
    /// The part of the table for this session, in MiB; `None` for all of it.
    pub(super) memory: Option<usize>,
    /// Scores set by the user.
    known: Vec<KnownScore>,
    seeds: Seeds,
    /// Identifies the session's games, also after a move to another server.
    identity: u64,
    /// The number of games that were left for the archive.
    finished: u32,
    /// Boxed, as most sessions have none.
    search: Option<Box<Search>>,
    last_search: u64,
    paused: Option<Paused>,
    debounce: Debounce,
    timer: Option<Instant>,
    /// Figures over all games of the session.
    statistics: Statistics,
    /// Notices of engines that the user has seen.
    told: Vec<Notice>,
}

impl Player {
    /// A player without any work yet.
    pub(super) fn new(setup: Setup) -> Player {
        let mut limits = MoveLimits::default();
        if let Some(time) = setup.profile.move_time {
            limits.clocks.set_per_move(time);
        }
        Player {
            engine: Engine::new(setup.profile),
            limits,
            cores: 1,
            memory: None,
            known: Vec::new(),
            seeds: Seeds::new(setup.seed),
            identity: setup.identity,
            finished: 0,
            search: None,
            last_search: 0,
            paused: None,
            debounce: Debounce::default(),
            timer: None,
            statistics: Statistics::default(),
            told: Vec::new(),
        }
    }

    /// Begins a new game: resets the clock, the limits of depth and nodes, and the scores set by
    /// the user.
    pub(super) fn new_game(&mut self) {
        self.limits.new_game();
        self.known.clear();
        self.seeds.new_game();
    }

    /// Derives the session's random choices from `seed`, so that a recording of it replays. The
    /// table's salts still come from the server's own seed: no client may know them.
    ///
    /// # Errors
    /// The text is not a number of 63 bits.
    pub(super) fn set_seed(&mut self, seed: Option<&str>) -> Result<(), OptionError> {
        let seed: i64 = seed.ok_or(OptionError::Missing)?.parse().unwrap_or(-1);
        let seed = u64::try_from(seed).map_err(|_| OptionError::Number(0, i64::MAX))?;
        self.seeds.name(seed);
        Ok(())
    }

    /// Forgets the results of earlier searches: with another salt, no search finds them in the
    /// table.
    pub(super) fn clear_table(&mut self) {
        self.seeds.change_salt();
        self.known.clear();
    }

    /// Sets the score of a position. Beyond [`MAX_KNOWN_SCORES`] the oldest is forgotten.
    pub(super) fn learn_score(&mut self, score: KnownScore) {
        self.known.retain(|known| known.key != score.key);
        if self.known.len() == MAX_KNOWN_SCORES {
            self.known.remove(0);
        }
        self.known.push(score);
    }

    /// Opens the book of the option `UserBook`, or closes it if the option is empty.
    pub(super) fn open_book<M>(&mut self, step: &mut Step<'_, M>) {
        self.engine.own_book = None;
        let path = &self.engine.options.book_file;
        if !path.is_empty() {
            step.effect(Effect::FileRequest(FileRequest::OpenBook(PathBuf::from(path))));
        }
    }

    /// The current search: running, or ended and still useful.
    pub(super) fn search(&self) -> Option<&Search> {
        self.search.as_deref()
    }

    /// The current search, for changes. After a change of its deadline call
    /// [`Player::await_deadline`].
    pub(super) fn search_mut(&mut self) -> Option<&mut Search> {
        self.search.as_deref_mut()
    }

    /// The purpose of the current search.
    pub(super) fn purpose(&self) -> Option<Purpose> {
        self.search.as_ref().map(|search| search.purpose)
    }

    /// Returns true during a search on the opponent's time.
    pub(super) fn is_pondering(&self) -> bool {
        matches!(self.purpose(), Some(Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Expectation))
    }

    /// Returns true if the engine's move is due.
    pub(super) fn owes_move(&self) -> bool {
        let owed = self.paused.as_ref().is_some_and(|paused| paused.owed.is_some());
        self.purpose() == Some(Purpose::Move) || owed
    }

    /// The number under which the session can be watched: the same on another server, and exact as
    /// a number of JavaScript. It does not reveal the identity, with which another client's state
    /// would have the same number.
    pub(super) fn watch_number(&self) -> u64 {
        let hash = digest(&SHA256, &[b"farboard watch ".as_slice(), &self.identity.to_le_bytes()].concat());
        let (first, _) = hash.as_ref().split_first_chunk().expect("32 bytes");
        u64::from_le_bytes(*first) >> 11
    }

    /// Returns the identity of the next finished game.
    pub(super) fn next_game_identity(&mut self) -> GameIdentity {
        self.finished = self.finished.saturating_add(1);
        GameIdentity { session: self.identity, game: self.finished }
    }

    /// The seed of the random choices at this ply of the game.
    pub(super) fn seed_at(&self, ply: usize) -> u64 {
        self.seeds.at(ply)
    }

    /// Starts a search in place of the current one.
    pub(super) fn start<M>(&mut self, ask: NewSearch, step: &mut Step<'_, M>) {
        self.halt(step);
        self.last_search += 1;
        let task = self.task(&ask);
        let search = Search::new(self.last_search, &ask, task.search().map_or(1, lines));
        step.effect(Effect::Search(search.id, SearchOrder::Start(Box::new(task), ask.budget)));
        self.set_timer(search.deadline, step);
        self.search = Some(Box::new(search));
    }

    /// Waits without a search: the engine's move is due, but there is none until a piece comes. Its
    /// clock runs.
    pub(super) fn wait<M>(&mut self, ask: NewSearch, step: &mut Step<'_, M>) {
        self.halt(step);
        self.last_search += 1;
        let search = Search::new(self.last_search, &ask, 1);
        let held = Some(Held::NoMove);
        self.search = Some(Box::new(Search { deadline: None, refused_or_failed: true, held, ..search }));
    }

    /// Stops the current search, cancels a pending analysis, and returns the search.
    pub(super) fn halt<M>(&mut self, step: &mut Step<'_, M>) -> Option<Search> {
        if self.debounce.due.take().is_some() {
            self.set_timer(None, step);
        }
        let search = *self.search.take()?;
        self.statistics.searched(&search);
        if search.findings.done.is_none() && !search.refused_or_failed {
            step.effect(Effect::Search(search.id, SearchOrder::Stop));
        }
        self.set_timer(None, step);
        Some(search)
    }

    /// Stops the current search and ends a pause; if the engine's move was due, its clock stops
    /// too.
    pub(super) fn stop<M>(&mut self, step: &mut Step<'_, M>) {
        if let Some(used) = self.paused.take().and_then(|paused| paused.owed) {
            self.limits.clocks.stopped(used);
        }
        if let Some(search) = self.halt(step)
            && search.purpose == Purpose::Move
        {
            let used = self.limits.used(&search, step.now);
            self.limits.clocks.stopped(used);
        }
    }

    /// Stops a search on the opponent's time.
    pub(super) fn stop_pondering<M>(&mut self, step: &mut Step<'_, M>) {
        if self.is_pondering() {
            self.halt(step);
        }
    }

    /// Records that the engine's move goes out. `search` is the search that found it, if any.
    pub(super) fn moved<M>(&mut self, search: Option<&Search>, step: &Step<'_, M>) {
        self.statistics.moved(search.and_then(|search| search.deadline), step.now);
    }

    /// Ends the current search after this time at the latest; `None` changes nothing.
    pub(super) fn end_search_within<M>(&mut self, time: Option<Duration>, step: &mut Step<'_, M>) {
        let latest = time.and_then(|time| step.now.checked_add(time));
        if let Some(search) = &mut self.search {
            search.deadline = [search.deadline, latest].into_iter().flatten().min();
            self.await_deadline(step);
        }
    }

    /// Bounds the current search after the end of input. It ends by itself, but perhaps late.
    pub(super) fn hurry_after_eof<M>(&mut self, step: &mut Step<'_, M>) {
        self.end_search_within(self.engine.profile().time_after_eof, step);
    }

    /// Sets the timer to the deadline of the current search.
    pub(super) fn await_deadline<M>(&mut self, step: &mut Step<'_, M>) {
        let deadline = self.search.as_ref().and_then(|search| search.deadline);
        self.set_timer(deadline, step);
    }

    fn set_timer<M>(&mut self, at: Option<Instant>, step: &mut Step<'_, M>) {
        if self.timer != at {
            self.timer = at;
            step.effect(Effect::Timer(at));
        }
    }

    /// Checks the invariants after an input.
    pub(super) fn check_invariants(&self) {
        debug_assert!(
            self.search.is_none() || self.debounce.due.is_none(),
            "a pending analysis beside a search"
        );
        debug_assert_eq!(self.timer, self.timer_due(), "a timer for nothing");
    }

    /// The instant for which the timer must be set.
    fn timer_due(&self) -> Option<Instant> {
        match &self.search {
            None => self.debounce.due,
            Some(search) => self.paused.as_ref().map_or(search.deadline, |paused| paused.until),
        }
    }

    /// The instant of the timer.
    pub(super) fn timer_at(&self) -> Option<Instant> {
        self.timer
    }

    /// Returns true if the timer is set.
    pub(super) fn has_timer(&self) -> bool {
        self.timer.is_some()
    }
}

/// The number of variations that a search can show: as requested, or as there are first moves.
fn lines(request: &Request) -> usize {
    let FirstMoves { lines, excluded } = &request.first_moves;
    match usize::from(*lines) {
        lines @ 0..=1 => lines,
        lines => lines.min(request.position.legal_moves().len().saturating_sub(excluded.len())),
    }
}
