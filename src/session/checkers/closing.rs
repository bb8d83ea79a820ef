//! The end of a session: `QUIT`, end of input, shutdown.

use super::{Effect, Session, Step, alert};
use crate::protocol::checkers::Reply;
use crate::protocol::{DrainCause, http};
use crate::session::closing::Closing;

impl Session {
    /// Ends the session at once, "even if it is in the process of thinking".
    pub(super) fn close(&mut self, step: &mut Step<'_>) {
        self.player.halt(step);
        self.thinking = None;
        self.waiting.clear();
        self.archive_game(step);
        self.closing = Closing::Closed;
        step.effect(Effect::Close);
    }

    /// Answers an HTTP request with an HTTP error and closes.
    pub(super) fn refuse_http(&mut self, step: &mut Step<'_>) {
        http::REFUSAL.iter().for_each(|line| step.reply(Reply::Http(line)));
        self.close(step);
    }

    /// Handles the end of input: moves that are due are still sent.
    pub(super) fn end_of_input(&mut self, step: &mut Step<'_>) {
        self.closing = Closing::Owing;
        self.hurry(step);
    }

    /// Handles the server's request to end sessions.
    pub(super) fn drain(&mut self, cause: DrainCause, step: &mut Step<'_>) {
        if self.closing.drain(cause) {
            self.say_goodbye_unless_playing(cause, step);
        }
    }

    /// Closes a closing session once nothing is due.
    pub(super) fn close_if_done(&mut self, step: &mut Step<'_>) {
        match self.closing {
            Closing::Owing if self.thinking.is_none() => self.close(step),
            Closing::Draining(cause) => self.say_goodbye_unless_playing(cause, step),
            Closing::No | Closing::Owing | Closing::Closed => {}
        }
    }

    fn say_goodbye_unless_playing(&mut self, cause: DrainCause, step: &mut Step<'_>) {
        let is_on = !self.game().moves().is_empty() && self.game().position().outcome().is_none();
        if self.thinking.is_none() && !is_on {
            if self.heard {
                alert(cause.remark(), step);
            }
            self.close(step);
        }
    }
}
