//! How a session ends: `quit`, the end of input, the server's shutdown.

use super::{Effect, Mode, Session, Step};
use crate::protocol::xboard::Reply;
use crate::protocol::{DrainCause, http};
use crate::session::closing::Closing;
use crate::session::player::Purpose;

impl Session {
    /// Ends the session at once.
    pub(super) fn close(&mut self, step: &mut Step<'_>) {
        self.stop(step);
        self.archive_claimed(step);
        self.pings.clear();
        self.closing = Closing::Closed;
        step.effect(Effect::Close);
    }

    /// The client speaks HTTP: answers in HTTP, and reads no further.
    pub(super) fn refuse_http(&mut self, step: &mut Step<'_>) {
        http::REFUSAL.iter().for_each(|line| step.reply(Reply::Http(line)));
        self.close(step);
    }

    /// The end of input is not the end of the session: a move or a hint that is due is still sent.
    pub(super) fn end_of_input(&mut self, step: &mut Step<'_>) {
        self.closing = Closing::Owing;
        if self.player.is_paused() {
            // No `resume` can follow.
            return;
        }
        if self.player.search().is_some_and(|search| search.sitting) {
            return self.end_sitting(step);
        }
        if self.player.purpose() == Some(Purpose::Move) {
            self.player.hurry_after_eof(step);
        }
    }

    /// The server ends its sessions.
    pub(super) fn drain(&mut self, cause: DrainCause, step: &mut Step<'_>) {
        if self.closing.drain(cause) && !matches!(self.mode, Mode::Play(_)) {
            self.say_goodbye(cause, step);
        }
    }

    /// Ends a closing session when nothing keeps it open any more.
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
        // A client that has sent nothing may be no GUI.
        if self.client.heard {
            step.reply(Reply::Tellusererror(cause.sentence().to_owned()));
        }
        self.close(step);
    }
}
