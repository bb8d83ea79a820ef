//! `hint`: a good move for the side to move.

use super::record::words;
use super::{Session, Step, Task, send};
use crate::chess::Move;
use crate::pool::Class;
use crate::protocol::web::{Message, Mode};
use crate::search::Limits;
use crate::session::player::{Purpose, untimed_budget};

/// Limits of a search for a hint: some tenths of a second.
const HINT_LIMITS: Limits = Limits { depth: Some(12), nodes: Some(500_000), optimum_nodes: None, mate: None };

impl Session {
    /// `hint`. Answered at once if an analysis has found a move, otherwise after a short search.
    pub(super) fn hint(&mut self, step: &mut Step<'_>) {
        if let Some(why) = self.why_no_hint() {
            return send(Message::error(Some("hint"), why), step);
        }
        if self.player.analysis_pending() {
            self.start_task_search(step);
        }
        match self.player.search_mut() {
            Some(search) if search.purpose == Purpose::Analysis => {
                let best = search.variation().next();
                search.hint_wanted = best.is_none();
                self.suggest(best, step);
            }
            // The answer to an earlier `hint` answers this one, too.
            Some(_) => {}
            None => self.look_for_hint(step),
        }
    }

    /// Answers from the book, or by a short search.
    fn look_for_hint(&mut self, step: &mut Step<'_>) {
        let known = self.book_move();
        if known.is_none() {
            let ask = self.search_of(Purpose::Hint, HINT_LIMITS, untimed_budget(Class::Reply, step.now));
            self.player.start(ask, step);
        }
        self.suggest(known, step);
    }

    fn why_no_hint(&self) -> Option<&'static str> {
        if self.mode == Mode::Idle {
            Some("there is no game")
        } else if matches!(self.task, Task::Review(_)) {
            Some("a review is running")
        } else if self.mode == Mode::Play && self.is_over() || !self.game.goes_on() {
            Some("the game is over")
        } else if self.is_engines_turn() {
            Some("it is the engine's turn")
        } else {
            None
        }
    }

    /// Sends a good move, if there is one.
    pub(super) fn suggest(&self, mv: Option<Move>, step: &mut Step<'_>) {
        let root = self.game.root();
        if let Some(mv) = mv.filter(|&mv| root.is_legal(mv)) {
            send(Message::Hint { mv: words(&root, mv) }, step);
        }
    }
}
