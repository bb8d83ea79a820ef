//! The player behind every protocol: the one search of a session, its clock, its options, its statistics.
//!
//! A session of a protocol owns a [`Player`], tells it what to search, and asks it what an event means. The methods
//! append effects (searches, the timer) and return what is left for the session to decide. No protocol's words are in here.
//!
//! * `search`: the search that runs. `request`: what is asked of the engine. `events`: what a search or the timer means.
//! * `best_move`: the best move known. `pause`: a search that is held. `debounce`: positions that are only passed.
//! * `limits`: what a move may cost. `clocks`: time controls. `lag`: what moves cost besides thinking.
//! * `engine`: which profile and book play. `profile`: what sessions have in common. `options`: what a user may set.
//! * `statistics`: what a session has done, for others than its client.
//!
//! Every search has a number that is never used again, and an event with any other number than the current
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
mod profile;
mod request;
mod search;
mod statistics;

pub use engine::DEFAULT_PROFILE;
pub use lag::LagSeen;
pub use options::{OptionError, Options};
pub use profile::{Interrupt, Profile, SettingError};

pub(super) use best_move::BestMove;
pub(super) use clocks::TimeControl;
pub(super) use engine::{Engine, PROFILE_OPTION};
pub(super) use events::{Due, Fallback, SearchUpdate, Unavailable};
pub(super) use limits::MoveLimits;
pub(super) use options::{Kibitz, OptionChange, OptionKind, OptionState};
pub(super) use pause::Resumed;
pub(super) use request::{NewSearch, unhurried};
pub(super) use search::{Purpose, Search};

use super::{Effect, Setup, step::Step};
use crate::chess::zobrist::mix;
use crate::pool::SearchOrder;
use crate::search::KnownScore;
use debounce::Debounce;
use pause::Paused;
use statistics::Statistics;
use std::time::Instant;

/// Positions whose score is remembered; then the oldest is forgotten.
const MAX_KNOWN_SCORES: usize = 256;

/// One client's player.
pub(super) struct Player {
    /// Which engine plays, with which options and books.
    pub(super) engine: Engine,
    /// What a move may cost.
    pub(super) limits: MoveLimits,
    /// How many cores a search may use, if nobody else wants them.
    pub(super) cores: u8,
    /// How much of the table our searches may use, in MiB.
    pub(super) memory: Option<usize>,
    /// Scores that the user knows better.
    known: Vec<KnownScore>,
    salt: u64,
    /// What is left to chance in this game depends on this.
    game_seed: u64,
    search: Option<Search>,
    last_search: u64,
    paused: Option<Paused>,
    debounce: Debounce,
    timer: Option<Instant>,
    /// In all games.
    statistics: Statistics,
}

impl Player {
    /// One that has nothing to do yet.
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
            game_seed: mix(setup.seed ^ 1),
            search: None,
            last_search: 0,
            paused: None,
            debounce: Debounce::default(),
            timer: None,
            statistics: Statistics::default(),
        }
    }

    /// A new game begins: the clock stands at its beginning, limits of depth and nodes are gone, as are known scores.
    pub(super) fn new_game(&mut self) {
        self.limits.new_game();
        self.known.clear();
        self.game_seed = mix(self.game_seed);
    }

    /// Forgets what earlier searches wrote into the table: with another salt, no search finds it.
    pub(super) fn clear_table(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.known.clear();
    }

    /// From now on the position of this key has this score. The oldest such score is forgotten when there are too many.
    pub(super) fn learn_score(&mut self, score: KnownScore) {
        self.known.retain(|known| known.key != score.key);
        if self.known.len() == MAX_KNOWN_SCORES {
            self.known.remove(0);
        }
        self.known.push(score);
    }

    /// The search that runs, or a pondering one that has ended.
    pub(super) fn search(&self) -> Option<&Search> {
        self.search.as_ref()
    }

    /// The same, to be changed. Whoever changes its deadline also calls [`Player::await_deadline`].
    pub(super) fn search_mut(&mut self) -> Option<&mut Search> {
        self.search.as_mut()
    }

    /// What the running search is for.
    pub(super) fn purpose(&self) -> Option<Purpose> {
        self.search.as_ref().map(|search| search.purpose)
    }

    /// Whether we think on the opponent's time.
    pub(super) fn is_pondering(&self) -> bool {
        matches!(self.purpose(), Some(Purpose::Ponder(_) | Purpose::Ordered | Purpose::Expectation))
    }

    /// Whether our move is awaited.
    pub(super) fn owes_move(&self) -> bool {
        let owed = self.paused.as_ref().is_some_and(|paused| paused.owed.is_some());
        self.purpose() == Some(Purpose::Move) || owed
    }

    /// What is left to chance in this game and on this ply depends on it.
    pub(super) fn seed_at(&self, ply: usize) -> u64 {
        mix(self.game_seed ^ ply as u64)
    }

    /// Starts a search, in place of any other.
    pub(super) fn start<M>(&mut self, ask: NewSearch<'_>, step: &mut Step<'_, M>) {
        self.halt(step);
        self.last_search += 1;
        let request = self.request(&ask);
        let search = Search::new(self.last_search, &ask);
        step.effect(Effect::Search(search.id, SearchOrder::Start(Box::new(request), ask.budget)));
        self.set_timer(search.deadline, step);
        self.search = Some(search);
    }

    /// Stops whatever search runs, or is about to, and takes what is known of it.
    pub(super) fn halt<M>(&mut self, step: &mut Step<'_, M>) -> Option<Search> {
        if self.debounce.due.take().is_some() {
            self.set_timer(None, step);
        }
        let search = self.search.take()?;
        self.statistics.searched(&search);
        if search.done.is_none() && !search.gone {
            step.effect(Effect::Search(search.id, SearchOrder::Stop));
        }
        self.set_timer(None, step);
        Some(search)
    }

    /// Stops whatever search runs and ends a pause; if our move was due, our clock stops too.
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

    /// Our move goes out. `search` is what found it, if it was searched.
    pub(super) fn moved<M>(&mut self, search: Option<&Search>, step: &Step<'_, M>) {
        self.statistics.moved(search.and_then(|search| search.deadline), step.now);
    }

    /// Wakes the session when the best move of the running search is to be played.
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

    /// What has to be true after every input.
    pub(super) fn check_invariants(&self) {
        match &self.search {
            None => debug_assert_eq!(self.timer, self.debounce.due, "a timer without a search"),
            Some(search) => {
                debug_assert_eq!(self.debounce.due, None, "an analysis to begin beside another");
                let expected = self.paused.as_ref().map_or(search.deadline, |paused| paused.until);
                debug_assert_eq!(self.timer, expected);
            }
        }
    }

    /// Whether something waits for the timer.
    pub(super) fn has_timer(&self) -> bool {
        self.timer.is_some()
    }
}
