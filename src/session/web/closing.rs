//! The end of a session: `quit`, end of input, shutdown.

use super::{Effect, Session, Step, Task, note};
use crate::protocol::web::Reply;
use crate::protocol::{DrainCause, http};
use crate::session::closing::Closing;
use crate::session::player::Purpose;

impl Session {
    /// Ends the session at once.
    pub(super) fn close(&mut self, step: &mut Step<'_>) {
        self.leave_game(step);
        self.task = Task::None;
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(step.now);
        }
        self.closing = Closing::Closed;
        step.effect(Effect::Close);
    }

    /// Answers an HTTP request with an HTTP error and closes.
    pub(super) fn refuse_http(&mut self, step: &mut Step<'_>) {
        http::REFUSAL.iter().for_each(|line| step.reply(Reply::Http(line)));
        self.close(step);
    }

    /// Handles the end of input: a move, a hint or a review that is due is still sent.
    pub(super) fn end_of_input(&mut self, step: &mut Step<'_>) {
        self.closing = Closing::Owing;
        self.player.hurry_after_eof(step);
    }

    /// Returns true if the client waits for something that ends by itself.
    pub(super) fn owes_answer(&self) -> bool {
        matches!(self.player.purpose(), Some(Purpose::Move | Purpose::Hint))
            || matches!(self.task, Task::Review(_))
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
            Closing::Owing if !self.owes_answer() => self.close(step),
            Closing::Draining(cause) => self.say_goodbye_unless_playing(cause, step),
            Closing::No | Closing::Owing | Closing::Closed => {}
        }
    }

    fn say_goodbye_unless_playing(&mut self, cause: DrainCause, step: &mut Step<'_>) {
        let is_on = self.is_playing() && self.game.plies() > 0;
        if is_on || self.owes_answer() {
            return;
        }
        if self.heard {
            note(cause.remark(), step);
        }
        self.close(step);
    }
}
