//! The request for a search, and the gate through which it can be interrupted.

use super::{PartnerNeeds, Played, RootPosition, Score, Strength};
use crate::chess::Move;
use crate::draughts::endgames::Endgames;
use std::sync::Arc;
use std::time::Duration;

/// A search to run.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// The position to search.
    pub position: RootPosition,
    /// Keys of earlier positions of the game since the last irreversible move, oldest first
    /// ([`crate::chess::Game::history`], [`crate::draughts::Game::history`]), without `position`.
    pub history: Vec<u64>,
    /// The game so far, for external engines; `None` if only the position is known.
    pub played: Option<Played>,
    /// Limits at which the search ends by itself.
    pub limits: Limits,
    /// Number of principal variations to report (MultiPV); 0 counts as 1.
    pub lines: u8,
    /// First moves to leave out.
    pub excluded: Vec<Move>,
    /// Mixed into table keys: searches share entries only if they have the same salt.
    pub salt: u64,
    /// Contempt in centipawns: with 20, a draw is worth -20 to the side on move and 20 to the
    /// other. Values above 20,000 count as 20,000.
    pub contempt: i16,
    /// Maximum of the random value added to or taken from evaluations, in centipawns; 0 for none.
    pub noise: u8,
    /// Limit of playing strength; `None` for full strength. A limited search stops by itself after
    /// some nodes. Reported scores lack the errors that decide which move is chosen, so a later
    /// line may have a better score than an earlier one.
    pub strength: Option<Strength>,
    /// Seed of everything random (`noise`, `strength`).
    pub seed: u64,
    /// Positions whose score the client has set, in any order; a few hundred do not slow a search
    /// much. If the searched position is one of them, and nothing is excluded, its best line is
    /// reported with that score, and no line with a better one, up to that depth. The best move is
    /// still searched for.
    pub known: Vec<KnownScore>,
    /// Whether the search is for a game rather than an analysis. Each of the two kinds has
    /// protected entries in the table.
    pub game: bool,
    /// Whether to begin at the depth that the table holds for the position rather than at 1, and to
    /// store what the next search needs for that. Not for searches that must be reproducible node
    /// by node, nor with a clock; ignored with limited strength.
    pub resume: bool,
    /// Table entries of an earlier search of the position, perhaps on another server
    /// ([`super::Report::Warm`]). Untrusted: entries that do not fit the position are ignored.
    pub warm: Option<Arc<[u8]>>,
    /// Maximum size in bytes of the warm entries that the search reports; 0 for none.
    pub warm_limit: usize,
    /// Part of the table that may be used, in MiB; `None` for all of it. Searches share entries
    /// only if they have the same salt and the same limit.
    pub memory: Option<usize>,
    /// Number of other threads that may search the same position with the same table. The pool
    /// starts them; [`super::search`] itself starts none.
    pub helpers: u8,
    /// Number of this helper thread; 0 for the main search. Helpers leave out some depths to be
    /// ahead of the main search.
    pub helper: u8,
    /// Needs of the partner of the side on move. Bughouse only.
    pub partner: PartnerNeeds,
    /// Endgame databases. Draughts only.
    pub endgames: Option<Arc<Endgames>>,
    /// Whether to look for a piece from the partner that would save the side on move, once it turns
    /// out to be mated soon. Bughouse only.
    pub saving_drops: bool,
}

/// A score set by the client for a position. It does not override a draw by rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownScore {
    /// Zobrist key of the position.
    pub key: u64,
    /// Score from the view of the side on move there.
    pub score: Score,
    /// Depth in plies above which a search overrides the score.
    pub depth: u8,
}

impl Request {
    /// A search of this position alone, without limits, at full strength.
    pub fn of(position: impl Into<RootPosition>) -> Request {
        Request { position: position.into(), ..Request::default() }
    }
}

/// Limits of a search that do not depend on a clock. Time limits belong to the gate.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum depth in plies.
    pub depth: Option<u8>,
    /// Maximum number of nodes, exact.
    pub nodes: Option<u64>,
    /// Number of nodes to aim for, the counterpart of [`super::Allotment::optimum`].
    pub optimum_nodes: Option<u64>,
    /// Moves to mate. The search ends once it has found a mate by the side on move in at most this
    /// number of moves.
    pub mate: Option<u8>,
}

/// The answer of a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Continue.
    Continue,
    /// End now; the best move found so far is the result.
    Stop,
}

/// The answer of a gate to [`Gate::turn`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// Continue.
    Run,
    /// Suspend the process that searches, then call [`Gate::poll`], which may block.
    Wait,
    /// End now.
    Stop,
}

/// The connection between a search and its environment. [`Gate::poll`] may block, which suspends
/// the search in the middle of its tree.
pub trait Gate {
    /// Returns true if the next poll will probably block.
    fn pauses(&mut self) -> bool {
        false
    }

    /// Called about every [`POLL_NODES`] nodes, and after the first variation has been reported.
    /// `nodes` is the number of nodes so far.
    fn poll(&mut self, nodes: u64) -> Verdict;

    /// Like [`Gate::poll`], but never blocks. For searches in another process, which must be
    /// suspended there first.
    fn turn(&mut self, nodes: u64) -> Turn {
        match self.poll(nodes) {
            Verdict::Continue => Turn::Run,
            Verdict::Stop => Turn::Stop,
        }
    }

    /// Like [`Gate::poll`], but a blocked search ends as soon as `scale` times the optimum is used
    /// up. For a search that has a move to play and would have to start over.
    fn poll_until_optimum(&mut self, nodes: u64, _scale: f32) -> Verdict {
        self.poll(nodes)
    }

    /// Marks the end of preparations and the start of the search proper. For searches in another
    /// process, whose slice would otherwise be over before anything was searched.
    fn begin_slice(&mut self) {}

    /// Returns the time until the maximum of the time allotment; `None` without an allotment, or if
    /// CPU time counts.
    fn left(&self) -> Option<Duration> {
        None
    }

    /// Returns the time since the search was requested, except while it was held; or its CPU time,
    /// if that is how it is timed.
    fn elapsed(&self) -> Duration;

    /// Returns the current limits, which may have been changed since the request had `asked`.
    fn limits(&self, asked: Limits) -> Limits {
        asked
    }

    /// Returns true if `scale` times the optimum of the time allotment is used up, by the same
    /// clock. Always false without an allotment, which may come later (a ponder hit).
    fn past_optimum(&self, _scale: f32) -> bool {
        false
    }

    /// Returns true if the time for a search with a stable score and best move is used up. Always
    /// false without an allotment.
    fn past_calm(&self) -> bool {
        false
    }
}

/// Nodes between two calls of [`Gate::poll`]: 0.5 to 1 ms.
pub const POLL_NODES: u64 = 1024;
