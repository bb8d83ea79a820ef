//! The request for a search.

use super::{PartnerNeeds, Played, RootPosition, Score, Strength};
use crate::chess::Move;
use crate::draughts::endgames::Endgames;
use std::sync::Arc;

/// A search to run.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// The position to search.
    pub position: RootPosition,
    /// The game before it.
    pub past: Past,
    /// Limits at which the search ends by itself.
    pub limits: Limits,
    /// The first moves to search and to report.
    pub first_moves: FirstMoves,
    /// Whether the search is for a game rather than an analysis. Each of the two kinds has
    /// protected entries in the table.
    pub game: bool,
    /// The style of play. An analysis leaves it at its default: the best moves at full strength.
    pub style: Style,
    /// Scores of positions from outside the search.
    pub knowledge: Knowledge,
    /// The part of the table that the search uses.
    pub table: TableUse,
    /// The continuation of an earlier search of the position, and preparations for a later one.
    pub resumption: Resumption,
    /// The role of the search in a parallel search.
    pub thread: ThreadRole,
}

impl Request {
    /// A search of this position alone, without limits, at full strength.
    pub fn of(position: impl Into<RootPosition>) -> Request {
        Request { position: position.into(), ..Request::default() }
    }
}

/// The game before the searched position.
#[derive(Clone, Default, Debug)]
pub struct Past {
    /// Keys of earlier positions of the game since the last irreversible move, oldest first
    /// ([`crate::chess::Game::history`], [`crate::draughts::Game::history`]), without the searched
    /// one.
    pub history: Vec<u64>,
    /// The game so far, for external engines; `None` if only the position is known.
    pub played: Option<Played>,
}

/// The first moves of a search.
#[derive(Clone, Default, Debug)]
pub struct FirstMoves {
    /// Number of principal variations to report (MultiPV); 0 counts as 1.
    pub lines: u8,
    /// First moves to leave out.
    pub excluded: Vec<Move>,
}

/// The style and strength of play.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Style {
    /// Limit of playing strength; `None` for full strength. A limited search stops by itself after
    /// some nodes. Reported scores lack the errors that decide which move is chosen, so a later
    /// line may have a better score than an earlier one.
    pub strength: Option<Strength>,
    /// Contempt in centipawns: with 20, a draw is worth -20 to the side on move and 20 to the
    /// other. Values above 20,000 count as 20,000.
    pub contempt: i16,
    /// Maximum of the random value added to or taken from evaluations, in centipawns; 0 for none.
    pub noise: u8,
    /// Seed of everything random (`noise`, `strength`).
    pub seed: u64,
    /// Needs of the partner of the side on move; `None` without a partner. With one, the search
    /// looks for a piece from the partner that would save the side on move, once it turns out to be
    /// mated soon. Bughouse only.
    pub partner: Option<PartnerNeeds>,
}

/// Scores of positions from outside the search.
#[derive(Clone, Default, Debug)]
pub struct Knowledge {
    /// Positions whose score the client has set, in any order; a few hundred do not slow a search
    /// much. If the searched position is one of them, and nothing is excluded, its best line is
    /// reported with that score, and no line with a better one, up to that depth. The best move is
    /// still searched for.
    pub scores: Vec<KnownScore>,
    /// Endgame databases. Draughts only.
    pub endgames: Option<Arc<Endgames>>,
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

/// The part of the table that a search uses. Searches share entries only if they have the same one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TableUse {
    /// Mixed into table keys.
    pub salt: u64,
    /// Part of the table that may be used, in MiB; `None` for all of it.
    pub memory: Option<usize>,
}

impl TableUse {
    /// The whole table, with this salt.
    pub fn salted(salt: u64) -> TableUse {
        TableUse { salt, memory: None }
    }
}

/// The continuation of an earlier search of the position, and preparations for a later one.
#[derive(Clone, Default, Debug)]
pub struct Resumption {
    /// Whether to begin at the depth that the table holds for the position rather than at 1, and to
    /// store what the next search needs for that. Not for searches that must be reproducible node
    /// by node, nor with a clock; ignored with limited strength.
    pub from_table: bool,
    /// Table entries of an earlier search of the position, perhaps on another server
    /// ([`super::Report::Warm`]). Untrusted: entries that do not fit the position are ignored.
    pub warm: Option<Arc<[u8]>>,
    /// Maximum size in bytes of the warm entries that the search reports; 0 for none.
    pub warm_limit: usize,
}

/// The role of a search in a parallel search (Lazy SMP).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadRole {
    /// The search whose result counts.
    Main {
        /// Number of other threads that may search the same position with the same table. The pool
        /// starts them; [`super::search`] itself starts none.
        helpers: u8,
    },
    /// The helper with this number, from 1. Helpers leave out some depths to be ahead of the main
    /// search, and do not look for saving pieces.
    Helper(u8),
}

impl ThreadRole {
    /// Returns the number of helpers that the search may have.
    pub fn helpers(self) -> u8 {
        match self {
            ThreadRole::Main { helpers } => helpers,
            ThreadRole::Helper(_) => 0,
        }
    }
}

impl Default for ThreadRole {
    fn default() -> ThreadRole {
        ThreadRole::Main { helpers: 0 }
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
