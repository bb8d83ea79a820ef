//! The one search that may run.

use super::NewSearch;
use crate::chess::{AnyPosition, Move};
use crate::pool::{SearchBudget, SearchId};
use crate::search::{Done, Info, Limits, Progress, Score};
use std::time::{Duration, Instant};

/// The search that runs, or a pondering one that has ended and waits for the opponent's move.
#[derive(Debug)]
pub(in crate::session) struct Search {
    pub(in crate::session) id: SearchId,
    pub(in crate::session) purpose: Purpose,
    /// The position searched.
    pub(in crate::session) root: AnyPosition,
    /// What it may cost.
    pub(in crate::session) budget: SearchBudget,
    /// When it ends although nobody says so.
    pub(in crate::session) limits: Limits,
    /// When it was asked for.
    pub(in crate::session) began: Instant,
    /// When our clock started: that, or when the opponent played the expected move.
    pub(in crate::session) since: Instant,
    /// When the best move known is played.
    pub(in crate::session) deadline: Option<Instant>,
    /// The best move that was known before it searched.
    pub(in crate::session) known: Option<Move>,
    /// The newest principal variation of the best line.
    pub(in crate::session) best: Option<Info>,
    pub(in crate::session) progress: Option<Progress>,
    pub(in crate::session) done: Option<Done>,
    /// It was not begun or has failed: there is nothing to stop.
    pub(in crate::session) gone: bool,
    /// A hint was asked for before it knew a move.
    pub(in crate::session) hint_wanted: bool,
    /// A draw was agreed, and our move is kept back until `deadline`.
    pub(in crate::session) agreed: bool,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Purpose {
    /// Our move is due.
    Move,
    /// The opponent thinks, and we expect this move.
    Ponder(Move),
    /// The opponent thinks about the move that is on the board already, by order of the client.
    Ordered,
    /// The opponent thinks, and we look for the move to expect.
    Expectation,
    /// An analysis without end.
    Analysis,
    /// A suggestion for the user.
    Hint,
}

impl Search {
    pub(super) fn new(number: u64, ask: &NewSearch<'_>) -> Search {
        Search {
            id: SearchId(number),
            purpose: ask.purpose,
            root: *ask.game.position(),
            budget: ask.budget,
            limits: ask.limits,
            began: ask.budget.since,
            since: ask.budget.since,
            deadline: ask.budget.deadline(),
            known: None,
            best: None,
            progress: None,
            done: None,
            gone: false,
            hint_wanted: false,
            agreed: false,
        }
    }

    /// The best variation known, as far as it can be played.
    pub(in crate::session) fn variation(&self) -> impl Iterator<Item = Move> {
        let mut position = self.root;
        let pv = self.best.as_ref().map_or(&[][..], |info| &info.pv);
        pv.iter().copied().map_while(move |mv| {
            position.is_legal(mv).then(|| {
                position.play(mv);
                mv
            })
        })
    }

    /// The opponent's move that the search expects, and that is not on the board.
    pub(in crate::session) fn expected(&self) -> Option<Move> {
        match self.purpose {
            Purpose::Ponder(expected) => Some(expected),
            _ => None,
        }
    }

    /// The score of the position, as far as it is known.
    pub(in crate::session) fn score(&self) -> Option<Score> {
        self.done.map(|done| done.score).or(self.best.as_ref().map(|info| info.score))
    }

    /// Nodes searched, as far as it has said.
    pub(in crate::session) fn nodes(&self) -> u64 {
        let known = [
            self.best.as_ref().map(|info| info.nodes),
            self.progress.map(|progress| progress.nodes),
            self.done.map(|done| done.nodes),
        ];
        known.into_iter().flatten().max().unwrap_or(0)
    }

    /// How long it has taken, as far as it has said.
    pub(in crate::session) fn elapsed(&self) -> Duration {
        let known = [
            self.best.as_ref().map(|info| info.elapsed),
            self.progress.map(|progress| progress.elapsed),
            self.done.map(|done| done.elapsed),
        ];
        known.into_iter().flatten().max().unwrap_or(Duration::ZERO)
    }

    /// It did nothing for `pause`, and its clock stood still.
    pub(super) fn postpone(&mut self, pause: Duration) {
        let later = |at: Instant| at.checked_add(pause).unwrap_or(at);
        self.began = later(self.began);
        self.since = later(self.since);
        self.deadline = self.deadline.map(later);
        self.budget.since = self.since;
    }
}
