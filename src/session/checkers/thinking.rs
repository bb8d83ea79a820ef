//! `GO`, `STOP`, search events and the answer.

use super::progress::Pacer;
use super::{Closing, Session, Step, alert};
use crate::draughts::{Ending, Move};
use crate::pool::{Class, SearchBudget, SearchEvent, SearchId};
use crate::protocol::checkers::{GAME_OVER, Go, Info, NO_MOVE_FOUND, Progress, Reply};
use crate::search::{self, Allotment, GameRecord, Limits, draughts_move};
use crate::session::player::{
    BEST_KNOWN_MOVE, Due, NewSearch, Purpose, QUICK_MOVE, Search, SearchUpdate, Unavailable, untimed_budget,
};
use std::time::{Duration, Instant};

/// The highest depth limit, in plies; higher ones are cut to it.
const MAX_DEPTH: u8 = 100;

/// A search in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thinking {
    /// Whether the best move is only sent, not played.
    pub(super) dont_play_move: bool,
    pub(super) pacer: Pacer,
}

impl Session {
    /// `GO`, while nothing is searched.
    pub(super) fn go(&mut self, go: Go, step: &mut Step<'_>) {
        let game = self.board.game();
        // Drawn games are over in the late dialect only.
        match game.ending() {
            Some(_) if self.is_late() => return step.reply(Reply::NoMove),
            Some((_, Ending::NoMoves)) => return alert(GAME_OVER, step),
            Some(_) | None => {}
        }
        let moves = game.position().legal_moves();
        if let [only] = moves[..]
            && !go.dont_play_move
            && !self.settings.infinite
        {
            return self.answer(only, go.dont_play_move, None, step);
        }
        let (limits, budget) = self.terms(go, step.now);
        if self.player.engine.options.randomness != self.settings.randomness {
            self.player.engine.options_mut().randomness = self.settings.randomness;
        }
        let ask = self.search_of(Purpose::Move, limits, budget);
        self.player.start(ask, step);
        self.thinking = Some(Thinking { dont_play_move: go.dont_play_move, pacer: Pacer::new(step.now) });
        if self.closing == Closing::Owing {
            self.hurry(step);
        }
    }

    /// Describes a search of the position on the board.
    pub(super) fn search_of(&self, purpose: Purpose, limits: Limits, budget: SearchBudget) -> NewSearch {
        let game = self.board.game();
        let random = self.settings.randomness > 0;
        let search = NewSearch::of(purpose, game.root(), limits, budget);
        NewSearch { past: game.past(), random, ..search }
    }

    /// The limits and budget of a search. Limits of a `GO` replace the parameters.
    fn terms(&self, go: Go, now: Instant) -> (Limits, SearchBudget) {
        let has_own = go.max_depth.is_some() || go.max_time.is_some();
        let (depth, time) = if has_own {
            (go.max_depth.map(|depth| depth.min(MAX_DEPTH)), go.max_time)
        } else {
            let time = (!self.settings.infinite).then_some(self.settings.think_time);
            (self.settings.depth, time)
        };
        let limits = Limits { depth, ..Limits::default() };
        let budget = untimed_budget(Class::Reply, now);
        let Some(time) = time else { return (limits, budget) };
        let allotment = Some(Allotment::exact(time.max(Duration::from_millis(1))));
        (limits, SearchBudget { class: Class::Clock, allotment, ..budget })
    }

    /// Bounds the time of a move that is due after the end of input.
    pub(super) fn hurry(&mut self, step: &mut Step<'_>) {
        let Some(search) = self.player.search() else { return };
        if search.deadline.is_none() && search.limits.depth.is_none() {
            self.player.end_search_within(Some(Duration::ZERO), step);
        } else {
            self.player.hurry_after_eof(step);
        }
    }

    /// `STOP`: sends the best move now. Does nothing without a search.
    pub(super) fn stop_thinking(&mut self, step: &mut Step<'_>) {
        let Some(mut thinking) = self.thinking.take() else { return };
        let Some(search) = self.player.halt(step) else { return };
        let endgames = self.player.engine.profile().endgames.get();
        let Some(best) = search.choose(&[], true, endgames.as_deref()) else {
            return alert(NO_MOVE_FOUND, step);
        };
        if self.settings.show_info && thinking.pacer.is_due_at_end(step.now) {
            self.show(&search, &mut thinking.pacer, step);
        }
        let mv = draughts_move(best.mv);
        self.answer(mv, thinking.dont_play_move, Some(&search), step);
    }

    pub(super) fn answer(
        &mut self,
        mv: Move,
        dont_play_move: bool,
        search: Option<&Search>,
        step: &mut Step<'_>,
    ) {
        self.note_move(step);
        self.player.moved(search, step);
        step.reply(Reply::Bestmove(self.board.text(mv)));
        if !dont_play_move {
            self.board.play(mv);
            if self.board.game().position().outcome().is_some() {
                self.archive_game(step);
            }
        }
    }

    /// Handles an event of a search.
    pub(super) fn search_event(&mut self, id: SearchId, event: SearchEvent, step: &mut Step<'_>) {
        match self.player.search_event(id, event, step) {
            // Hosted engines do not play draughts.
            SearchUpdate::Stale
            | SearchUpdate::Progress
            | SearchUpdate::Leaves(..)
            | SearchUpdate::Notice(_) => {}
            SearchUpdate::Variation(info) => self.variation(info, step),
            SearchUpdate::Done(_) => self.stop_thinking(step),
            SearchUpdate::Unavailable(why) => {
                let consequence = match why {
                    Unavailable::NoRoom(_) => QUICK_MOVE,
                    Unavailable::Defect => BEST_KNOWN_MOVE,
                };
                alert(why.message(consequence), step);
                self.player.without_search(why, step);
                self.stop_thinking(step);
            }
        }
    }

    /// Handles the timer.
    pub(super) fn timer(&mut self, step: &mut Step<'_>) {
        if self.player.timer(step) == Due::Move {
            self.stop_thinking(step);
        }
    }

    /// Handles a new variation of the current search.
    fn variation(&mut self, info: search::Info, step: &mut Step<'_>) {
        self.player.keep_variation(info);
        let (Some(mut thinking), Some(search)) = (self.thinking, self.player.search()) else { return };
        if self.settings.show_info && thinking.pacer.is_due(step.now) {
            self.show(search, &mut thinking.pacer, step);
            self.thinking = Some(thinking);
        }
    }

    /// Sends the findings of a search, if any.
    fn show(&self, search: &Search, pacer: &mut Pacer, step: &mut Step<'_>) {
        let Some(score) = search.score() else { return };
        let depth = search
            .findings
            .best
            .as_ref()
            .map(|best| best.depth)
            .or(search.findings.done.map(|done| done.depth));
        let (nodes, time) = pacer.sent(step.now, search.nodes(), search.elapsed());
        let progress = self.is_late().then(|| Progress {
            depth: depth.unwrap_or(1),
            variation: search.variation().map(|mv| self.board.text(draughts_move(mv))).collect(),
        });
        step.reply(Reply::Info(Info { nodes, eval: score.0, time, progress }));
    }
}
