//! Thinking on the opponent's time.

use super::thinking::Purpose;
use super::{Effect, Leaving, Mode, Session, Step};
use crate::chess::Move;
use crate::pool::Class;
use crate::protocol::xboard::Reply;
use crate::search::Limits;

/// How hard to look for the move to expect when the last search has not left one.
const EXPECTATION: Limits = Limits { depth: Some(10), nodes: Some(300_000), optimum_nodes: None };

impl Session {
    /// Ponders, if that is wanted and the opponent is on move and nothing else is going on. Where nodes are time
    /// (`nps`), nodes of the opponent's time would be counted as ours: then we do not.
    pub(super) fn begin_pondering(&mut self, step: &mut Step<'_>) {
        let waiting = self.mode == Mode::Play(!self.game.position().turn()) && self.turn_wanted.is_none();
        let wanted = self.ponder && self.options.ponder && self.may_ponder && self.nps.is_none();
        if !(wanted && waiting && self.may_search()) || self.game.ending().is_some() {
            return;
        }
        let Some(expected) = self.expected.filter(|&mv| self.game.position().is_legal(mv)) else {
            let game = self.game.clone();
            return self.start(
                Purpose::Expectation,
                &game,
                EXPECTATION,
                self.unhurried(Class::Ponder, step),
                step,
            );
        };
        let hint = self.game.position().coordinates(expected);
        if self.can_answer(expected) && !self.answers_from_book(expected) {
            step.reply(Reply::Hint(hint));
            self.ponder(expected, false, step);
        }
    }

    fn may_search(&self) -> bool {
        self.search.is_none() && self.paused.is_none() && self.leaving == Leaving::No
    }

    /// Whether the game goes on after this move.
    fn can_answer(&self, expected: Move) -> bool {
        let mut game = self.game.clone();
        game.play(expected);
        game.ending().is_none()
    }

    /// Searches the position after that move.
    pub(super) fn ponder(&mut self, expected: Move, ordered: bool, step: &mut Step<'_>) {
        let mut game = self.game.clone();
        game.play(expected);
        let limits = Limits { depth: self.depth, ..Limits::default() };
        let purpose = if ordered { Purpose::Ordered(expected) } else { Purpose::Ponder(expected) };
        self.start(purpose, &game, limits, self.unhurried(Class::Ponder, step), step);
    }

    /// `ponder MOVE` (ChessBase): the opponent is expected to play this; if that is what comes, the search goes on as our
    /// own. It is an order, whatever `hard` and `easy` said.
    pub(super) fn ponder_on(&mut self, text: &str, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        let position = self.game.position();
        let turn = position.turn();
        match position.parse_move(text) {
            Ok(expected) => {
                self.stop(step);
                self.mode = Mode::Play(!turn);
                self.may_ponder = true;
                self.expected = Some(expected);
                if self.may_search() && self.can_answer(expected) {
                    self.ponder(expected, true, step);
                }
            }
            Err(error) => self.refuse_move(error, text, step),
        }
    }

    /// The opponent played what we expected, and it is on the board: the search goes on as our own.
    pub(super) fn ponder_hit(&mut self, step: &mut Step<'_>) {
        let (_, terms) = self.budget(step.now);
        let Some(search) = &mut self.search else { return };
        search.purpose = Purpose::Move;
        search.since = step.now;
        search.terms = terms;
        if search.done.is_some() {
            return self.make_move(step);
        }
        search.deadline = terms.deadline();
        step.effect(Effect::Retime(search.id, terms));
        let deadline = search.deadline;
        self.set_timer(deadline, step);
    }

    /// Whether we think on the opponent's time.
    pub(super) fn is_pondering(&self) -> bool {
        matches!(self.purpose(), Some(Purpose::Ponder(_) | Purpose::Ordered(_) | Purpose::Expectation))
    }

    /// `easy`
    pub(super) fn stop_pondering(&mut self, step: &mut Step<'_>) {
        if self.is_pondering() {
            self.halt(step);
        }
    }
}
