//! The session's searches: their start, events and end; pauses; searches that are refused or fail.

use super::hint::suggest;
use super::{Session, Step};
use crate::pool::{SearchBudget, SearchEvent, SearchId};
use crate::protocol::xboard::Reply;
use crate::search::{Done, GameRecord, Limits, Notice, PartnerNeeds};
use crate::session::player::{
    BEST_KNOWN_MOVE, Due, NewSearch, Purpose, QUICK_MOVE, Resumed, SearchUpdate, Unavailable,
};
use std::borrow::Cow;
use std::time::Instant;

impl Session {
    /// Makes the engine's move, due since `since`: from the book, or by a search.
    pub(super) fn think(&mut self, since: Instant, step: &mut Step<'_>) {
        if !self.play_from_book(since, step) {
            self.search_for_move(since, step);
        }
    }

    /// Searches for the engine's move, due since `since`.
    pub(super) fn search_for_move(&mut self, since: Instant, step: &mut Step<'_>) {
        if self.board.position().waits() {
            return self.sit_without_move(since, step);
        }
        self.set_pace(step.now);
        let overhead = self.player.engine.options.move_overhead;
        let (limits, budget) = self.player.limits.for_move(since, self.board.plies(), overhead);
        self.start_search(Purpose::Move, limits, budget, step);
    }

    /// Starts a search in place of the current one. Leaves out excluded moves, unless that leaves
    /// none.
    pub(super) fn start_search(
        &mut self,
        purpose: Purpose,
        limits: Limits,
        budget: SearchBudget,
        step: &mut Step<'_>,
    ) {
        let ask = self.search_of(purpose, limits, budget);
        self.player.start(ask, step);
    }

    /// Describes a search of the position on the board, or of the one after the expected move.
    pub(super) fn search_of(&self, purpose: Purpose, limits: Limits, budget: SearchBudget) -> NewSearch {
        let mut game = Cow::Borrowed(&self.board.game);
        let mut excluded = Vec::new();
        match purpose {
            Purpose::Ponder(expected) => game.to_mut().play(expected),
            Purpose::Move
            | Purpose::PonderOnBoard
            | Purpose::Expectation
            | Purpose::Analysis
            | Purpose::Hint
            | Purpose::Perft(_) => excluded = self.board.excluded_from_search(),
        }
        let is_asked = purpose == Purpose::Move && self.board.is_hidden();
        let question = is_asked.then(|| self.umpire.question(&self.board));
        let partner = self.context.partner(&self.board);
        let partner = partner.map_or_else(PartnerNeeds::default, |partner| partner.requests.needs());
        let (root, past) = (game.root(), game.past());
        let random = self.context.random;
        NewSearch { purpose, root, past, limits, budget, excluded, question, random, partner }
    }

    /// Stops the current search; if it was for the engine's move, its clock stops too.
    pub(super) fn stop(&mut self, step: &mut Step<'_>) {
        self.pondering.pondered = None;
        self.player.stop(step);
    }

    /// Applies a changed clock or changed limits to the search for the engine's move.
    pub(super) fn retime(&mut self, step: &mut Step<'_>) {
        if self.player.retime(self.board.plies(), step) {
            self.make_move(step);
        }
    }

    /// Handles an event of a search.
    pub(super) fn search_event(&mut self, id: SearchId, event: SearchEvent, step: &mut Step<'_>) {
        let update = self.player.search_event(id, event, step);
        self.gui.dialogue.shortage_reported &=
            matches!(update, SearchUpdate::Stale | SearchUpdate::Unavailable(_));
        match update {
            SearchUpdate::Stale | SearchUpdate::Progress | SearchUpdate::Leaves(..) => {}
            SearchUpdate::Notice(Notice(text)) => step.reply(Reply::Telluser(text.to_string())),
            SearchUpdate::Variation(info) => {
                self.show(&info, step);
                if self.player.keep_variation(info) {
                    self.hint(step);
                }
            }
            SearchUpdate::Done(done) => self.search_done(done, step),
            SearchUpdate::Unavailable(reason) => self.do_without_search(reason, step),
        }
    }

    /// Handles the end of the current search.
    pub(super) fn search_done(&mut self, done: Done, step: &mut Step<'_>) {
        let Some(purpose) = self.player.purpose() else { return };
        match purpose {
            Purpose::Move => self.make_move(step),
            Purpose::Hint => {
                self.player.halt(step);
                suggest(done.best, &self.board, step);
                self.begin_pondering(step);
            }
            Purpose::Expectation => {
                self.player.halt(step);
                self.pondering.expected = done.best;
                // A search that found no move would find none again.
                self.pondering.allowed &= done.best.is_some();
                self.begin_pondering(step);
            }
            // The result is kept until it is needed.
            Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Analysis | Purpose::Perft(_) => {}
        }
    }

    /// Handles the timer.
    pub(super) fn timer(&mut self, step: &mut Step<'_>) {
        match self.player.timer(step) {
            Due::Nothing => {}
            Due::Analysis => self.start_pending_analysis(step),
            Due::Move => self.make_move(step),
        }
    }

    /// Starts an analysis that waits for the position to settle: it has settled, or a command needs
    /// the search now.
    pub(super) fn start_pending_analysis(&mut self, step: &mut Step<'_>) {
        if self.player.analysis_pending() {
            self.search_on_board(step);
        }
    }

    /// `pause`
    pub(super) fn pause(&mut self, step: &mut Step<'_>) {
        if !self.player.is_paused() {
            self.start_pending_analysis(step);
            self.player.pause(step);
        }
    }

    /// `resume`: search and clock go on where they stood.
    pub(super) fn resume(&mut self, step: &mut Step<'_>) {
        match self.player.resume(step) {
            Resumed::Nothing => {}
            Resumed::Idle => {
                self.analyse(step);
                self.begin_pondering(step);
            }
            Resumed::MoveOwed(since) => self.search_for_move(since, step),
            Resumed::Done(done) => self.search_done(done, step),
        }
    }

    /// Handles a search that was refused or has failed. A move is made nevertheless, since the
    /// engine's clock runs. The user gets one message, and none about pondering.
    pub(super) fn do_without_search(&mut self, why: Unavailable, step: &mut Step<'_>) {
        let Some(purpose) = self.player.purpose() else { return };
        match consequence(why, purpose) {
            // In analysis, users browse positions, and each message opens a window.
            Some(consequence) if !std::mem::replace(&mut self.gui.dialogue.shortage_reported, true) => {
                step.reply(Reply::Tellusererror(why.message(consequence)));
            }
            Some(_) => {}
            None => self.pondering.allowed = false,
        }
        if self.player.without_search(why, step) {
            self.make_move(step);
        }
    }
}

/// The substitute for the search, as part of a message; `None` for searches that the user has not
/// requested.
pub(super) fn consequence(why: Unavailable, purpose: Purpose) -> Option<&'static str> {
    match (purpose, why) {
        (Purpose::Move, Unavailable::NoRoom(_)) => Some(QUICK_MOVE),
        (Purpose::Move, Unavailable::Defect) => Some(BEST_KNOWN_MOVE),
        (Purpose::Analysis, Unavailable::NoRoom(_)) => Some("the analysis will start as soon as possible"),
        (Purpose::Analysis, Unavailable::Defect) => Some("this position is not analysed further"),
        (Purpose::Hint, Unavailable::NoRoom(_)) => Some("please ask again later"),
        (Purpose::Hint, Unavailable::Defect) => Some("there is no answer"),
        (Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Expectation | Purpose::Perft(_), _) => None,
    }
}
