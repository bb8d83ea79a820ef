//! What a search is asked, and what may interrupt it.

use super::kriegspiel::Question;
use super::{Demands, OtherEngine, Played, RootPosition, Score, Strength};
use crate::chess::{AnyPosition, Move, Variant};
use crate::draughts::endgames::Endgames;
use std::sync::Arc;
use std::time::Duration;

/// One search to be done.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position to search.
    pub position: RootPosition,
    /// Keys of earlier positions of the game since the last irreversible move, oldest first
    /// ([`crate::chess::Game::history`], [`crate::draughts::Game::history`]); the searched position itself is not among them.
    pub history: Vec<u64>,
    /// When to end without being stopped.
    pub limits: Limits,
    /// How many best lines to report, at least 1 (principal variations of different first moves).
    pub lines: u8,
    /// First moves not to consider.
    pub excluded: Vec<Move>,
    /// Mixed into table keys: searches see each other's entries only if they have the same salt.
    pub salt: u64,
    /// Centipawns that the side on move thinks itself better than a draw: with 20, a draw is worth -20 to it, and 20 to
    /// the other side. More than 20,000 is no more than that.
    pub contempt: i16,
    /// Greatest random value added to or taken from evaluations, in centipawns; 0 for none.
    pub noise: u8,
    /// How strong to play; `None` as well as it can. A weaker player stops by itself, after some nodes. Scores are what
    /// it found, without the errors by which it chose: a later line may have a better one than an earlier.
    pub strength: Option<Strength>,
    /// What is left to chance (`noise`, `strength`) depends on this alone.
    pub seed: u64,
    /// Positions whose score the client has set, in any order; a few hundred do not slow a search much. If the
    /// searched position is among them, and nothing is excluded, its best line is reported with that score and no line
    /// with a better one, up to that depth; which move is best the search finds out all the same.
    pub known: Vec<KnownScore>,
    /// Whether it is for a game rather than an analysis: neither can wash out what the table knows of the other.
    pub game: bool,
    /// Whether to begin at the depth that the table knows of the position, if it does, rather than at 1, and to leave
    /// there what the next search needs for that. Not for searches that are to be repeated node by node, nor
    /// against a clock; ignored where strength is limited.
    pub resume: bool,
    /// The warm part of an earlier search of the same position, perhaps on another server, as [`super::Report::Warm`] had it. It
    /// comes from outside: what does not fit the position is ignored.
    pub warm: Option<Arc<[u8]>>,
    /// The most bytes of a warm part that the search collects of its own; 0 for none.
    pub warm_limit: usize,
    /// How much of the table it may use, in MiB; `None` for all of it. Searches with the same salt and the same
    /// limit see each other's entries.
    pub memory: Option<usize>,
    /// How many other threads may search the same position with the same table. The pool has threads for them; [`super::search`]
    /// itself uses none.
    pub helpers: u8,
    /// What a player of kriegspiel is asked. Then the position is the variant's start position, whatever is on the board,
    /// and of the rest only the limits and the seed count.
    pub kriegspiel: Option<Box<Question>>,
    /// Which of those this is; 0 for the search itself. A helper leaves out some depths, so as to be ahead of the others.
    pub helper: u8,
    /// What the partner of the side on move wants. Of use in bughouse only.
    pub demands: Demands,
    /// What is known of positions with few pieces. Of use in draughts only.
    pub endgames: Option<Arc<Endgames>>,
    /// Only the leaves of the tree of legal moves are counted, at this depth in plies. Of the rest only the position matters then.
    /// Not for draughts.
    pub perft: Option<u8>,
    /// Whether to look, once the side on move turns out to be mated soon, for a piece from its partner that would save it.
    /// Of use in bughouse only.
    pub rescue: bool,
    /// Who is to search instead of this engine. The pool asks it; [`super::search`] itself does not.
    pub engine: Option<Arc<dyn OtherEngine>>,
    /// The game so far, for such an engine; `None` if only the position is known.
    pub played: Option<Played>,
}

/// A position is worth that much, whatever the search thinks; unless the game is drawn by rule when it is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownScore {
    /// The position's zobrist key.
    pub key: u64,
    /// From the view of the side on move there.
    pub score: Score,
    /// Deeper searches of the position, in plies, may find something else.
    pub depth: u8,
}

impl Request {
    /// A search of this position alone, without limits, at full strength.
    pub fn of(position: impl Into<RootPosition>) -> Request {
        Request {
            position: position.into(),
            history: Vec::new(),
            limits: Limits::default(),
            lines: 1,
            excluded: Vec::new(),
            salt: 0,
            contempt: 0,
            noise: 0,
            strength: None,
            seed: 0,
            known: Vec::new(),
            game: false,
            resume: false,
            warm: None,
            warm_limit: 0,
            memory: None,
            helpers: 0,
            kriegspiel: None,
            helper: 0,
            demands: Demands::default(),
            endgames: None,
            perft: None,
            rescue: false,
            engine: None,
            played: None,
        }
    }

    /// A question to the player of kriegspiel: nothing else is in it that could depend on the game.
    pub fn of_kriegspiel(question: Question, limits: Limits, seed: u64) -> Request {
        let position = AnyPosition::start(Variant::KRIEGSPIEL);
        Request { limits, seed, kriegspiel: Some(Box::new(question)), game: true, ..Request::of(position) }
    }
}

/// Limits of a search that do not depend on a clock. Time is the gate's affair.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u8>,
    /// Nodes. Never one more is searched.
    pub nodes: Option<u64>,
    /// Nodes to aim for, as [`super::Allotment::optimum`] is time to aim for.
    pub optimum_nodes: Option<u64>,
    /// Moves. Ends with a mate by the side on move in this number of moves or fewer, and not with another mate.
    pub mate: Option<u8>,
}

/// What a gate answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Search on.
    Continue,
    /// End now; the best move known is the result.
    Stop,
}

/// What a gate answers to [`Gate::turn`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// Search on.
    Run,
    /// Suspend what runs elsewhere for this search, then call [`Gate::poll`], which may keep the caller waiting.
    Wait,
    /// End now.
    Stop,
}

/// How a search meets the rest of the world. The implementation may keep the caller waiting in
/// [`Gate::poll`], which is how a search is suspended in the middle of its tree.
pub trait Gate {
    /// Whether the next poll is going to keep the search waiting, as far as can be told.
    fn pauses(&mut self) -> bool {
        false
    }

    /// Called about every [`POLL_NODES`] nodes, and once the search has said its first variation; `nodes` is how many
    /// there have been.
    fn poll(&mut self, nodes: u64) -> Verdict;

    /// Like [`Gate::poll`], but never keeps the caller waiting: for a search that is done elsewhere, and has to be
    /// suspended there first.
    fn turn(&mut self, nodes: u64) -> Turn {
        match self.poll(nodes) {
            Verdict::Continue => Turn::Run,
            Verdict::Stop => Turn::Stop,
        }
    }

    /// Like [`Gate::poll`], but a search that is kept waiting must end already when `scale` times the optimum is used up: for
    /// one that has something to play, and would begin anew.
    fn poll_until_optimum(&mut self, nodes: u64, _scale: f32) -> Verdict {
        self.poll(nodes)
    }

    /// What came before was preparation, and the search begins now: for one that is done elsewhere, whose slice would be over
    /// before anything was searched.
    fn begin_slice(&mut self) {}

    /// Time until the maximum of the time allotment is used up; `None` if there is none, or if a processor's time counts.
    fn left(&self) -> Option<Duration> {
        None
    }

    /// Time since the search was asked for, without what it was held; or what it has used of a processor, if
    /// that is how it is timed.
    fn elapsed(&self) -> Duration;

    /// The limits as they are now, given those that were asked for: they may have been changed since.
    fn limits(&self, asked: Limits) -> Limits {
        asked
    }

    /// Whether `scale` times the optimum of the time allotment is used up, by the same clock. Never true without an
    /// allotment, which may come later (a ponder hit).
    fn past_optimum(&self, scale: f32) -> bool;

    /// Whether the time is used up that a search may have while score and best move are stable. Never true without an
    /// allotment.
    fn past_calm(&self) -> bool {
        false
    }
}

/// Nodes between two calls of [`Gate::poll`]: some 0.5 to 1 ms.
pub const POLL_NODES: u64 = 1024;
