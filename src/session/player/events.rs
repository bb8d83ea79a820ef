//! The meaning of search events, and what the session has to do.

use super::{Effect, Player, Purpose, Search};
use crate::chess::Move;
use crate::pool::{SearchBudget, SearchEvent, SearchId, SearchOrder, Shortage};
use crate::search::{Done, Info, Limits, Notice, Report};
use crate::session::effect::Step;
use std::time::Duration;

/// An analysis that was refused is requested again after this time.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// The most notices that a session remembers; engines have few.
pub(super) const MAX_TOLD: usize = 32;

/// The reason that a search does not run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Unavailable {
    /// The server lacks the resources.
    NoRoom(Shortage),
    /// A defect of the engine has ended it, and would end it again.
    Defect,
}

/// A move without a search, as part of a message.
pub(in crate::session) const QUICK_MOVE: &str = "playing a quick move without searching";
/// A move after a search that has failed, as part of a message.
pub(in crate::session) const BEST_KNOWN_MOVE: &str = "playing the best move known";

impl Unavailable {
    /// The message to the user: the reason, and what happens in place of the search.
    pub(in crate::session) fn message(self, consequence: &str) -> String {
        let reason = match self {
            Unavailable::NoRoom(Shortage::Searches(count)) => {
                format!("this server is busy: {count} searches like this one are running already")
            }
            Unavailable::NoRoom(Shortage::OfUser(1)) => {
                "you have reached your limit of 1 search at a time".to_owned()
            }
            Unavailable::NoRoom(Shortage::OfUser(most)) => {
                format!("you have reached your limit of {most} searches at a time")
            }
            Unavailable::NoRoom(Shortage::Threads) => {
                "this server is busy: the system refused another thread".to_owned()
            }
            Unavailable::Defect => "a defect of the engine has ended the search".to_owned(),
        };
        format!("{reason}; {consequence}")
    }
}

/// The meaning of a search event.
#[derive(Debug)]
pub(in crate::session) enum SearchUpdate {
    /// The event belongs to a search that is no longer wanted.
    Stale,
    /// The current search goes on, or has ended in a pause.
    Progress,
    /// The number of leaves below a first move (perft).
    Leaves(Move, u64),
    /// A message for the user, new to this session.
    Notice(Notice),
    /// A new variation of the current search, to be shown and then [kept](Player::keep_variation).
    Variation(Info),
    /// The current search has ended.
    Done(Done),
    /// The current search was refused, or has failed: see [`Player::without_search`].
    Unavailable(Unavailable),
}

/// The action due when the timer fires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Due {
    /// None for the session.
    Nothing,
    /// An analysis of the position on the board.
    Analysis,
    /// The engine's move.
    Move,
}

impl Player {
    /// Takes a search event; stale unless it belongs to the current search.
    pub(in crate::session) fn search_event<M>(
        &mut self,
        id: SearchId,
        event: SearchEvent,
        step: &mut Step<'_, M>,
    ) -> SearchUpdate {
        let Some(search) =
            self.search.as_mut().filter(|search| search.id == id && search.findings.done.is_none())
        else {
            return SearchUpdate::Stale;
        };
        match event {
            SearchEvent::Refused(shortage) => {
                return SearchUpdate::Unavailable(Unavailable::NoRoom(shortage));
            }
            // For the link only.
            SearchEvent::Warm(_) | SearchEvent::Report(Report::Warm(_)) => return SearchUpdate::Stale,
            SearchEvent::Failed => return SearchUpdate::Unavailable(Unavailable::Defect),
            SearchEvent::Report(Report::Known(mv)) => search.findings.known = Some(mv),
            SearchEvent::Attempts(proposal) => search.findings.proposal = Some(proposal),
            SearchEvent::Report(Report::Progress(progress)) => search.findings.progress = Some(progress),
            SearchEvent::Report(Report::SavingDrops(roles)) => search.findings.saved_by = roles,
            SearchEvent::Leaves(mv, leaves) => return SearchUpdate::Leaves(mv, leaves),
            SearchEvent::Report(Report::Notice(notice)) => {
                return if self.is_news(&notice) {
                    SearchUpdate::Notice(notice)
                } else {
                    SearchUpdate::Progress
                };
            }
            SearchEvent::Report(Report::Info(info)) if search.is_behind(info.depth) => {}
            SearchEvent::Report(Report::Info(info)) => {
                if !std::mem::replace(&mut search.findings.told, true) && search.purpose == Purpose::Analysis
                {
                    self.statistics.first_line(step.now.saturating_duration_since(search.began));
                }
                search.findings.variations.take(&info);
                return SearchUpdate::Variation(info);
            }
            SearchEvent::Done(done) => {
                let done = search.settled(done);
                search.findings.done = Some(done);
                // The search ended before it could be held: its result waits for the end of the
                // pause.
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

    /// Remembers a notice. Returns true if it is new to this session.
    fn is_news(&mut self, notice: &Notice) -> bool {
        let news = self.told.len() < MAX_TOLD && !self.told.contains(notice);
        if news {
            self.told.push(notice.clone());
        }
        news
    }

    /// Keeps a new variation if it is the best line. Returns true if a hint waits for it.
    pub(in crate::session) fn keep_variation(&mut self, info: Info) -> bool {
        let Some(search) = self.search.as_mut().filter(|_| info.line <= 1) else { return false };
        search.findings.best = Some(info);
        std::mem::take(&mut search.hint_wanted)
    }

    /// Handles the timer, which may fire slightly early.
    pub(in crate::session) fn timer<M>(&mut self, step: &mut Step<'_, M>) -> Due {
        let Some(deadline) = self.timer else { return Due::Nothing };
        if step.now < deadline {
            step.effect(Effect::Timer(Some(deadline)));
        } else if self.paused.is_some() {
            self.release_held(step);
        } else if self.debounce.due.is_some() {
            return Due::Analysis;
        } else {
            return Due::Move;
        }
        Due::Nothing
    }

    /// Ends a search that was refused or has failed. A move is made nevertheless, since the
    /// engine's clock runs; a refused analysis is requested again every [`RETRY_AFTER`]; pondering
    /// waits for the next move. Returns true if the best move known must be made.
    pub(in crate::session) fn without_search<M>(&mut self, why: Unavailable, step: &mut Step<'_, M>) -> bool {
        let Some(search) = &mut self.search else { return false };
        search.refused_or_failed = true;
        let (purpose, since) = (search.purpose, search.since);
        if let Some(paused) = &mut self.paused {
            paused.until = None;
            if purpose == Purpose::Move {
                // The search may be accepted after the pause.
                paused.owed = Some(paused.since.saturating_duration_since(since));
            }
        } else if purpose == Purpose::Move {
            return true;
        }
        let again = purpose == Purpose::Analysis && why != Unavailable::Defect && self.paused.is_none();
        self.halt(step);
        if again {
            self.analyse_in(RETRY_AFTER, step);
        }
        false
    }

    /// Applies changed limits or a changed clock to the search for the engine's move. Returns true
    /// if the move must be made at once.
    pub(in crate::session) fn retime<M>(&mut self, ply: usize, step: &mut Step<'_, M>) -> bool {
        // A move held back for an agreed draw or for a piece is not searched.
        let running = |search: &Search| {
            search.purpose == Purpose::Move
                && search.findings.done.is_none()
                && !search.refused_or_failed
                && search.held.is_none()
        };
        let Some(since) = self.search.as_ref().filter(|search| running(search)).map(|search| search.since)
        else {
            return false;
        };
        let (limits, budget) = self.limits.for_move(since, ply, self.engine.options.move_overhead);
        let budget = SearchBudget { limits: Some(limits), ..budget };
        let Some(search) = &mut self.search else { return false };
        if search.limits == limits
            && search.budget == (SearchBudget { limits: search.budget.limits, ..budget })
        {
            return false;
        }
        (search.limits, search.budget, search.deadline) = (limits, budget, budget.deadline());
        // A held search takes its new budget when it resumes.
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

    /// Turns the search after the expected move, the last of `ply` on the board, into the one for
    /// the engine's move. Returns true if it has ended already and its move must be made.
    pub(in crate::session) fn ponder_hit<M>(&mut self, ply: usize, step: &mut Step<'_, M>) -> bool {
        let overhead = self.engine.options.move_overhead;
        let (limits, budget) = self.limits.for_move(self.limits.sent(step.now), ply, overhead);
        self.go_on_as_move(limits, budget, step)
    }

    /// Turns the search into the one for the engine's move, with these limits and this budget.
    pub(in crate::session) fn go_on_as_move<M>(
        &mut self,
        limits: Limits,
        budget: SearchBudget,
        step: &mut Step<'_, M>,
    ) -> bool {
        let Some(search) = &mut self.search else { return false };
        let budget = SearchBudget { limits: (search.limits != limits).then_some(limits), ..budget };
        search.limits = limits;
        search.purpose = Purpose::Move;
        search.since = budget.since;
        search.budget = budget;
        if search.findings.done.is_some() {
            return true;
        }
        search.deadline = budget.deadline();
        step.effect(Effect::Search(search.id, SearchOrder::Retime(budget)));
        self.await_deadline(step);
        false
    }
}
