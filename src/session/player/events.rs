//! What an event means for the player, and what is left for the session to do about it.

use super::{Effect, Player, Purpose, Search};
use crate::chess::Game;
use crate::pool::{SearchBudget, SearchEvent, SearchId, SearchOrder, Shortage};
use crate::search::{Done, Info, Report};
use crate::session::step::Step;
use std::time::Duration;

/// How long after a refusal an analysis is asked for again.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Why there is no search where one was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Unavailable {
    /// It was not begun.
    Room(Shortage),
    /// A defect of the engine has ended it. It would do so again.
    Defect,
}

/// What an event of a search is.
#[derive(Debug)]
pub(in crate::session) enum SearchUpdate {
    /// It is of a search that is no longer wanted.
    Stale,
    /// The current search goes on, or has ended in a pause.
    Progress,
    /// A new variation of the current search, to be shown and then [kept](Player::keep).
    Variation(Info),
    /// The current search has ended.
    Done(Done),
    /// The current search was not begun, or has failed: see [`Player::without_search`].
    Unavailable(Unavailable),
}

/// What the timer was set for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Due {
    /// Nothing that the session has to do.
    Nothing,
    /// An analysis of the position on the board.
    Analysis,
    /// Our move.
    Move,
}

/// What takes the place of a search that is not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Fallback {
    /// Nothing: the search stays away, or is asked for again when it can be.
    Nothing,
    /// The best move known.
    Move,
}

impl Player {
    /// An event of a search: stale unless it is of the current one.
    pub(in crate::session) fn hear<M>(
        &mut self,
        id: SearchId,
        event: SearchEvent,
        step: &mut Step<'_, M>,
    ) -> SearchUpdate {
        let Some(search) = self.search.as_mut().filter(|search| search.id == id && search.done.is_none())
        else {
            return SearchUpdate::Stale;
        };
        match event {
            SearchEvent::Refused(shortage) => return SearchUpdate::Unavailable(Unavailable::Room(shortage)),
            SearchEvent::Failed => return SearchUpdate::Unavailable(Unavailable::Defect),
            SearchEvent::Report(Report::Known(mv)) => search.known = Some(mv),
            SearchEvent::Report(Report::Progress(progress)) => search.progress = Some(progress),
            SearchEvent::Report(Report::Info(info)) => return SearchUpdate::Variation(info),
            SearchEvent::Done(done) => {
                search.done = Some(done);
                // What ended before it could be held waits for the end of the pause.
                match &mut self.paused {
                    None => return SearchUpdate::Done(done),
                    Some(paused) => {
                        paused.until = None;
                        self.set_timer(None, step);
                    }
                }
            }
        }
        SearchUpdate::Progress
    }

    /// Keeps a variation that was heard, if it is the best line. Whether a hint waits for it.
    pub(in crate::session) fn keep(&mut self, info: Info) -> bool {
        let Some(search) = self.search.as_mut().filter(|_| info.line <= 1) else { return false };
        search.best = Some(info);
        std::mem::take(&mut search.hint_wanted)
    }

    /// The instant of the timer has come, or nearly.
    pub(in crate::session) fn timer<M>(&mut self, step: &mut Step<'_, M>) -> Due {
        let Some(deadline) = self.timer else { return Due::Nothing };
        if step.now < deadline {
            step.effect(Effect::Timer(Some(deadline)));
        } else if self.paused.is_some() {
            self.let_go(step);
        } else if self.debounce.due.is_some() {
            return Due::Analysis;
        } else {
            return Due::Move;
        }
        Due::Nothing
    }

    /// There is no search for `purpose`, the current one. A move is still made, since its clock runs; an analysis that was
    /// refused is asked for again and again; pondering waits for the next move.
    pub(in crate::session) fn without_search<M>(
        &mut self,
        why: Unavailable,
        step: &mut Step<'_, M>,
    ) -> Fallback {
        let Some(search) = &mut self.search else { return Fallback::Nothing };
        search.gone = true;
        let (purpose, since) = (search.purpose, search.since);
        if let Some(paused) = &mut self.paused {
            paused.until = None;
            if purpose == Purpose::Move {
                // At the end of the pause it may be admitted.
                paused.owed = Some(paused.since.saturating_duration_since(since));
            }
        } else if purpose == Purpose::Move {
            return Fallback::Move;
        }
        let again = purpose == Purpose::Analysis && why != Unavailable::Defect && self.paused.is_none();
        self.halt(step);
        if again {
            self.analyse_in(RETRY_AFTER, step);
        }
        Fallback::Nothing
    }

    /// The limits or our clock are others now: so they are for the move that is being thought about. True if it is to be
    /// made at once.
    pub(in crate::session) fn reconsider<M>(&mut self, ply: usize, step: &mut Step<'_, M>) -> bool {
        // A move that is kept back after an agreed draw is thought about no more.
        let running = |search: &Search| {
            search.purpose == Purpose::Move && search.done.is_none() && !search.gone && !search.agreed
        };
        let Some(since) = self.search.as_ref().filter(|search| running(search)).map(|search| search.since)
        else {
            return false;
        };
        let (limits, budget) = self.limits.of_move(since, ply, self.engine.options.move_overhead);
        let budget = SearchBudget { limits: Some(limits), ..budget };
        let Some(search) = &mut self.search else { return false };
        if search.limits == limits
            && search.budget == (SearchBudget { limits: search.budget.limits, ..budget })
        {
            return false;
        }
        (search.limits, search.budget, search.deadline) = (limits, budget, budget.deadline());
        // A search that is held hears of it when it goes on.
        if self.paused.is_some() {
            return false;
        }
        if search.deadline.is_some_and(|deadline| deadline <= step.now) {
            return true;
        }
        step.effect(Effect::Search(search.id, SearchOrder::Retime(budget)));
        self.await_deadline(step);
        false
    }

    /// The opponent played what we expected, and it is on the board: the search goes on as our own. True if it has ended
    /// already, and its move is to be made.
    pub(in crate::session) fn ponder_hit<M>(&mut self, game: &Game, step: &mut Step<'_, M>) -> bool {
        let overhead = self.engine.options.move_overhead;
        let (limits, budget) = self.limits.of_move(step.now, game.moves().len(), overhead);
        let Some(search) = &mut self.search else { return false };
        let budget = SearchBudget { limits: (search.limits != limits).then_some(limits), ..budget };
        search.limits = limits;
        search.purpose = Purpose::Move;
        search.since = step.now;
        search.budget = budget;
        if search.done.is_some() {
            return true;
        }
        search.deadline = budget.deadline();
        step.effect(Effect::Search(search.id, SearchOrder::Retime(budget)));
        self.await_deadline(step);
        false
    }
}
