//! The end of a session: `quit`, end of input, shutdown.

use super::{Effect, Mode, Session, Step};
use crate::protocol::DrainCause;
use crate::protocol::xboard::Reply;
use crate::session::closing::Closing;
use crate::session::player::Purpose;

impl Session {
    /// Ends the session at once.
    pub(super) fn close(&mut self, step: &mut Step<'_>) {
        self.stop(step);
        step.archive(self.take_game(step.now));
        self.pings.clear();
        self.closing = Closing::Closed;
        step.effect(Effect::Close);
    }

    /// Handles the end of input: a move or a hint that is due is still sent.
    pub(super) fn end_of_input(&mut self, step: &mut Step<'_>) {
        self.closing = Closing::Owing;
        if self.player.is_paused() {
            // No `resume` can follow.
            return;
        }
        match self.player.search() {
            // No piece can come any more.
            Some(search) if search.has_no_move() => self.stop(step),
            Some(search) if search.is_sitting() => self.move_without_sitting(step),
            Some(search) if search.purpose == Purpose::Move => self.player.hurry_after_eof(step),
            Some(_) | None => {}
        }
    }

    /// Handles the server's request to end sessions.
    pub(super) fn drain(&mut self, cause: DrainCause, step: &mut Step<'_>) {
        if self.closing.drain(cause) && !self.board.mode.plays() {
            self.say_goodbye(cause, step);
        }
    }

    /// Closes a closing session once nothing is due.
    pub(super) fn close_if_done(&mut self, step: &mut Step<'_>) {
        match self.closing {
            Closing::No | Closing::Closed => {}
            Closing::Owing => {
                if !self.owes_answer() {
                    self.close(step);
                }
            }
            Closing::Draining(cause) => {
                let started = self.board.plies() > 0 || self.player.owes_move();
                if self.board.over || !started || self.board.mode == Mode::Analyze {
                    self.say_goodbye(cause, step);
                }
            }
        }
    }

    fn say_goodbye(&mut self, cause: DrainCause, step: &mut Step<'_>) {
        // A client that has not sent anything may not be a GUI.
        if self.gui.has_spoken() {
            step.reply(Reply::Tellusererror(cause.sentence().to_owned()));
        }
        self.close(step);
    }
}
