//! Reports of a running search, and its result.

use super::Score;
use crate::chess::{Move, Roles};
use std::sync::Arc;
use std::time::Duration;

/// A report of a running search.
#[derive(Clone, Debug)]
pub enum Report {
    /// The best move in the table before anything was searched: not shown, but playable.
    Known(Move),
    /// A new principal variation.
    Info(Info),
    /// The progress of the search, a few times a second.
    Progress(Progress),
    /// Roles any of which, dropped, would save the side on move, which is mated soon. The last
    /// report, if the request has a partner ([`super::Style::partner`]).
    SavingDrops(Roles),
    /// A message for the user about the engine that searches.
    Notice(Notice),
    /// The table entries worth most to the search, for a search that continues it on another server
    /// ([`super::Resumption::warm`]); replaces an earlier one. At most one every ten seconds and
    /// one at the end.
    Warm(Box<[u8]>),
}

/// A sentence for the user, without a full stop, shown once in a session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice(pub Arc<str>);

/// Whether a score is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Exact.
    Exact,
    /// A lower bound (the search failed high).
    Lower,
    /// An upper bound (the search failed low).
    Upper,
}

impl Bound {
    /// Returns the bound in two bits, not both 0: the lower one if the score is a lower bound, the
    /// upper one if it is an upper bound.
    pub(super) fn bits(self) -> u8 {
        match self {
            Bound::Lower => 1,
            Bound::Upper => 2,
            Bound::Exact => 3,
        }
    }

    /// Reverses [`Bound::bits`].
    pub(super) fn from_bits(bits: u8) -> Option<Bound> {
        match bits & 3 {
            1 => Some(Bound::Lower),
            2 => Some(Bound::Upper),
            3 => Some(Bound::Exact),
            _ => None,
        }
    }
}

/// A principal variation.
#[derive(Clone, Debug)]
pub struct Info {
    /// Depth of the iteration in plies.
    pub depth: u8,
    /// Length in plies of the longest line searched.
    pub selective_depth: u8,
    /// Score from the view of the side on move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Time since the search was requested.
    pub elapsed: Duration,
    /// Nodes so far.
    pub nodes: u64,
    /// 1 for the best line, 2 for the second best …
    pub line: u8,
    /// The moves, never empty. The first is the best move known.
    pub pv: Vec<Move>,
    /// Whether the variation was reported before as another line, so that only the order is new.
    pub again: bool,
    /// Usage of the table, or of the part that the search may use, in permille, if known.
    pub table_usage: Option<u16>,
}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Depth of the running iteration in plies.
    pub depth: u8,
    /// Nodes so far.
    pub nodes: u64,
    /// Time since the search was requested.
    pub elapsed: Duration,
    /// Number of first moves not yet searched in this iteration.
    pub moves_left: u16,
    /// Number of first moves.
    pub moves_total: u16,
    /// The first move being searched.
    pub current: Option<Move>,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Done {
    /// The best move; `None` only if every legal move is excluded.
    pub best: Option<Move>,
    /// The expected reply, if the variation is long enough.
    pub ponder: Option<Move>,
    /// Score from the view of the side on move.
    pub score: Score,
    /// Depth in plies of the last finished iteration.
    pub depth: u8,
    /// Nodes searched.
    pub nodes: u64,
    /// Time since the search was requested.
    pub elapsed: Duration,
}

impl Done {
    /// The result of a search without a best move.
    pub(crate) const fn without_move(depth: u8, nodes: u64, elapsed: Duration) -> Done {
        Done { best: None, ponder: None, score: Score::DRAW, depth, nodes, elapsed }
    }
}
