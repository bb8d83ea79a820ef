//! `hint`: the move that the engine would play in the client's place.

use super::{Mode, Session, Step};
use crate::chess::Move;
use crate::pool::Class;
use crate::protocol::xboard::{Reply, move_text};
use crate::search::Limits;
use crate::session::player::{Purpose, untimed_budget};

/// Limits of a search for a hint: some tenths of a second.
const HINT_LIMITS: Limits = Limits { depth: Some(12), nodes: Some(500_000), optimum_nodes: None, mate: None };

impl Session {
    /// `hint`. Answered at once if a search or the book suggests a move, otherwise after a short
    /// search. Never to the opponent in kriegspiel.
    pub(super) fn hint(&mut self, step: &mut Step<'_>) {
        if self.player.is_paused() || !self.settle_turn(step) || !self.may_suggest() {
            return;
        }
        self.start_pending_analysis(step);
        match self.player.search_mut() {
            Some(search) => match search.purpose {
                Purpose::Ponder(expected) => self.suggest(expected, step),
                Purpose::Move | Purpose::PonderOnBoard | Purpose::Analysis => {
                    let best = search.variation().next();
                    search.hint_wanted = best.is_none();
                    if let Some(best) = best {
                        self.suggest(best, step);
                    }
                }
                // Their result answers this hint as well.
                Purpose::Hint | Purpose::Expectation | Purpose::Perft(_) => {}
            },
            None => self.look_for_hint(step),
        }
    }

    fn look_for_hint(&mut self, step: &mut Step<'_>) {
        let position = *self.game.position();
        let awaited = self.mode == Mode::Play(!position.turn());
        let expected = self.pondering.expected.filter(|&mv| awaited && position.is_legal(mv));
        match self.book_move().or(expected) {
            Some(mv) => self.suggest(mv, step),
            None if position.has_legal_move() && self.mode != Mode::Analyze => {
                self.search_board(Purpose::Hint, HINT_LIMITS, untimed_budget(Class::Reply, step.now), step);
            }
            None => {}
        }
    }

    /// Answers a hint after its search.
    pub(super) fn give_hint(&mut self, best: Option<Move>, step: &mut Step<'_>) {
        self.player.halt(step);
        if let Some(best) = best {
            self.suggest(best, step);
        }
        self.begin_pondering(step);
    }

    fn suggest(&self, mv: Move, step: &mut Step<'_>) {
        let position = self.game.position();
        if position.is_legal(mv) {
            step.reply(Reply::Hint(move_text(position, mv)));
        }
    }
}
