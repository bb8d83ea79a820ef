//! Playing: `force`, `go`, and moves of both sides.

use super::kriegspiel::announce;
use super::pondering::counts;
use super::{Mode, Session, Step};
use crate::chess::{Color, Move, MoveError};
use crate::protocol::xboard::{Reply, move_text};
use crate::session::player::{BestMove, Purpose, Search};

impl Session {
    /// `force`, and `exit` from analyze mode.
    pub(super) fn force(&mut self, step: &mut Step<'_>) {
        self.stop(step);
        self.offers.drop_offer();
        self.board.mode = Mode::Force;
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
        self.take_side(self.board.position().turn(), step.now);
        if self.board.position().has_legal_move() || self.board.position().waits() {
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
        self.take_side(!self.board.position().turn(), step.now);
        self.pondering.allowed = true;
        self.begin_pondering(step);
    }

    /// `white`, `black`: this side is to move, and the engine plays the other. Clocks stop. An
    /// analysis goes on for this side.
    pub(super) fn put_on_move(&mut self, turn: Color, step: &mut Step<'_>) {
        if self.board.mode == Mode::Analyze {
            self.board.turn_wanted = Some(turn);
            if turn != self.board.position().turn() && self.settle_turn(step) {
                self.analyse(step);
            }
            return;
        }
        self.stop(step);
        self.board.turn_wanted = Some(turn);
        self.board.mode = Mode::Play(!turn);
    }

    /// Applies a pending `white` or `black`. Returns false, after an error message, if the position
    /// does not allow it.
    pub(super) fn settle_turn(&mut self, step: &mut Step<'_>) -> bool {
        let Some(turn) = self.board.turn_wanted.take() else { return true };
        if turn == self.board.position().turn() {
            return true;
        }
        let done = self.board.game.set_turn(turn);
        if done {
            self.board_changed();
        } else {
            let text = "Illegal position: the side that would not be on move is in check";
            step.reply(Reply::Tellusererror(text.to_owned()));
            if self.board.mode.plays() {
                self.board.mode = Mode::Force;
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
        // The answer is `Illegal move` for any text, since the GUI has made the move and must take
        // it back.
        match self.board.parse_move(self.board.position(), text) {
            _ if self.player.owes_move() => {
                step.reply(Reply::IllegalMove(MoveError::WrongTurn, text.to_owned()));
            }
            Ok(_) if self.board.is_too_long() => refuse_long_game(text, step),
            Ok(mv) => self.accept_move(mv, step),
            Err(error) => step.reply(Reply::IllegalMove(error, text.to_owned())),
        }
    }

    /// Plays a legal move of the client, and answers it if the engine plays the other side.
    pub(super) fn accept_move(&mut self, mv: Move, step: &mut Step<'_>) {
        let is_opponents = self.board.is_opponents_turn();
        let expected = self.player.search().and_then(Search::expected);
        let is_hit = expected == Some(mv) && counts(&self.player);
        if !is_hit {
            self.stop(step);
        }
        self.play_on_board(mv, step);
        self.pondering.expected = None;
        if !self.board.mode.plays() {
            self.offers.forget_score();
        }
        self.analyse(step);
        if is_opponents {
            self.answer_move(is_hit, step);
        }
    }

    /// Claims the result, or makes the engine's move, after a move of the opponent. After a hit of
    /// pondering, the search becomes the one for the engine's move.
    pub(super) fn answer_move(&mut self, is_hit: bool, step: &mut Step<'_>) {
        if self.claim_result(step) {
            self.stop(step);
        } else if is_hit {
            self.set_pace(step.now);
            if self.player.ponder_hit(self.board.plies(), step) {
                self.make_move(step);
            }
        } else {
            self.think(self.player.limits.sent(step.now), step);
        }
    }

    /// Plays a move of either side on the board.
    fn play_on_board(&mut self, mv: Move, step: &mut Step<'_>) {
        let before = *self.board.position();
        self.board.play(mv);
        announce(&self.board, &before, mv, self.player.engine.options.announcements, step);
        self.show_board(step);
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
        if !self.agrees_to_draw(step) && !self.sits(step) {
            self.play_best(step);
        }
    }

    /// Plays the best move known without waiting for a piece from the partner.
    pub(super) fn move_without_sitting(&mut self, step: &mut Step<'_>) {
        if !self.agrees_to_draw(step) {
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
        let chosen = if self.board.is_hidden() {
            self.umpire.choose(&mut search, &self.board)
        } else {
            let is_careful = self.player.engine.options.strength().is_none();
            search.choose(&self.board.excluded_from_search(), is_careful, None)
        };
        let Some(BestMove { mv, reply }) = chosen else { return };
        let used = self.player.limits.used(&search, step.now + self.player.limits.lateness.after_handling);
        self.player.limits.clocks.moved(used, self.board.plies());
        self.offers.record(score, self.board.position().turn(), &self.player.engine.options);
        self.show_chosen(&search, step);
        if self.gui.logs_comments() {
            step.reply(Reply::Comment(self.player.account(&search, used)));
        }
        if !self.resigns_or_offers(mv, &search, step) {
            self.commit(mv, reply, Some(&search), step);
        }
    }

    /// Sends the engine's move and plays it on the board.
    pub(super) fn commit(
        &mut self,
        mv: Move,
        reply: Option<Move>,
        search: Option<&Search>,
        step: &mut Step<'_>,
    ) {
        let options = &self.player.engine.options;
        let (number, text) = (self.board.position().fullmove(), move_text(self.board.position(), mv));
        step.reply(if options.old_gui { Reply::NumberedMove(number, text) } else { Reply::Move(text) });
        self.context.greet(&mut self.offers, options, step);
        if let Some(search) = search {
            self.context.kibitz(search, options, step);
        }
        self.note_move(mv, search, step);
        self.play_on_board(mv, step);
        self.player.moved(search, step);
        if let Some(partner) = &mut self.context.partner {
            partner.moved();
        }
        self.pondering.expected = reply.filter(|&reply| self.board.position().is_legal(reply));
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

pub(super) fn refuse_long_game(text: &str, step: &mut Step<'_>) {
    step.reply(Reply::Tellusererror("This game is too long: please start a new one.".to_owned()));
    step.reply(Reply::IllegalMove(MoveError::Illegal, text.to_owned()));
}

#[cfg(test)]
mod tests {
    use super::super::{Effect, Input, Session, Setup};
    use super::*;
    use crate::book::Books;
    use crate::session::Profile;
    use crate::session::xboard::board::MAX_GAME_PLIES;
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
