//! Thinking on the opponent's time.

use super::thinking::Purpose;
use super::{Effect, Leaving, Mode, Session, Step};
use crate::chess::{AnyPosition, Game, Move};
use crate::pool::{Class, SearchBudget, SearchOrder};
use crate::protocol::xboard::{Reply, move_text};
use crate::search::Limits;

/// How hard to look for the move to expect when the last search has not left one.
const EXPECTATION: Limits = Limits { depth: Some(10), nodes: Some(300_000), optimum_nodes: None };

/// A move of the opponent that the client has put on the board before it is made.
#[derive(Debug)]
pub(super) struct Pondered {
    mv: Move,
    /// The position without it.
    before: AnyPosition,
}

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
        let hint = move_text(self.game.position(), expected);
        if self.can_answer(expected) && !self.answers_from_book(expected) {
            step.reply(Reply::Hint(hint));
            self.ponder(expected, step);
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
    fn ponder(&mut self, expected: Move, step: &mut Step<'_>) {
        let mut game = self.game.clone();
        game.play(expected);
        self.ponder_about(Purpose::Ponder(expected), &game, step);
    }

    fn ponder_about(&mut self, purpose: Purpose, game: &Game, step: &mut Step<'_>) {
        let limits = Limits { depth: self.depth, ..Limits::default() };
        self.start(purpose, game, limits, self.unhurried(Class::Ponder, step), step);
    }

    /// `ponder MOVE` (ChessBase): "The engine should execute the move and start pondering on it. If the user plays that
    /// move, the move is sent", and the search goes on as our own. It is an order, whatever `hard` and `easy` said.
    pub(super) fn ponder_on(&mut self, text: &str, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        let before = self.pondered.as_ref().map_or(*self.game.position(), |pondered| pondered.before);
        match before.parse_move(text) {
            Ok(_) if self.is_too_long() => self.refuse_long_game(text, step),
            Ok(mv) => {
                self.take_pondered_back(step);
                self.stop(step);
                self.mode = Mode::Play(!before.turn());
                self.game.play(mv);
                self.over = false;
                self.expected = None;
                self.excluded.clear();
                self.may_ponder = true;
                self.pondered = Some(Box::new(Pondered { mv, before }));
                self.ponder_on_board(step);
            }
            Err(error) => self.refuse_move(error, text, step),
        }
    }

    /// Ponders on the position on the board, where the opponent's move is made already.
    pub(super) fn ponder_on_board(&mut self, step: &mut Step<'_>) {
        self.halt(step);
        if self.may_search() && self.game.ending().is_none() {
            let game = self.game.clone();
            self.ponder_about(Purpose::Ordered, &game, step);
        }
    }

    /// A move of the client, where one that it let us ponder on is on the board: it is that one, or comes in its place.
    pub(super) fn move_instead(&mut self, text: &str, step: &mut Step<'_>) {
        let Some(Pondered { mv: pondered, before }) = self.pondered.as_deref() else { return };
        match before.parse_move(text) {
            Ok(mv) if mv == *pondered => self.pondered_is_played(step),
            Ok(mv) => {
                self.take_pondered_back(step);
                self.accept_move(mv, step);
            }
            Err(error) => self.refuse_move(error, text, step),
        }
    }

    /// The opponent has made the move that is on the board.
    fn pondered_is_played(&mut self, step: &mut Step<'_>) {
        self.pondered = None;
        let hit = self.purpose() == Some(Purpose::Ordered) && self.paused.is_none() && self.nps.is_none();
        if !hit {
            self.stop(step);
        }
        if self.claim_result(step) {
            self.stop(step);
        } else if hit {
            self.ponder_hit(step);
        } else {
            self.think(step.now, step);
        }
    }

    /// The opponent makes another move than the one that is on the board for it.
    fn take_pondered_back(&mut self, step: &mut Step<'_>) {
        if self.pondered.is_some() {
            self.stop(step);
            self.game.undo();
            self.board_changed();
        }
    }

    /// The opponent played what we expected, and it is on the board: the search goes on as our own.
    pub(super) fn ponder_hit(&mut self, step: &mut Step<'_>) {
        let (limits, terms) = self.budget(step.now);
        let Some(search) = &mut self.search else { return };
        let terms = SearchBudget { limits: (search.limits != limits).then_some(limits), ..terms };
        search.limits = limits;
        search.purpose = Purpose::Move;
        search.since = step.now;
        search.terms = terms;
        if search.done.is_some() {
            return self.make_move(step);
        }
        search.deadline = terms.deadline();
        step.effect(Effect::Search(search.id, SearchOrder::Retime(terms)));
        let deadline = search.deadline;
        self.set_timer(deadline, step);
    }

    /// Whether we think on the opponent's time.
    pub(super) fn is_pondering(&self) -> bool {
        matches!(self.purpose(), Some(Purpose::Ponder(_) | Purpose::Ordered | Purpose::Expectation))
    }

    /// `easy`
    pub(super) fn stop_pondering(&mut self, step: &mut Step<'_>) {
        if self.is_pondering() {
            self.halt(step);
        }
    }
}
