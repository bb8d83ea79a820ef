//! The current search of a session.

use super::NewSearch;
use super::variations::{Variations, playable_moves};
use crate::chess::{AnyPosition, Move, Roles};
use crate::kriegspiel::Proposal;
use crate::pool::{SearchBudget, SearchId};
use crate::search::{Done, Info, Limits, Progress, RootPosition, Score};
use std::time::{Duration, Instant};

/// A search that runs, or has ended and is still useful: a ponder result waits for the opponent's
/// move.
#[derive(Debug)]
pub(in crate::session) struct Search {
    pub(in crate::session) id: SearchId,
    pub(in crate::session) purpose: Purpose,
    /// The root position.
    pub(in crate::session) root: RootPosition,
    /// The class and time.
    pub(in crate::session) budget: SearchBudget,
    /// Depth and nodes at which it ends by itself.
    pub(in crate::session) limits: Limits,
    /// When it was requested.
    pub(in crate::session) began: Instant,
    /// When the engine's clock started: at the request, or at the opponent's expected move.
    pub(in crate::session) since: Instant,
    /// When the best move known is played.
    pub(in crate::session) deadline: Option<Instant>,
    pub(in crate::session) findings: Findings,
    /// Whether it was refused or has failed, so that there is nothing to stop.
    pub(in crate::session) refused_or_failed: bool,
    /// Whether the client asked for a hint before the search had a move.
    pub(in crate::session) hint_wanted: bool,
    /// The reason for holding the engine's move back until `deadline`, if it is held.
    pub(in crate::session) held: Option<Held>,
    /// When sitting ends, once it has begun: another search for the same move does not restart it.
    pub(in crate::session) sits_until: Option<Instant>,
}

/// The findings of a search so far.
#[derive(Default, Debug)]
pub(in crate::session) struct Findings {
    /// The best move known before the search.
    pub(in crate::session) known: Option<Move>,
    /// The newest principal variation of the best line.
    pub(in crate::session) best: Option<Info>,
    /// The newest variations, if several are shown.
    pub(in crate::session) variations: Variations,
    /// Attempts for the umpire of kriegspiel.
    pub(in crate::session) proposal: Option<Box<Proposal>>,
    pub(in crate::session) progress: Option<Progress>,
    /// The depth known when the search was restarted on another server, until it is reached again.
    pub(super) known_depth: Option<u8>,
    /// Whether it has reported a variation.
    pub(super) told: bool,
    pub(in crate::session) done: Option<Done>,
    /// Pieces that would save the engine from a mate soon.
    pub(in crate::session) saved_by: Roles,
}

impl Findings {
    /// The findings of a new search that shows at most `lines` variations.
    fn new(lines: usize) -> Findings {
        Findings { variations: Variations::new(lines), ..Findings::default() }
    }
}

/// The reason for holding the engine's move back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Held {
    /// A draw was agreed.
    DrawAgreed,
    /// A piece may come.
    Sitting,
    /// There is no legal move until a piece comes, and no deadline.
    NoMove,
}

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Purpose {
    /// The engine's move is due.
    Move,
    /// Pondering on the position after the opponent's expected move.
    Ponder(Move),
    /// Pondering on the position after the move that the client has put on the board (`ponder`).
    PonderOnBoard,
    /// Looking for the opponent's expected move.
    Expectation,
    /// An unlimited analysis.
    Analysis,
    /// A suggestion for the user.
    Hint,
    /// The number of leaves of the tree of legal moves at this depth, in plies.
    Perft(u8),
}

impl Search {
    /// A search that shows at most `lines` variations.
    pub(super) fn new(number: u64, ask: &NewSearch, lines: usize) -> Search {
        let &NewSearch { purpose, root, limits, budget, .. } = ask;
        Search {
            id: SearchId(number),
            purpose,
            root,
            budget,
            limits,
            began: budget.since,
            since: budget.since,
            deadline: budget.deadline(),
            findings: Findings::new(lines),
            refused_or_failed: false,
            hint_wanted: false,
            held: None,
            sits_until: None,
        }
    }

    /// The position searched, if the game is chess.
    pub(in crate::session) fn chess_root(&self) -> Option<AnyPosition> {
        self.root.chess()
    }

    /// The principal variation, up to its first illegal move.
    pub(in crate::session) fn variation(&self) -> impl Iterator<Item = Move> {
        let pv = self.findings.best.as_ref().map_or(&[][..], |info| &info.pv);
        playable_moves(self.root, pv)
    }

    /// The best move that the search has found or known before, and the reply to it, without any
    /// evaluation.
    pub(in crate::session) fn found(&self) -> Option<(Move, Option<Move>)> {
        let mut variation = self.variation();
        match variation.next() {
            Some(mv) => Some((mv, variation.next())),
            None => self.findings.known.filter(|&mv| self.root.is_legal(mv)).map(|mv| (mv, None)),
        }
    }

    /// The opponent's expected move, if it is not on the board.
    pub(in crate::session) fn expected(&self) -> Option<Move> {
        match self.purpose {
            Purpose::Ponder(expected) => Some(expected),
            Purpose::Move
            | Purpose::PonderOnBoard
            | Purpose::Expectation
            | Purpose::Analysis
            | Purpose::Hint
            | Purpose::Perft(_) => None,
        }
    }

    /// Returns true if there is no legal move until a piece comes.
    pub(in crate::session) fn has_no_move(&self) -> bool {
        self.held == Some(Held::NoMove)
    }

    /// The latest score of the position.
    pub(in crate::session) fn score(&self) -> Option<Score> {
        let proposed = || self.findings.proposal.as_ref().map(|proposal| proposal.score);
        self.findings
            .done
            .map(|done| done.score)
            .or(self.findings.best.as_ref().map(|info| info.score))
            .or_else(proposed)
    }

    /// Nodes searched, by the latest report.
    pub(in crate::session) fn nodes(&self) -> u64 {
        let known = [
            self.findings.best.as_ref().map(|info| info.nodes),
            self.findings.progress.map(|progress| progress.nodes),
            self.findings.done.map(|done| done.nodes),
            self.findings.variations.totals().0,
        ];
        known.into_iter().flatten().max().unwrap_or(0)
    }

    /// Time spent, by the latest report.
    pub(in crate::session) fn elapsed(&self) -> Duration {
        let known = [
            self.findings.best.as_ref().map(|info| info.elapsed),
            self.findings.progress.map(|progress| progress.elapsed),
            self.findings.done.map(|done| done.elapsed),
            self.findings.variations.totals().1,
        ];
        known.into_iter().flatten().max().unwrap_or(Duration::ZERO)
    }

    /// Returns true if the engine's move is held back for an agreed draw.
    pub(in crate::session) fn is_draw_agreed(&self) -> bool {
        self.held == Some(Held::DrawAgreed)
    }

    /// Returns true if the engine's move is held back for a piece, or does not exist yet.
    pub(in crate::session) fn is_sitting(&self) -> bool {
        matches!(self.held, Some(Held::Sitting | Held::NoMove))
    }

    /// Holds the engine's move back until `deadline`.
    pub(in crate::session) fn hold(&mut self, reason: Held, deadline: Option<Instant>) {
        (self.held, self.deadline) = (Some(reason), deadline);
    }

    /// Shifts the times by `pause`, during which the search was held and the clock stood still.
    pub(super) fn postpone(&mut self, pause: Duration) {
        let later = |at: Instant| at.checked_add(pause).unwrap_or(at);
        self.began = later(self.began);
        self.since = later(self.since);
        self.deadline = self.deadline.map(later);
        self.sits_until = self.sits_until.map(later);
        self.budget.since = self.since;
    }
}
