//! What the session does about its search: asking for one, hearing it, ending it.

use super::{Mode, Session, Step};
use crate::chess::Game;
use crate::pool::{SearchBudget, SearchEvent, SearchId};
use crate::protocol::xboard::Reply;
use crate::search::{Done, Info, Limits};
use crate::session::player::{Due, NewSearch, Purpose, SearchUpdate};
use std::time::Instant;

impl Session {
    /// Our move is due since then.
    pub(super) fn think(&mut self, since: Instant, step: &mut Step<'_>) {
        if !self.play_from_book(since, step) {
            self.search_for_move(since, step);
        }
    }

    /// Our move is due since then, and the book has none.
    pub(super) fn search_for_move(&mut self, since: Instant, step: &mut Step<'_>) {
        let overhead = self.player.engine.options.move_overhead;
        let (limits, budget) = self.player.limits.for_move(since, self.game.moves().len(), overhead);
        self.search_board(Purpose::Move, limits, budget, step);
    }

    /// Starts a search of the position on the board, in place of any other. Excluded moves are not considered, unless no
    /// other is left.
    pub(super) fn search_board(
        &mut self,
        purpose: Purpose,
        limits: Limits,
        budget: SearchBudget,
        step: &mut Step<'_>,
    ) {
        let excluded = if self.excludes_all() { &[][..] } else { &self.excluded };
        let random = self.client.random;
        self.player.start(NewSearch { purpose, game: &self.game, limits, budget, excluded, random }, step);
    }

    /// Starts a search of a position that is not on the board, in place of any other.
    pub(super) fn search_ahead(
        &mut self,
        purpose: Purpose,
        game: &Game,
        limits: Limits,
        budget: SearchBudget,
        step: &mut Step<'_>,
    ) {
        let random = self.client.random;
        self.player.start(NewSearch { purpose, game, limits, budget, excluded: &[], random }, step);
    }

    /// Stops whatever search runs; if it was for our move, our clock stops too.
    pub(super) fn stop(&mut self, step: &mut Step<'_>) {
        self.pondering.pondered = None;
        self.player.stop(step);
    }

    /// Our clock or the limits are others now: so they are for the move that is being thought about.
    pub(super) fn reconsider(&mut self, step: &mut Step<'_>) {
        if self.player.retime(self.game.moves().len(), step) {
            self.make_move(step);
        }
    }

    /// An event of a search.
    pub(super) fn search_event(&mut self, id: SearchId, event: SearchEvent, step: &mut Step<'_>) {
        match self.player.search_event(id, event, step) {
            SearchUpdate::Stale => {}
            SearchUpdate::Unavailable(why) => self.do_without_search(why, step),
            heard => {
                self.client.told_busy = false;
                match heard {
                    SearchUpdate::Variation(info) => self.variation(info, step),
                    SearchUpdate::Done(done) => self.search_done(done, step),
                    _ => {}
                }
            }
        }
    }

    /// A new variation of the current search.
    fn variation(&mut self, info: Info, step: &mut Step<'_>) {
        // The user has read it: GUIs order lines by their scores.
        if let Some(line) = self.show(&info).filter(|_| !info.again) {
            step.reply(Reply::Thinking(line));
            self.show_failure(info.bound, step);
        }
        if self.player.keep_variation(info) {
            self.hint(step);
        }
    }

    /// The current search has ended.
    pub(super) fn search_done(&mut self, done: Done, step: &mut Step<'_>) {
        let Some(purpose) = self.player.purpose() else { return };
        match purpose {
            Purpose::Move => self.make_move(step),
            Purpose::Hint => self.give_hint(done.best, step),
            Purpose::Expectation => {
                self.player.halt(step);
                self.pondering.expected = done.best;
                // One that found nothing would find nothing again.
                self.pondering.allowed &= done.best.is_some();
                self.begin_pondering(step);
            }
            // What they found is kept until it is wanted.
            Purpose::Ponder(_) | Purpose::Ordered | Purpose::Analysis => {}
        }
    }

    /// The timer has come.
    pub(super) fn timer(&mut self, step: &mut Step<'_>) {
        match self.player.timer(step) {
            Due::Nothing => {}
            Due::Analysis => self.come_to_rest(step),
            Due::Move => self.make_move(step),
        }
    }

    /// Begins an analysis that waits until the position stays: it has stayed, or somebody asks what is found.
    pub(super) fn come_to_rest(&mut self, step: &mut Step<'_>) {
        if self.player.analysis_pending() {
            self.search_on_board(step);
        }
    }

    /// Whether the state of the session allows the search that runs.
    pub(super) fn search_fits(&self) -> bool {
        let turn = self.game.position().turn();
        match self.player.purpose() {
            Some(Purpose::Move | Purpose::Ordered) => self.mode == Mode::Play(turn),
            Some(Purpose::Ponder(_) | Purpose::Expectation) => self.mode == Mode::Play(!turn),
            Some(Purpose::Analysis) => self.mode == Mode::Analyze,
            Some(Purpose::Hint) => true,
            None => self.mode == Mode::Analyze || !self.player.has_timer(),
        }
    }
}
