//! What a search says while it runs and when it ends.

use super::Score;
use super::kriegspiel::Answer;
use crate::chess::{Move, Roles};
use std::sync::Arc;
use std::time::Duration;

/// Something a running search says.
#[derive(Clone, Debug)]
pub enum Report {
    /// The best move that the table knows of, before anything was searched: nothing to show, but a move to play.
    Known(Move),
    /// A new principal variation.
    Info(Info),
    /// What to propose to the umpire of kriegspiel; takes the place of an earlier answer.
    Attempts(Box<Answer>),
    /// How far the search is; a few times a second.
    Progress(Progress),
    /// So many leaves are below this first move ([`super::Request::perft`]).
    Leaves(Move, u64),
    /// The side on move is mated soon, and one more of any of these in its hand would save it. The last report, if
    /// [`super::Request::rescue`] asks for it.
    Rescue(Roles),
    /// Something that the user should know of the engine that searches.
    Notice(Notice),
    /// The table entries worth most to the search, for a search that continues it on another server
    /// ([`super::Request::warm`]); replaces an earlier one. At most one every ten seconds and one at the end.
    Warm(Box<[u8]>),
}

/// A sentence for the user, without a full stop. It is told once in a session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice(pub Arc<str>);

impl Report {
    /// The report with `more` nodes added: those of the search's helpers.
    pub fn with_more(mut self, more: u64) -> Report {
        match &mut self {
            Report::Known(_)
            | Report::Attempts(_)
            | Report::Rescue(_)
            | Report::Leaves(..)
            | Report::Notice(_)
            | Report::Warm(_) => {}
            Report::Info(info) => info.nodes = info.nodes.saturating_add(more),
            Report::Progress(progress) => progress.nodes = progress.nodes.saturating_add(more),
        }
        self
    }
}

/// Whether a score is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is.
    Exact,
    /// It is at least that (the search failed high).
    Lower,
    /// It is at most that (the search failed low).
    Upper,
}

/// A principal variation.
#[derive(Clone, Debug)]
pub struct Info {
    /// Plies of the iteration.
    pub depth: u8,
    /// Plies of the longest line looked at.
    pub selective_depth: u8,
    /// From the view of the side on move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Time since the search was asked for.
    pub elapsed: Duration,
    /// Nodes so far.
    pub nodes: u64,
    /// 1 for the best line, 2 for the second best …
    pub line: u8,
    /// The moves, never empty. The first is the best move known.
    pub pv: Vec<Move>,
    /// It was reported before, as another line: only the order is new.
    pub again: bool,
    /// How much of the part of the table that is searched with is in use, by anybody, in permille, if it is known.
    pub table_usage: Option<u16>,
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Plies of the running iteration.
    pub depth: u8,
    /// Nodes so far.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub elapsed: Duration,
    /// First moves not yet looked at in this iteration.
    pub moves_left: u16,
    /// First moves in all.
    pub moves_total: u16,
    /// The first move being looked at.
    pub current: Option<Move>,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Done {
    /// The best move; `None` only if there is no legal move (that is not excluded).
    pub best: Option<Move>,
    /// The reply expected, if the variation goes that far.
    pub ponder: Option<Move>,
    /// From the view of the side on move.
    pub score: Score,
    /// Plies of the last finished iteration.
    pub depth: u8,
    /// Nodes in all.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub elapsed: Duration,
}
