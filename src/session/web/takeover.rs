//! Restored sessions, and lines that crashed several servers.

use super::{Session, Step, Task, note, send};
use crate::protocol::web::{Message, ParseError, Request};
use crate::session::closing::Closing;
use crate::session::player::Purpose;
use crate::session::takeover::{FATAL_SEARCH, Takeover, refusal};
use std::time::{Duration, Instant};

/// No flag falls for this time after a session was restored: a move that the client has sent
/// meanwhile may come right after the state.
const FLAG_GRACE: Duration = Duration::from_secs(2);

impl Session {
    /// Continues a restored session: shows the game, as the page may have been loaded again.
    pub(super) fn resumed(&mut self, takeover: Takeover, step: &mut Step<'_>) {
        // It was another server that was about to end.
        self.closing.undrain();
        // This server has set no timer yet.
        self.timer = None;
        self.flags_from = step.now.checked_add(FLAG_GRACE);
        self.solve_endgames(step);
        if self.heard {
            self.show_game(step);
            self.show_last_lines(step);
        }
        match self.player.wake(step) {
            None => {}
            Some(purpose) if takeover.calm => self.do_without_fatal_search(purpose, step),
            Some(purpose) => {
                let ask = self.player.search().map(|search| (search.limits, search.budget));
                if let Some(ask) = ask.map(|(limits, budget)| self.search_of(purpose, limits, budget)) {
                    self.player.restart(&ask, takeover.warm, step);
                }
            }
        }
    }

    fn do_without_fatal_search(&mut self, purpose: Purpose, step: &mut Step<'_>) {
        self.player.abandon_search();
        note(FATAL_SEARCH, step);
        self.task = Task::None;
        if purpose == Purpose::Move {
            self.answer_without_engine(step);
        } else {
            self.player.halt(step);
        }
    }

    /// Makes the engine's move with a known one, without a search or an evaluation.
    fn answer_without_engine(&mut self, step: &mut Step<'_>) {
        let Some(search) = self.player.halt(step) else { return };
        let first = || search.root.legal_moves().first().copied();
        if let Some(mv) = search.found().map(|(mv, _)| mv).or_else(first) {
            self.answer_with(mv, &search, step);
        }
    }

    /// Refuses a line after which two servers were lost.
    pub(super) fn refuse_fatal(&mut self, line: &[u8], step: &mut Step<'_>) {
        self.heard = true;
        let (about, is_quit) = match Request::parse(line) {
            Ok(request) => (Some(request.name().to_owned()), request == Request::Quit {}),
            Err(ParseError { about, .. }) => (about, false),
        };
        send(Message::Error { about, text: refusal(line) }, step);
        if is_quit {
            self.close(step);
        }
    }

    /// Returns true if the client waits for a move, a hint or a review.
    pub(in crate::session) fn is_due(&self) -> bool {
        self.owes_answer()
    }

    /// Returns true if the session may continue on another server.
    pub(in crate::session) fn may_move(&self, now: Instant) -> bool {
        let is_open = matches!(self.closing, Closing::No | Closing::Draining(_));
        is_open && !self.is_due() && !self.player.is_scrolling(now)
    }
}
