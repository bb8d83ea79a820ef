//! Requests to the engine.

use super::{Player, Purpose};
use crate::chess::Move;
use crate::kriegspiel::Question;
use crate::pool::{Class, SearchBudget, Task, Timebase};
use crate::search::{
    FirstMoves, Knowledge, Limits, PartnerNeeds, Past, Request, Resumption, RootPosition, Style, TableUse,
    ThreadRole,
};
use std::time::Instant;

/// Nodes from which a search has helper threads. Fewer take a moment, and are searched exactly.
const WORTH_HELPERS: u64 = 100_000;

/// A search to start.
pub(in crate::session) struct NewSearch {
    pub(in crate::session) purpose: Purpose,
    /// The position to search.
    pub(in crate::session) root: RootPosition,
    /// The game before it.
    pub(in crate::session) past: Past,
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
            past: Past::default(),
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
        let own = matches!(purpose, Purpose::Move | Purpose::Ponder(_) | Purpose::PonderOnBoard);
        let shown = own || purpose == Purpose::Analysis;
        let ahead = matches!(purpose, Purpose::Ponder(_) | Purpose::Expectation);
        let options = &self.engine.options;
        let style = if own { self.style(ask) } else { Style::default() };
        // Helper threads would add nodes where they are a level's, count as time, or are few.
        let few = ask.limits.nodes.is_some_and(|nodes| nodes < WORTH_HELPERS);
        let alone =
            style.strength.is_some() || self.limits.nps.is_some() || few || !shown || engine.is_some();
        let (history, played) = (ask.past.history.clone(), engine.as_ref().and(ask.past.played.clone()));
        let request = Request {
            past: Past { history, played },
            limits: ask.limits,
            first_moves: FirstMoves {
                lines: if shown { options.lines } else { 1 },
                excluded: if ahead { Vec::new() } else { ask.excluded.clone() },
            },
            game: own || purpose == Purpose::Expectation,
            style,
            knowledge: self.knowledge(ask.root),
            table: TableUse { salt: self.seeds.salt(), memory: self.memory },
            resumption: Resumption {
                from_table: resumes(purpose, ask.limits, &ask.budget),
                ..Resumption::default()
            },
            thread: ThreadRole::Main { helpers: if alone { 0 } else { self.cores - 1 } },
            ..Request::of(ask.root)
        };
        match engine {
            Some(engine) => Task::External(engine, request),
            None => Task::Search(request),
        }
    }

    /// The style of the engine's own play.
    fn style(&self, ask: &NewSearch) -> Style {
        let options = &self.engine.options;
        let has_partner = ask.root.chess().is_some_and(|position| position.variant().has_partner());
        Style {
            strength: options.strength(),
            contempt: options.contempt,
            noise: if ask.random { options.randomness } else { 0 },
            seed: self.seeds.game(),
            partner: has_partner.then_some(ask.partner),
        }
    }

    fn knowledge(&self, root: RootPosition) -> Knowledge {
        let endgames = match root {
            RootPosition::Chess(_) => None,
            RootPosition::Draughts(_) => self.engine.profile().endgames.get(),
        };
        Knowledge { scores: self.known.clone(), endgames }
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
