//! Thinking on the opponent's time.

use super::{Closing, Mode, Session, Step};
use crate::chess::{AnyPosition, Move};
use crate::pool::Class;
use crate::protocol::xboard::{Reply, move_text};
use crate::search::Limits;
use crate::session::player::{Purpose, untimed_budget};

/// How hard to look for the move to expect when the last search has not left one.
const EXPECTATION: Limits = Limits { depth: Some(10), nodes: Some(300_000), optimum_nodes: None };

/// Whether we may think on the opponent's time, and about what.
#[derive(Default, Debug)]
pub(super) struct Pondering {
    /// `hard`
    pub(super) wanted: bool,
    /// Not on the first move after `new`, even if it is wanted.
    pub(super) allowed: bool,
    /// The opponent's move that we expect in the position on the board.
    pub(super) expected: Option<Move>,
    /// The last move on the board, if `ponder` has put it there and the opponent has not made it yet.
    pub(super) pondered: Option<Box<Pondered>>,
}

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
        let wanted = self.pondering.wanted
            && self.player.engine.options.ponder
            && self.pondering.allowed
            && self.player.limits.nps.is_none();
        if !(wanted && waiting && self.may_search()) || self.game.ending().is_some() {
            return;
        }
        let Some(expected) = self.pondering.expected.filter(|&mv| self.game.position().is_legal(mv)) else {
            let budget = untimed_budget(Class::Ponder, step.now);
            return self.search_board(Purpose::Expectation, EXPECTATION, budget, step);
        };
        let hint = move_text(self.game.position(), expected);
        if self.can_answer(expected) && !self.answers_from_book(expected) {
            step.reply(Reply::Hint(hint));
            self.ponder(expected, step);
        }
    }

    fn may_search(&self) -> bool {
        self.player.search().is_none() && !self.player.is_paused() && self.closing == Closing::No
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
        let (limits, budget) = (self.ponder_limits(), untimed_budget(Class::Ponder, step.now));
        self.search_ahead(Purpose::Ponder(expected), &game, limits, budget, step);
    }

    fn ponder_limits(&self) -> Limits {
        Limits { depth: self.player.limits.depth, ..Limits::default() }
    }

    /// `ponder MOVE` (ChessBase): "The engine should execute the move and start pondering on it. If the user plays that
    /// move, the move is sent", and the search goes on as our own. It is an order, whatever `hard` and `easy` said.
    pub(super) fn ponder_on(&mut self, text: &str, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        let before =
            self.pondering.pondered.as_ref().map_or(*self.game.position(), |pondered| pondered.before);
        match before.parse_move(text) {
            Ok(_) if self.is_too_long() => self.refuse_long_game(text, step),
            Ok(mv) => {
                self.take_pondered_back(step);
                self.stop(step);
                self.mode = Mode::Play(!before.turn());
                self.game.play(mv);
                self.over = false;
                self.pondering.expected = None;
                self.excluded.clear();
                self.pondering.allowed = true;
                self.pondering.pondered = Some(Box::new(Pondered { mv, before }));
                self.ponder_on_board(step);
            }
            Err(error) => self.refuse_move(error, text, step),
        }
    }

    /// Ponders on the position on the board, where the opponent's move is made already.
    pub(super) fn ponder_on_board(&mut self, step: &mut Step<'_>) {
        self.player.halt(step);
        if self.may_search() && self.game.ending().is_none() {
            let (limits, budget) = (self.ponder_limits(), untimed_budget(Class::Ponder, step.now));
            self.search_board(Purpose::Ordered, limits, budget, step);
        }
    }

    /// A move of the client, where one that it let us ponder on is on the board: it is that one, or comes in its place.
    pub(super) fn move_instead(&mut self, text: &str, step: &mut Step<'_>) {
        let Some(Pondered { mv: pondered, before }) = self.pondering.pondered.as_deref() else { return };
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
        self.pondering.pondered = None;
        let hit = self.player.purpose() == Some(Purpose::Ordered)
            && !self.player.is_paused()
            && self.player.limits.nps.is_none();
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
        if self.pondering.pondered.is_some() {
            self.stop(step);
            self.game.undo();
            self.board_changed();
        }
    }

    /// The opponent played what we expected, and it is on the board: the search goes on as our own.
    pub(super) fn ponder_hit(&mut self, step: &mut Step<'_>) {
        if self.player.ponder_hit(&self.game, step) {
            self.make_move(step);
        }
    }
}
