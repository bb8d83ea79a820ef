//! Searches: their events and end, the timer, searches that are refused or fail.

use super::{Session, Step, Task, note};
use crate::chess::Move;
use crate::pool::{SearchBudget, SearchEvent, SearchId};
use crate::protocol::web::{self, Reply, chess_move};
use crate::search::{Info, Limits, Notice};
use crate::session::closing::Closing;
use crate::session::player::{
    BEST_KNOWN_MOVE, Due, NewSearch, Purpose, QUICK_MOVE, SearchUpdate, Unavailable,
};
use crate::session::{Effect, KeptGame};
use std::time::Instant;

impl Session {
    /// Describes a search of the position on the board, or of the one under review.
    pub(super) fn search_of(&self, purpose: Purpose, limits: Limits, budget: SearchBudget) -> NewSearch {
        let reviewed = match self.task {
            Task::Review(review) if purpose == Purpose::Analysis => Some(self.game.after(review.ply)),
            Task::None | Task::Analysis | Task::Review(_) => None,
        };
        let game = reviewed.as_ref().unwrap_or(&self.game);
        NewSearch { past: game.past(), ..NewSearch::of(purpose, game.root(), limits, budget) }
    }

    /// Returns the book's move, if any. There is no book of checkers.
    pub(super) fn book_move(&self) -> Option<Move> {
        let KeptGame::Chess(game) = &self.game else { return None };
        let seed = self.player.seed_at(self.game.plies());
        self.player.engine.book()?.choose(game.position(), seed)
    }

    /// Returns the book's moves for the client.
    pub(super) fn book_shown(&self) -> Vec<web::BookMove> {
        let (KeptGame::Chess(game), Some(book)) = (&self.game, self.player.engine.book()) else {
            return Vec::new();
        };
        let shown = |(mv, percent)| {
            let web::Move { uci, san } = chess_move(game.position(), mv);
            web::BookMove { uci, san, percent }
        };
        book.frequencies(game.position()).into_iter().map(shown).collect()
    }

    /// Handles an event of a search.
    pub(super) fn search_event(&mut self, id: SearchId, event: SearchEvent, step: &mut Step<'_>) {
        match self.player.search_event(id, event, step) {
            SearchUpdate::Stale | SearchUpdate::Progress | SearchUpdate::Leaves(..) => {}
            SearchUpdate::Notice(Notice(text)) => note(text, step),
            SearchUpdate::Variation(info) => self.variation(info, step),
            SearchUpdate::Done(_) => self.search_ended(step),
            SearchUpdate::Unavailable(why) => self.do_without_search(why, step),
        }
    }

    fn variation(&mut self, info: Info, step: &mut Step<'_>) {
        self.show_lines(&info, step);
        if self.player.keep_variation(info) {
            self.hint(step);
        }
    }

    /// Handles the end of the current search, by itself or by its deadline.
    fn search_ended(&mut self, step: &mut Step<'_>) {
        match self.player.purpose() {
            Some(Purpose::Move) => self.make_move(step),
            Some(Purpose::Hint) => self.give_hint(step),
            Some(Purpose::Analysis) => self.position_reviewed(step),
            // This protocol has no such searches.
            Some(Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Expectation | Purpose::Perft(_))
            | None => {}
        }
    }

    /// Handles the timer: the player's, or the person's flag.
    pub(super) fn timer(&mut self, step: &mut Step<'_>) {
        self.timer = None;
        if self.flag_due().is_some_and(|at| at <= step.now) && self.call_flag(step) {
            return;
        }
        match self.player.timer(step) {
            Due::Nothing => {}
            Due::Analysis => self.start_task_search(step),
            Due::Move => self.search_ended(step),
        }
    }

    /// When the person's flag is to be called. The engine's falls when it moves.
    fn flag_due(&self) -> Option<Instant> {
        let (side, at) = self.clocks.as_ref()?.flag()?;
        let is_persons = self.person() == Some(side);
        is_persons.then(|| self.flags_from.map_or(at, |from| at.max(from)))
    }

    /// Sets the one timer of the session to what comes first, the player's timer or the person's
    /// flag, in place of the timers that the player has set among the effects since `first`.
    pub(super) fn merge_timers(&mut self, first: usize, effects: &mut Vec<Effect<Reply>>) {
        let mut index = 0;
        effects.retain(|effect| {
            index += 1;
            index <= first || !matches!(effect, Effect::Timer(_))
        });
        let next = self.next_timer();
        // Nothing follows the end of the session.
        if next != self.timer && self.closing != Closing::Closed {
            self.timer = next;
            effects.push(Effect::Timer(next));
        }
    }

    /// The instant for which the timer must be set.
    pub(super) fn next_timer(&self) -> Option<Instant> {
        [self.player.timer_at(), self.flag_due()].into_iter().flatten().min()
    }

    /// Handles a search that was refused or has failed.
    fn do_without_search(&mut self, why: Unavailable, step: &mut Step<'_>) {
        let Some(purpose) = self.player.purpose() else { return };
        note(why.message(consequence(why, purpose)), step);
        if why == Unavailable::Defect && purpose == Purpose::Analysis {
            self.task = Task::None;
        }
        if self.player.without_search(why, step) {
            self.make_move(step);
        }
    }

    /// Returns true if the player's search is one that the session has asked for.
    pub(super) fn fits_search(&self) -> bool {
        match self.player.purpose() {
            Some(Purpose::Move) => self.is_engines_turn(),
            Some(Purpose::Hint) => !self.is_engines_turn(),
            Some(Purpose::Analysis) => self.task != Task::None && !self.is_playing(),
            Some(Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Expectation | Purpose::Perft(_)) => {
                false
            }
            None => self.task != Task::None || !self.player.has_timer(),
        }
    }
}

/// The substitute for the search, as part of a message.
fn consequence(why: Unavailable, purpose: Purpose) -> &'static str {
    match (purpose, why) {
        (Purpose::Move, Unavailable::NoRoom(_)) => QUICK_MOVE,
        (Purpose::Move, Unavailable::Defect) => BEST_KNOWN_MOVE,
        (Purpose::Hint, Unavailable::NoRoom(_)) => "please ask again later",
        (Purpose::Hint, Unavailable::Defect) => "there is no hint",
        (_, Unavailable::NoRoom(_)) => "the analysis will go on as soon as possible",
        (_, Unavailable::Defect) => "this position is not analysed further",
    }
}
