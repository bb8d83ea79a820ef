//! What is asked of the engine.

use super::{Player, Purpose};
use crate::chess::{Game, Move};
use crate::pool::{Class, SearchBudget, Timebase};
use crate::search::{Limits, Request};
use std::time::Instant;

/// A search that a session wants.
pub(in crate::session) struct NewSearch<'a> {
    pub(in crate::session) purpose: Purpose,
    /// The position to search, with the moves that led to it.
    pub(in crate::session) game: &'a Game,
    pub(in crate::session) limits: Limits,
    pub(in crate::session) budget: SearchBudget,
    /// First moves of the position on the board not to consider.
    pub(in crate::session) excluded: &'a [Move],
    /// Whether evaluations may vary, as the options say.
    pub(in crate::session) random: bool,
}

impl Player {
    /// Only where we play do we play in a manner: an analysis tells what is so.
    pub(super) fn request(&self, ask: &NewSearch<'_>) -> Request {
        let purpose = ask.purpose;
        let ours = matches!(purpose, Purpose::Move | Purpose::Ponder(_) | Purpose::Ordered);
        let shown = ours || purpose == Purpose::Analysis;
        let ahead = matches!(purpose, Purpose::Ponder(_) | Purpose::Expectation);
        let options = &self.engine.options;
        let strength = options.strength().filter(|_| ours);
        // Where nodes count, others must not search for us.
        let alone = strength.is_some() || self.limits.nps.is_some() || !shown;
        Request {
            history: ask.game.history(),
            limits: ask.limits,
            lines: if shown { options.lines } else { 1 },
            excluded: if ahead { Vec::new() } else { ask.excluded.to_vec() },
            salt: self.salt,
            contempt: if ours { options.contempt } else { 0 },
            noise: if ours && ask.random { options.randomness } else { 0 },
            strength,
            seed: self.game_seed,
            known: self.known.clone(),
            memory: self.memory,
            game: ours || purpose == Purpose::Expectation,
            helpers: if alone { 0 } else { self.cores - 1 },
            resume: resumes(purpose, ask.limits, &ask.budget),
            ..Request::of(*ask.game.position())
        }
    }
}

/// The budget of a search without a clock that begins now.
pub(in crate::session) fn unhurried(class: Class, now: Instant) -> SearchBudget {
    SearchBudget { class, since: now, allotment: None, timebase: Timebase::Wall, limits: None }
}

/// Whether a search goes on where an earlier one of the position stood: none that has to spend its time or nodes well.
fn resumes(purpose: Purpose, limits: Limits, budget: &SearchBudget) -> bool {
    match purpose {
        Purpose::Analysis | Purpose::Hint => true,
        Purpose::Move => budget.allotment.is_none() && limits.nodes.is_none(),
        Purpose::Ponder(_) | Purpose::Ordered | Purpose::Expectation => false,
    }
}
