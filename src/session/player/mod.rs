//! The player behind every protocol: the one search of a session, its clock, its options, its statistics.
//!
//! A session of a protocol owns a [`Player`], tells it what to search, and asks it what an event means. The methods
//! append effects (searches, the timer) and return what is left for the session to decide. The player knows no protocol.
//!
//! * `search`: the current search. `variations`: its lines, if several are shown. `request`: its request to the engine. `events`: the meaning of search events and the timer.
//! * `best_move`: the best move known. `pause`: a held search. `debounce`: positions that are on the board for a moment only.
//! * `limits`: what a move may cost. `clocks`: time controls. `lag`: what moves cost besides thinking.
//! * `takeover`: the search of a restored session.
//! * `engine`: the profile and book in use. `profile`: what sessions have in common. `options`: what a user may set.
//! * `statistics`: what a session has done, for the server's monitoring. `account`: what a move has cost, in words.
//!
//! Every search has a number that is never used again, and an event with any other number than the current one is dropped.
//! That, not timing, is why a move can never come late.

mod account;
mod best_move;
mod clocks;
mod debounce;
mod engine;
mod events;
mod lag;
mod limits;
mod options;
mod pause;
mod profile;
mod request;
mod search;
mod state;
mod statistics;
mod takeover;
mod variations;

pub use crate::protocol::{DEFAULT_PROFILE, SEED_OPTION};
pub use lag::LagSeen;
pub use options::{OptionError, Options};
pub use profile::{Interrupt, Profile, Resources, SettingError};
pub use statistics::Measured;

pub(super) use account::pawns;
pub(super) use best_move::BestMove;
pub(super) use clocks::TimeControl;
pub(super) use engine::{Engine, PROFILE_OPTION};
pub(super) use events::{Due, Fallback, SearchUpdate, Unavailable};
pub(super) use limits::{MoveLimits, Pace};
pub(crate) use options::bare_name;
pub(super) use options::{Announcements, Audience, Kibitz, OptionChange, OptionKind, OptionState};
pub(super) use pause::Resumed;
pub(super) use request::{NewSearch, untimed_budget};
pub(super) use search::{Purpose, Search};

use super::{Effect, GameIdentity, Setup, step::Step};
use crate::pool::SearchOrder;
use crate::random::{GOLDEN_GAMMA, mix};
use crate::search::{KnownScore, Notice, Request};
use debounce::Debounce;
use pause::Paused;
use statistics::Statistics;
use std::time::{Duration, Instant};

/// The number of positions with a score from the user; beyond it the oldest is forgotten.
const MAX_KNOWN_SCORES: usize = 256;

/// One client's player.
pub(super) struct Player {
    /// The engine that plays, its options and its book.
    pub(super) engine: Engine,
    /// What a move may cost.
    pub(super) limits: MoveLimits,
    /// The number of cores a search may use while no other search needs them.
    pub(super) cores: u8,
    /// The part of the table that our searches may use, in MiB; `None` for all of it.
    pub(super) memory: Option<usize>,
    /// Scores that the user has set.
    known: Vec<KnownScore>,
    salt: u64,
    /// Tells the session's games from those of all others; goes with the session from server to server.
    identity: u64,
    /// Games that were left for the archive.
    finished: u32,
    /// Seeds the random choices of this game.
    game_seed: u64,
    /// How often the salt was changed, and a game begun. With the seed of the session the two seeds follow from these, so that
    /// a session's state has no seed.
    cleared: u32,
    games: u32,
    seed: u64,
    /// The seed that the client has named, if it has; games count from then.
    named_seed: Option<u64>,
    search: Option<Search>,
    last_search: u64,
    paused: Option<Paused>,
    debounce: Debounce,
    timer: Option<Instant>,
    /// Over all games of the session.
    statistics: Statistics,
    /// What the user was told of engines.
    told: Vec<Notice>,
}

impl Player {
    /// A player with nothing to do yet.
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
            salt: mix(setup.seed),
            identity: setup.identity,
            finished: 0,
            game_seed: mix(setup.seed ^ 1),
            cleared: 0,
            games: 0,
            seed: setup.seed,
            named_seed: None,
            search: None,
            last_search: 0,
            paused: None,
            debounce: Debounce::default(),
            timer: None,
            statistics: Statistics::default(),
            told: Vec::new(),
        }
    }

    /// A new game begins: resets the clock, and forgets the limits of depth and nodes and the scores set by the user.
    pub(super) fn new_game(&mut self) {
        self.limits.new_game();
        self.known.clear();
        self.game_seed = mix(self.game_seed);
        self.games = self.games.saturating_add(1);
    }

    /// Derives the session's random choices from `seed`, so that a recording of it replays. The table's salts still come from
    /// the server's own seed: no client may know them.
    ///
    /// # Errors
    /// The text is not a number of 63 bits.
    pub(super) fn set_seed(&mut self, seed: Option<&str>) -> Result<(), OptionError> {
        let seed: i64 = seed.ok_or(OptionError::Missing)?.parse().unwrap_or(-1);
        let seed = u64::try_from(seed).map_err(|_| OptionError::Number(0, i64::MAX))?;
        (self.named_seed, self.games) = (Some(seed), 0);
        self.game_seed = mix(seed);
        Ok(())
    }

    /// Forgets what earlier searches wrote into the table: with another salt, no search finds it.
    pub(super) fn clear_table(&mut self) {
        self.salt = self.salt.wrapping_add(GOLDEN_GAMMA);
        self.cleared = self.cleared.saturating_add(1);
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

    /// The current search: running, or ended and still of use.
    pub(super) fn search(&self) -> Option<&Search> {
        self.search.as_ref()
    }

    /// The current search, to be changed. A change of its deadline takes a call of [`Player::await_deadline`].
    pub(super) fn search_mut(&mut self) -> Option<&mut Search> {
        self.search.as_mut()
    }

    /// The purpose of the current search.
    pub(super) fn purpose(&self) -> Option<Purpose> {
        self.search.as_ref().map(|search| search.purpose)
    }

    /// Whether we think on the opponent's time.
    pub(super) fn is_pondering(&self) -> bool {
        matches!(self.purpose(), Some(Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Expectation))
    }

    /// Whether our move is due.
    pub(super) fn owes_move(&self) -> bool {
        let owed = self.paused.as_ref().is_some_and(|paused| paused.owed.is_some());
        self.purpose() == Some(Purpose::Move) || owed
    }

    /// The identity of a game that has ended.
    pub(super) fn next_game_identity(&mut self) -> GameIdentity {
        self.finished = self.finished.saturating_add(1);
        GameIdentity { session: self.identity, game: self.finished }
    }

    /// Seeds the random choices at this ply of the game.
    pub(super) fn seed_at(&self, ply: usize) -> u64 {
        mix(self.game_seed ^ ply as u64)
    }

    /// Starts a search in place of the current one.
    pub(super) fn start<M>(&mut self, ask: NewSearch, step: &mut Step<'_, M>) {
        self.halt(step);
        self.last_search += 1;
        let task = self.task(&ask);
        let search = Search::new(self.last_search, &ask, task.search().map_or(1, lines));
        step.effect(Effect::Search(search.id, SearchOrder::Start(Box::new(task), ask.budget)));
        self.set_timer(search.deadline, step);
        self.search = Some(search);
    }

    /// Our move is due, but there is none until a piece comes: our clock runs, and nothing is searched.
    pub(super) fn wait<M>(&mut self, ask: NewSearch, step: &mut Step<'_, M>) {
        self.halt(step);
        self.last_search += 1;
        let search = Search::new(self.last_search, &ask, 1);
        self.search = Some(Search { deadline: None, refused_or_failed: true, sitting: true, ..search });
    }

    /// Stops the current search, cancels a pending analysis, and returns what the search has found.
    pub(super) fn halt<M>(&mut self, step: &mut Step<'_, M>) -> Option<Search> {
        if self.debounce.due.take().is_some() {
            self.set_timer(None, step);
        }
        let search = self.search.take()?;
        self.statistics.searched(&search);
        if search.done.is_none() && !search.refused_or_failed {
            step.effect(Effect::Search(search.id, SearchOrder::Stop));
        }
        self.set_timer(None, step);
        Some(search)
    }

    /// Stops the current search and ends a pause; if our move was due, our clock stops too.
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

    /// Our move goes out. `search` is the search that found it, if any.
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

    /// The client's input has ended: bounds the current search, which ends by itself, perhaps late.
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

    /// Checks what must hold after every input.
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

    /// Whether the timer is set.
    pub(super) fn has_timer(&self) -> bool {
        self.timer.is_some()
    }
}

/// How many variations a search can show: as many as requested, or as there are first moves.
fn lines(request: &Request) -> usize {
    match usize::from(request.lines) {
        lines @ 0..=1 => lines,
        lines => lines.min(request.position.legal_moves().len().saturating_sub(request.excluded.len())),
    }
}
