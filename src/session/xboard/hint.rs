//! `hint`: the move that the engine would play in the client's place.

use super::{Board, Mode, Session, Step};
use crate::chess::Move;
use crate::pool::Class;
use crate::protocol::xboard::{Reply, move_text};
use crate::search::Limits;
use crate::session::player::{Purpose, untimed_budget};

/// Limits of a search for a hint: some tenths of a second.
const HINT_LIMITS: Limits = Limits { depth: Some(12), nodes: Some(500_000), optimum_nodes: None, mate: None };

impl Session {
    /// `hint`. Answered at once if a search or the book suggests a move, otherwise after a short
    /// search. Never to the opponent in kriegspiel, as a suggestion would reveal the engine's men.
    pub(super) fn hint(&mut self, step: &mut Step<'_>) {
        if self.player.is_paused()
            || !self.settle_turn(step)
            || self.board.is_hidden() && self.board.mode.plays()
        {
            return;
        }
        self.start_pending_analysis(step);
        let suggested = match self.player.search_mut() {
            Some(search) => match search.purpose {
                Purpose::Ponder(expected) => Some(expected),
                Purpose::Move | Purpose::PonderOnBoard | Purpose::Analysis => {
                    let best = search.variation().next();
                    search.hint_wanted = best.is_none();
                    best
                }
                // Their result answers this hint as well.
                Purpose::Hint | Purpose::Expectation | Purpose::Perft(_) => None,
            },
            None => self.look_for_hint(step),
        };
        suggest(suggested, &self.board, step);
    }

    /// Returns a move to suggest, or searches for one.
    fn look_for_hint(&mut self, step: &mut Step<'_>) -> Option<Move> {
        let expected = self.pondering.expected_on(&self.board).filter(|_| self.board.is_opponents_turn());
        let known = self.book_move().or(expected);
        if known.is_none() && self.board.position().has_legal_move() && self.board.mode != Mode::Analyze {
            self.start_search(Purpose::Hint, HINT_LIMITS, untimed_budget(Class::Reply, step.now), step);
        }
        known
    }
}

pub(super) fn suggest(mv: Option<Move>, board: &Board, step: &mut Step<'_>) {
    if let Some(mv) = mv.filter(|&mv| board.position().is_legal(mv)) {
        step.reply(Reply::Hint(move_text(board.position(), mv)));
    }
}
