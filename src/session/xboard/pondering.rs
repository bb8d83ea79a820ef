//! Pondering: thinking on the opponent's time.

use super::play::refuse_long_game;
use super::{Board, Closing, Session, Step};
use crate::chess::{AnyPosition, Game, Move};
use crate::pool::Class;
use crate::protocol::xboard::{Reply, move_text};
use crate::search::Limits;
use crate::session::Interrupt;
use crate::session::player::{Player, Purpose, untimed_budget};
use crate::session::state::{Fields, StateError};

/// Limits of a search for the expected move, if the last search has not left one.
const EXPECTATION_LIMITS: Limits =
    Limits { depth: Some(10), nodes: Some(300_000), optimum_nodes: None, mate: None };

/// Whether the engine ponders, and on which move.
#[derive(Default, Debug)]
pub(super) struct Pondering {
    /// `hard`
    pub(super) wanted: bool,
    /// Whether the engine has moved since `new`: no pondering before.
    pub(super) allowed: bool,
    /// The opponent's expected move in the position on the board.
    pub(super) expected: Option<Move>,
    /// The last move on the board, if the client put it there with `ponder` and the opponent has
    /// not made it yet.
    pub(super) pondered: Option<Box<Pondered>>,
}

/// A move that the client has put on the board before the opponent makes it.
#[derive(Debug)]
pub(super) struct Pondered {
    mv: Move,
    /// The position before the move.
    before: AnyPosition,
}

impl Pondering {
    /// Returns true if pondering is wanted and possible. Never where nodes count as time (`nps`):
    /// nodes searched on the opponent's time would count as the engine's.
    fn is_enabled(&self, player: &Player) -> bool {
        let is_wanted = self.wanted && player.engine.options.ponder;
        is_wanted && self.allowed && player.limits.nps.is_none()
    }

    /// The opponent's expected move, if it is legal on the board.
    pub(super) fn expected_on(&self, board: &Board) -> Option<Move> {
        self.expected.filter(|&mv| board.position().is_legal(mv))
    }

    /// The position before the pondered move, or on the board without one.
    fn before(&self, board: &Board) -> AnyPosition {
        self.pondered.as_ref().map_or(*board.position(), |pondered| pondered.before)
    }

    /// The pondered move is not written: it is the last one of the game.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>, game: &Game) -> Result<(), StateError> {
        fields.field("hard", &mut self.wanted)?;
        fields.field("allowed", &mut self.allowed)?;
        fields.field("expected", &mut self.expected)?;
        let mut is_on_board = self.pondered.is_some();
        fields.field("is-on-board", &mut is_on_board)?;
        if fields.is_reading() {
            self.pondered = None;
            if is_on_board {
                let mut before = game.clone();
                let mv = before.undo().ok_or(StateError::Inconsistent)?;
                self.pondered = Some(Box::new(Pondered { mv, before: *before.position() }));
            }
        }
        Ok(())
    }
}

impl Session {
    /// Ponders if that is enabled, the opponent is to move and nothing else runs.
    pub(super) fn begin_pondering(&mut self, step: &mut Step<'_>) {
        let is_awaited = self.board.is_opponents_turn() && self.board.turn_wanted.is_none();
        if !(self.pondering.is_enabled(&self.player) && is_awaited && self.may_ponder()) {
            return;
        }
        let budget = untimed_budget(Class::Ponder, step.now);
        let Some(expected) = self.pondering.expected_on(&self.board) else {
            return self.start_search(Purpose::Expectation, EXPECTATION_LIMITS, budget, step);
        };
        let mut after = self.board.game.clone();
        after.play(expected);
        let book = self.player.engine.book().filter(|_| !self.gui.is_fritz());
        let is_in_book = book.is_some_and(|book| !book.moves(after.position()).is_empty());
        if goes_on(&after) && !is_in_book {
            step.reply(Reply::Hint(move_text(self.board.position(), expected)));
            self.start_search(Purpose::Ponder(expected), limits(&self.player), budget, step);
        }
    }

    /// Returns true if nothing else runs and the game goes on. Never in kriegspiel, where the
    /// opponent's moves are hidden.
    fn may_ponder(&self) -> bool {
        let is_free =
            self.player.search().is_none() && !self.player.is_paused() && self.closing == Closing::No;
        is_free && !self.board.is_hidden() && goes_on(&self.board.game)
    }

    /// `ponder MOVE` (ChessBase): "The engine should execute the move and start pondering on it. If
    /// the user plays that move, the move is sent", and the search becomes the one for the engine's
    /// move. Overrides `hard` and `easy`.
    pub(super) fn ponder_on(&mut self, text: &str, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        let before = self.pondering.before(&self.board);
        match self.board.parse_move(&before, text) {
            Ok(_) if self.board.is_too_long() => refuse_long_game(text, step),
            Ok(mv) => {
                self.undo_pondered(step);
                self.stop(step);
                self.take_side(!before.turn(), step.now);
                self.board.play(mv);
                let pondered = Some(Box::new(Pondered { mv, before }));
                self.pondering = Pondering { allowed: true, expected: None, pondered, ..self.pondering };
                self.ponder_on_board(step);
            }
            Err(error) => step.reply(Reply::IllegalMove(error, text.to_owned())),
        }
    }

    /// Ponders on the position on the board, which already includes the opponent's move.
    pub(super) fn ponder_on_board(&mut self, step: &mut Step<'_>) {
        self.player.halt(step);
        if self.may_ponder() {
            let budget = untimed_budget(Class::Ponder, step.now);
            self.start_search(Purpose::PonderOnBoard, limits(&self.player), budget, step);
        }
    }

    /// Handles a move of the client while a move by `ponder` is on the board: the same move, or one
    /// that replaces it.
    pub(super) fn move_after_ponder(&mut self, text: &str, step: &mut Step<'_>) {
        let Some(Pondered { mv: pondered, before }) = self.pondering.pondered.as_deref() else { return };
        match self.board.parse_move(before, text) {
            Ok(mv) if mv == *pondered => {
                self.pondering.pondered = None;
                let is_hit = self.player.purpose() == Some(Purpose::PonderOnBoard) && counts(&self.player);
                if !is_hit {
                    self.stop(step);
                }
                self.answer_move(is_hit, step);
            }
            Ok(mv) => {
                self.undo_pondered(step);
                self.accept_move(mv, step);
            }
            Err(error) => step.reply(Reply::IllegalMove(error, text.to_owned())),
        }
    }

    /// Takes back the move that `ponder` has put on the board, if any.
    pub(super) fn undo_pondered(&mut self, step: &mut Step<'_>) {
        if self.pondering.pondered.is_some() {
            self.stop(step);
            self.board.game.undo();
            self.board_changed();
        }
    }

    /// Handles an interrupt of the client.
    pub(super) fn interrupt(&mut self, step: &mut Step<'_>) {
        self.gui.interrupts = self.gui.interrupts.saturating_add(1);
        if self.player.engine.profile().interrupt == Interrupt::StopPondering && self.player.is_pondering() {
            self.player.stop_pondering(step);
            self.pondering.allowed = false;
        }
    }
}

/// The limits of a search on the opponent's time.
fn limits(player: &Player) -> Limits {
    Limits { depth: player.limits.depth, ..Limits::default() }
}

/// Returns true if pondering counts as a search for the engine's move once the opponent moves as
/// expected.
pub(super) fn counts(player: &Player) -> bool {
    !player.is_paused() && player.limits.nps.is_none()
}

fn goes_on(game: &Game) -> bool {
    game.ending().is_none() && game.position().has_legal_move()
}
