//! Requests to the engine.

use super::{Player, Purpose};
use crate::chess::Move;
use crate::kriegspiel::Question;
use crate::pool::{Class, SearchBudget, Task, Timebase};
use crate::search::{Limits, PartnerNeeds, Played, Request, RootPosition};
use std::time::Instant;

/// A search to start.
pub(in crate::session) struct NewSearch {
    pub(in crate::session) purpose: Purpose,
    /// The position to search.
    pub(in crate::session) root: RootPosition,
    /// Keys of earlier positions that may be repeated.
    pub(in crate::session) history: Vec<u64>,
    /// The game up to that position, for a hosted engine.
    pub(in crate::session) played: Option<Played>,
    pub(in crate::session) limits: Limits,
    pub(in crate::session) budget: SearchBudget,
    /// Root moves to leave out, for a search of the position on the board.
    pub(in crate::session) excluded: Vec<Move>,
    /// In kriegspiel, the question to the engine in place of the position.
    pub(in crate::session) question: Option<Question>,
    /// Whether evaluations vary by the option `Randomness`.
    pub(in crate::session) random: bool,
    /// The requests of a partner.
    pub(in crate::session) partner: PartnerNeeds,
}

impl NewSearch {
    /// A search of a position without a past.
    pub(in crate::session) fn of(
        purpose: Purpose,
        root: RootPosition,
        limits: Limits,
        budget: SearchBudget,
    ) -> NewSearch {
        NewSearch {
            purpose,
            root,
            history: Vec::new(),
            played: None,
            limits,
            budget,
            excluded: Vec::new(),
            question: None,
            random: false,
            partner: PartnerNeeds::default(),
        }
    }
}

impl Player {
    /// Returns the task for a search. Strength, contempt and randomness apply to the engine's
    /// own play only: an analysis is objective.
    pub(super) fn task(&self, ask: &NewSearch) -> Task {
        let purpose = ask.purpose;
        if let Some(question) = &ask.question {
            let question = Box::new(question.clone());
            return Task::Kriegspiel { question, limits: ask.limits, seed: self.seeds.game() };
        }
        if let (Purpose::Perft(depth), RootPosition::Chess(position)) = (purpose, ask.root) {
            return Task::Perft { position, depth };
        }
        let engine = self.engine.profile().engine.clone();
        let ours = matches!(purpose, Purpose::Move | Purpose::Ponder(_) | Purpose::PonderOnBoard);
        let shown = ours || purpose == Purpose::Analysis;
        let ahead = matches!(purpose, Purpose::Ponder(_) | Purpose::Expectation);
        let options = &self.engine.options;
        let strength = options.strength().filter(|_| ours);
        // Helper threads would add nodes where nodes are limited or count as time.
        let alone = strength.is_some() || self.limits.nps.is_some() || !shown || engine.is_some();
        let request = Request {
            history: ask.history.clone(),
            limits: ask.limits,
            lines: if shown { options.lines } else { 1 },
            excluded: if ahead { Vec::new() } else { ask.excluded.clone() },
            salt: self.seeds.salt(),
            contempt: if ours { options.contempt } else { 0 },
            noise: if ours && ask.random { options.randomness } else { 0 },
            strength,
            seed: self.seeds.game(),
            known: self.known.clone(),
            memory: self.memory,
            game: ours || purpose == Purpose::Expectation,
            helpers: if alone { 0 } else { self.cores - 1 },
            partner: if ours { ask.partner } else { PartnerNeeds::default() },
            saving_drops: ours && ask.root.chess().is_some_and(|position| position.variant().has_partner()),
            endgames: if ask.root.chess().is_none() { self.engine.profile().endgames.get() } else { None },
            resume: resumes(purpose, ask.limits, &ask.budget),
            played: ask.played.clone().filter(|_| engine.is_some()),
            ..Request::of(ask.root)
        };
        match engine {
            Some(engine) => Task::External(engine, request),
            None => Task::Search(request),
        }
    }
}

/// The budget of a search without a clock that starts now.
pub(in crate::session) fn untimed_budget(class: Class, now: Instant) -> SearchBudget {
    SearchBudget { class, since: now, allotment: None, timebase: Timebase::Wall, limits: None }
}

/// Returns true if a search continues from the depth that an earlier search of the position
/// reached: not if it has time or nodes to save.
fn resumes(purpose: Purpose, limits: Limits, budget: &SearchBudget) -> bool {
    match purpose {
        Purpose::Analysis | Purpose::Hint => true,
        Purpose::Move => budget.allotment.is_none() && limits.nodes.is_none(),
        Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Expectation | Purpose::Perft(_) => false,
    }
}
