//! The end of a session: `quit`, end of input, shutdown.

use super::{Effect, Mode, Session, Step};
use crate::protocol::xboard::Reply;
use crate::protocol::{DrainCause, http};
use crate::session::closing::Closing;
use crate::session::player::{Purpose, Search};

impl Session {
    /// Ends the session at once.
    pub(super) fn close(&mut self, step: &mut Step<'_>) {
        self.stop(step);
        self.archive_claimed(step);
        self.pings.clear();
        self.closing = Closing::Closed;
        step.effect(Effect::Close);
    }

    /// Answers an HTTP request with an HTTP error and closes.
    pub(super) fn refuse_http(&mut self, step: &mut Step<'_>) {
        http::REFUSAL.iter().for_each(|line| step.reply(Reply::Http(line)));
        self.close(step);
    }

    /// Handles the end of input: a move or a hint that is due is still sent.
    pub(super) fn end_of_input(&mut self, step: &mut Step<'_>) {
        self.closing = Closing::Owing;
        if self.player.is_paused() {
            // No `resume` can follow.
            return;
        }
        if self.player.search().is_some_and(Search::is_sitting) {
            return self.end_sitting(step);
        }
        if self.player.purpose() == Some(Purpose::Move) {
            self.player.hurry_after_eof(step);
        }
    }

    /// Handles the server's request to end sessions.
    pub(super) fn drain(&mut self, cause: DrainCause, step: &mut Step<'_>) {
        if self.closing.drain(cause) && !matches!(self.mode, Mode::Play(_)) {
            self.say_goodbye(cause, step);
        }
    }

    /// Closes a closing session once nothing is due.
    pub(super) fn close_if_done(&mut self, step: &mut Step<'_>) {
        match self.closing {
            Closing::No | Closing::Closed => {}
            Closing::Owing => {
                let owing = matches!(self.player.purpose(), Some(Purpose::Move | Purpose::Hint));
                if !owing || self.player.is_paused() {
                    self.close(step);
                }
            }
            Closing::Draining(cause) => {
                let started = !self.game.moves().is_empty() || self.player.owes_move();
                if self.over || !started || self.mode == Mode::Analyze {
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
