//! The end of a session: `quit`, end of input, shutdown.

use super::thinking::Thinking;
use super::{Effect, Session, Step, remark};
use crate::protocol::uci::Reply;
use crate::protocol::{DrainCause, http};
use crate::search::Limits;
use crate::session::closing::{Closing, MAX_TIME_AFTER_EOF};

impl Session {
    /// `quit`: ends the session at once. A perft may finish first, since all lines may have come in
    /// one write.
    pub(super) fn quit(&mut self, step: &mut Step<'_>) {
        if self.thinking.as_deref().is_some_and(Thinking::is_perft) {
            self.closing = Closing::Owing;
            self.player.end_search_within(Some(MAX_TIME_AFTER_EOF), step);
        } else {
            self.close(step);
        }
    }

    /// Ends the session at once, after the answer to a pending `go`.
    pub(super) fn close(&mut self, step: &mut Step<'_>) {
        self.answer(step);
        self.archive_played(None, step);
        self.closing = Closing::Closed;
        step.effect(Effect::Close);
    }

    /// Answers an HTTP request with an HTTP error and closes.
    pub(super) fn refuse_http(&mut self, step: &mut Step<'_>) {
        http::REFUSAL.iter().for_each(|line| step.reply(Reply::Http(line)));
        self.close(step);
    }

    /// Handles the end of input. A search that ends by itself may do so for a while; another one
    /// would wait for a `stop` that cannot come.
    pub(super) fn end_of_input(&mut self, step: &mut Step<'_>) {
        self.closing = Closing::Owing;
        if !self.is_answer_certain() {
            return self.answer(step);
        }
        let finite =
            |limits: &Limits| limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_none();
        if self.player.search().is_some_and(|search| search.deadline.is_none() && !finite(&search.limits)) {
            // There may be no mate.
            self.player.end_search_within(Some(MAX_TIME_AFTER_EOF), step);
        } else {
            self.player.hurry_after_eof(step);
        }
    }

    /// Closes a closing session once nothing is due.
    pub(super) fn close_if_done(&mut self, step: &mut Step<'_>) {
        match self.closing {
            Closing::Owing if self.thinking.is_none() => self.close(step),
            Closing::Draining(cause) if !self.is_answer_certain() && !self.is_playing() => {
                self.say_goodbye(cause, step);
            }
            Closing::No | Closing::Owing | Closing::Draining(_) | Closing::Closed => {}
        }
    }

    /// Returns true if a game is going on, as far as UCI shows.
    fn is_playing(&self) -> bool {
        self.in_game && self.board.error().is_none() && self.game().position().outcome().is_none()
    }

    /// Says goodbye without a `bestmove` for an analysis, since no `stop` has asked for one: a
    /// client whose shim continues on another server must not see it.
    fn say_goodbye(&mut self, cause: DrainCause, step: &mut Step<'_>) {
        // A client that has not sent anything may not be a GUI.
        if self.heard {
            remark(cause.remark(), step);
        }
        self.player.halt(step);
        self.thinking = None;
        self.close(step);
    }
}
