//! The timer and search of a restored session.

use super::{Effect, NewSearch, Player, Purpose, Search};
use crate::pool::{SearchBudget, SearchOrder};
use crate::search::Done;
use crate::session::effect::Step;
use std::sync::Arc;

impl Search {
    /// Returns true if a line of this depth is worth less than what was known before the restart.
    pub(super) fn is_behind(&mut self, depth: u8) -> bool {
        if self.findings.known_depth.is_some_and(|known| depth < known) {
            return true;
        }
        self.findings.known_depth = None;
        false
    }

    /// The result of a search that has ended: what was known before the restart, if that depth was
    /// not reached.
    pub(super) fn settled(&mut self, done: Done) -> Done {
        if !self.is_behind(done.depth) {
            return done;
        }
        match self.findings.best.as_ref().zip(self.found()) {
            Some((info, (mv, ponder))) => {
                Done { best: Some(mv), ponder, score: info.score, depth: info.depth, ..done }
            }
            None => done,
        }
    }
}

impl Player {
    /// Sets the timer of a restored session. Returns the purpose of the search that ran, which the
    /// session either [restarts](Player::restart) or does without. A move that is held back is not
    /// searched again.
    pub(in crate::session) fn wake<M>(&mut self, step: &mut Step<'_, M>) -> Option<Purpose> {
        if self.timer.is_some() {
            step.effect(Effect::Timer(self.timer));
        }
        let search = self.search.as_mut().filter(|search| search.findings.done.is_none())?;
        let ran = !search.refused_or_failed && search.held.is_none();
        search.refused_or_failed = !ran;
        ran.then_some(search.purpose)
    }

    /// Restarts the current search with its number and its budget, whose clock has been running.
    /// Its findings hold until the same depth is reached. `ask` has the terms of the search.
    pub(in crate::session) fn restart<M>(
        &mut self,
        ask: &NewSearch,
        warm: Option<Arc<[u8]>>,
        step: &mut Step<'_, M>,
    ) {
        let mut task = self.task(ask);
        let Some(search) = &mut self.search else { return };
        search.findings.known_depth = search.findings.best.as_ref().map(|best| best.depth);
        // A search limited by nodes is to find the same again.
        if let Some(request) = task.search_mut() {
            request.resumption.from_table = ask.limits.nodes.is_none();
            request.resumption.warm = warm;
            request.first_moves.lines = u8::try_from(search.findings.variations.count()).unwrap_or(u8::MAX);
        }
        let id = search.id;
        let pause = self.paused.as_ref().map(|paused| step.now.saturating_duration_since(paused.since));
        let since = pause.and_then(|pause| ask.budget.since.checked_add(pause)).unwrap_or(ask.budget.since);
        let budget = SearchBudget { since, ..ask.budget };
        step.effect(Effect::Search(id, SearchOrder::Start(Box::new(task), budget)));
        if pause.is_some() {
            step.effect(Effect::Search(id, SearchOrder::Hold));
        }
    }

    /// Marks the current search as not running.
    pub(in crate::session) fn abandon_search(&mut self) {
        if let Some(search) = &mut self.search {
            search.refused_or_failed = true;
        }
    }
}
