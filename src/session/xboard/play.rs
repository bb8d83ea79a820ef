//! Playing: `force`, `go`, and moves of both sides.

use super::{Mode, Session, Step};
use crate::chess::{Color, Move, MoveError};
use crate::protocol::xboard::{Reply, move_text};
use crate::session::player::{BestMove, Purpose, Search};

/// The maximum length of a game in plies. The record of a game takes memory, and an `undo` takes
/// time, in proportion to its length; a client must not make them grow without bound.
const MAX_GAME_PLIES: usize = 10_000;

impl Session {
    /// `force`, and `exit` from analyze mode.
    pub(super) fn force(&mut self, step: &mut Step<'_>) {
        self.stop(step);
        self.offers.drop_offer();
        self.mode = Mode::Force;
    }

    /// `go`: the engine plays the side to move. It moves even where a draw could be claimed, as
    /// requested.
    pub(super) fn go(&mut self, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        if self.player.owes_move() {
            return self.resume(step);
        }
        self.stop(step);
        self.mode = Mode::Play(self.game.position().turn());
        self.join_game(step.now);
        if self.game.position().has_legal_move() || self.game.position().waits() {
            self.think(self.player.limits.sent(step.now), step);
        } else {
            self.claim_result(step);
        }
    }

    /// `playother`: the engine plays the side not to move.
    pub(super) fn play_other(&mut self, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        self.stop(step);
        self.mode = Mode::Play(!self.game.position().turn());
        self.join_game(step.now);
        self.pondering.allowed = true;
        self.begin_pondering(step);
    }

    /// `white`, `black`: this side is to move, and the engine plays the other. Clocks stop. An
    /// analysis goes on for this side.
    pub(super) fn put_on_move(&mut self, turn: Color, step: &mut Step<'_>) {
        if self.mode == Mode::Analyze {
            self.turn_wanted = Some(turn);
            if turn != self.game.position().turn() && self.settle_turn(step) {
                self.analyse(step);
            }
            return;
        }
        self.stop(step);
        self.turn_wanted = Some(turn);
        self.mode = Mode::Play(!turn);
    }

    /// Applies a pending `white` or `black`. Returns false, after an error message, if the position
    /// does not allow it.
    pub(super) fn settle_turn(&mut self, step: &mut Step<'_>) -> bool {
        let Some(turn) = self.turn_wanted.take() else { return true };
        if turn == self.game.position().turn() {
            return true;
        }
        let done = self.game.set_turn(turn);
        if done {
            self.board_changed();
        } else {
            let text = "Illegal position: the side that would not be on move is in check";
            step.reply(Reply::Tellusererror(text.to_owned()));
            if matches!(self.mode, Mode::Play(_)) {
                self.mode = Mode::Force;
            }
        }
        done
    }

    /// Plays a move of the client, for the side to move.
    pub(super) fn client_move(&mut self, text: &str, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        if self.pondering.pondered.is_some() {
            return self.move_after_ponder(text, step);
        }
        match self.game.position().parse_opponents_move(text) {
            _ if self.player.owes_move() => {
                step.reply(Reply::IllegalMove(MoveError::WrongTurn, text.to_owned()));
            }
            Ok(_) if self.is_too_long() => self.refuse_long_game(text, step),
            Ok(mv) => self.accept_move(mv, step),
            Err(error) => self.refuse_move(error, text, step),
        }
    }

    /// Returns true if the game has reached its maximum length.
    pub(super) fn is_too_long(&self) -> bool {
        self.game.moves().len() >= MAX_GAME_PLIES
    }

    pub(super) fn refuse_long_game(&self, text: &str, step: &mut Step<'_>) {
        step.reply(Reply::Tellusererror("This game is too long: please start a new one.".to_owned()));
        step.reply(Reply::IllegalMove(MoveError::Illegal, text.to_owned()));
    }

    /// Refuses a move that cannot be played. The answer is `Illegal move` for any text, since the
    /// GUI has made the move and must take it back. Where men are hidden it does not reveal the
    /// engine's.
    pub(super) fn refuse_move(&self, error: MoveError, text: &str, step: &mut Step<'_>) {
        let error =
            if self.is_hidden() && error == MoveError::WrongTurn { MoveError::Illegal } else { error };
        step.reply(Reply::IllegalMove(error, text.to_owned()));
    }

    pub(super) fn accept_move(&mut self, mv: Move, step: &mut Step<'_>) {
        let expected = self.player.search().and_then(Search::expected);
        let hit = expected == Some(mv) && !self.player.is_paused() && self.player.limits.nps.is_none();
        let ours = self.mode == Mode::Play(!self.game.position().turn());
        if !hit {
            self.stop(step);
        }
        let before = *self.game.position();
        self.game.play(mv);
        self.umpire_says(&before, mv, step);
        self.show_board(step);
        self.over = false;
        self.pondering.expected = None;
        self.excluded.clear();
        if !matches!(self.mode, Mode::Play(_)) {
            self.offers.score = None;
        }
        if self.mode == Mode::Analyze {
            self.analyse(step);
        } else if ours && self.claim_result(step) {
            self.stop(step);
        } else if hit {
            self.ponder_hit(step);
        } else if ours {
            self.think(self.player.limits.sent(step.now), step);
        }
    }

    /// `?`. ChessBase's programs also send it to stop pondering, and then want no move.
    pub(super) fn move_now(&mut self, step: &mut Step<'_>) {
        if self.player.is_paused() {
            return;
        }
        if self.player.search().is_some_and(Search::is_draw_agreed) {
            self.play_held_move(step);
        } else if self.player.purpose() == Some(Purpose::Move) {
            self.move_without_sitting(step);
        } else if self.gui.is_fritz() {
            self.player.stop_pondering(step);
        }
    }

    /// Plays the best move known, or resigns, or holds the move back: after a draw was accepted, or
    /// to wait for a piece.
    pub(super) fn make_move(&mut self, step: &mut Step<'_>) {
        let score = self.player.search().and_then(Search::score);
        if !self.agrees_to_draw(score, step) && !self.sits(step) {
            self.play_best(step);
        }
    }

    /// Plays the best move known without waiting for a piece from the partner.
    pub(super) fn move_without_sitting(&mut self, step: &mut Step<'_>) {
        let score = self.player.search().and_then(Search::score);
        if !self.agrees_to_draw(score, step) {
            self.play_best(step);
        }
    }

    /// Plays the best move known, or resigns. Does nothing if there is no move.
    fn play_best(&mut self, step: &mut Step<'_>) {
        if self.player.search().is_none_or(Search::has_no_move) {
            return;
        }
        let score = self.player.search().and_then(Search::score);
        let Some(mut search) = self.player.halt(step) else { return };
        let excluded = if self.excludes_all() { Vec::new() } else { self.excluded.clone() };
        let careful = self.player.engine.options.strength().is_none();
        let chosen = if self.is_hidden() {
            self.propose(&mut search, &excluded)
        } else {
            search.choose(&excluded, careful, None)
        };
        let Some(BestMove { mv, reply }) = chosen else { return };
        let used = self.player.limits.used(&search, step.now + self.player.limits.lateness.after_handling);
        self.player.limits.clocks.moved(used, self.game.moves().len());
        self.offers.record(score, self.game.position().turn(), &self.player.engine.options);
        self.show_chosen(&search, step);
        self.comment(&search, used, step);
        if self.resigns(step) {
            return;
        }
        if !search.is_draw_agreed() {
            self.offer_draw(mv, step);
        }
        self.commit(mv, reply, Some(&search), step);
    }

    /// Sends the engine's move and plays it on the board.
    pub(super) fn commit(
        &mut self,
        mv: Move,
        reply: Option<Move>,
        search: Option<&Search>,
        step: &mut Step<'_>,
    ) {
        let position = *self.game.position();
        let text = move_text(&position, mv);
        step.reply(if self.player.engine.options.old_gui {
            Reply::NumberedMove(position.fullmove(), text)
        } else {
            Reply::Move(text)
        });
        self.greet(step);
        if let Some(search) = search {
            self.kibitz(search, step);
        }
        self.note_move(mv, search, step);
        self.game.play(mv);
        self.umpire_says(&position, mv, step);
        self.show_board(step);
        self.player.moved(search, step);
        if let Some(partner) = &mut self.gui.partner {
            partner.moved();
        }
        self.over = false;
        self.excluded.clear();
        self.pondering.expected = reply.filter(|&reply| self.game.position().is_legal(reply));
        self.pondering.allowed = true;
        let ended = self.claim_result(step);
        if !ended {
            self.report_to_partner(search, step);
        }
        self.answer_pings(step);
        if !ended {
            self.begin_pondering(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Effect, Input, Session, Setup};
    use super::*;
    use crate::book::Books;
    use crate::session::Profile;
    use std::sync::Arc;
    use std::time::Instant;

    #[test]
    fn bounds_the_length_of_a_game() {
        let mut session = Session::new(Setup {
            seed: 0,
            identity: 1,
            profile: Arc::new(Profile::new("", Books::default())),
        });
        let now = Instant::now();
        let mut effects = Vec::new();
        session.handle(Input::Line(b"force"), now, &mut effects);
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        for mv in shuffle.iter().cycle().take(MAX_GAME_PLIES) {
            session.handle(Input::Line(mv.as_bytes()), now, &mut effects);
        }
        assert!(effects.is_empty());
        session.handle(Input::Line(b"g1f3"), now, &mut effects);
        let refused = |effect: &Effect<Reply>| {
            matches!(effect, Effect::Send(Reply::IllegalMove(MoveError::Illegal, _)))
        };
        assert!(effects.iter().any(refused));
        assert_eq!(session.game().moves().len(), MAX_GAME_PLIES);
    }
}
