//! Restored sessions, and lines that crashed several servers.

use super::{Effect, Session, Step, alert};
use crate::protocol::checkers::{Command, NO_MOVE_FOUND};
use crate::search::draughts_move;
use crate::session::closing::Closing;
use crate::session::player::Search;
use crate::session::takeover::{FATAL_SEARCH, Takeover, refusal};
use std::sync::Arc;
use std::time::Instant;

impl Session {
    /// Continues a restored session without a message to the user: an `ALERT` would open a window.
    pub(super) fn resumed(&mut self, takeover: Takeover, step: &mut Step<'_>) {
        // It was another server that was about to end.
        self.closing.undrain();
        step.effect(Effect::SolveEndgames(Arc::clone(&self.player.engine.profile().endgames)));
        if self.player.wake(step).is_none() {
            return;
        }
        if takeover.calm {
            self.player.abandon_search();
            alert(FATAL_SEARCH, step);
            self.answer_without_engine(step);
        } else if let Some(Search { purpose, limits, budget, .. }) = self.player.search() {
            let ask = self.search_of(*purpose, *limits, *budget);
            self.player.restart(&ask, takeover.warm, step);
        }
    }

    /// Answers the `GO` with a known move, without a search or an evaluation.
    fn answer_without_engine(&mut self, step: &mut Step<'_>) {
        let Some(thinking) = self.thinking.take() else { return };
        let Some(search) = self.player.halt(step) else { return };
        let first = || search.root.legal_moves().first().copied();
        match search.found().map(|(mv, _)| mv).or_else(first) {
            Some(mv) => {
                self.answer(draughts_move(mv), thinking.dont_play_move, Some(&search), step);
            }
            None => alert(NO_MOVE_FOUND, step),
        }
    }

    /// Refuses a line after which two servers were lost.
    pub(super) fn refuse_fatal(&mut self, line: &[u8], step: &mut Step<'_>) {
        self.heard = true;
        alert(refusal(line), step);
        match Command::parse(line) {
            Ok(Command::Stop) => self.answer_without_engine(step),
            Ok(Command::Quit) => self.close(step),
            Ok(
                Command::Empty
                | Command::Game(_)
                | Command::Help
                | Command::Getparameters
                | Command::Getparameter(_)
                | Command::Setparameter(..)
                | Command::Getname,
            )
            | Err(_) => {}
        }
    }

    /// Returns true if the client waits for a best move.
    pub(in crate::session) fn is_due(&self) -> bool {
        self.thinking.is_some()
    }

    /// Returns true if the session may continue on another server.
    pub(in crate::session) fn may_move(&self, _now: Instant) -> bool {
        matches!(self.closing, Closing::No | Closing::Draining(_)) && !self.is_due()
    }
}
