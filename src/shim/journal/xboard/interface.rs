//! The journal as the relay sees it.

use super::{Journal, JournalPhase, answers};
use crate::protocol::xboard::Command;
use crate::shim::gui_message;
use crate::shim::journal::{Passed, SessionJournal, Spoken};
use std::time::Instant;

impl SessionJournal for Journal {
    fn spoken(&self) -> Option<Spoken> {
        Some(Spoken::Xboard)
    }

    fn client(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        self.take_from_client(bytes, now)
    }

    fn server(&mut self, bytes: &[u8], now: Instant) -> Passed {
        self.take_from_server(bytes, now)
    }

    fn deadline(&self) -> Option<Instant> {
        [self.held_until(), self.doubted_until(), self.notices.due()].into_iter().flatten().min()
    }

    fn tick(&mut self, now: Instant) -> Passed {
        self.release_late(now)
    }

    fn lose(&mut self, now: Instant, server: usize) -> Option<String> {
        self.lose_server(now, server)
    }

    fn confirm_death(&mut self) {
        self.confirm_last_deaths();
    }

    fn resume(&mut self, now: Instant) -> Passed {
        self.take_over(now)
    }

    fn moves_from(&self) -> Option<Instant> {
        Journal::moves_from(self)
    }

    fn leave(&mut self, _: Instant) {
        self.forget_last_deaths();
        self.part();
    }

    fn stay(&mut self) {
        self.asked_to_move = None;
    }

    fn rest(&mut self) -> Vec<u8> {
        self.take_rest()
    }

    fn is_passed_up(&self) -> bool {
        self.phase == JournalPhase::Live && !self.pending.is_kept_back()
    }

    fn waiting(&self) -> usize {
        self.pending.bytes() + self.unfinished.len()
    }

    fn can_be_resumed(&self) -> bool {
        (self.pings || self.is_unanswered() || self.is_silent()) && !self.overwhelmed
    }

    fn is_catching_up(&self) -> bool {
        matches!(self.phase, JournalPhase::Catching(_))
    }

    fn has_progressed(&self) -> bool {
        self.progress
    }

    /// Known if the server answers pings.
    fn knows_what_is_due(&self) -> bool {
        self.pings
    }

    fn owes(&self) -> bool {
        (self.ahead.due && !self.ahead.paused) || self.pending.find(answers::waits).is_some()
    }

    fn is_awaited(&self) -> bool {
        (self.ahead.due && !self.ahead.paused) || self.pending.has_lately(answers::waits)
    }

    /// Since when the client has been waiting for features, if the server has sent only some of them and
    /// nothing else.
    fn unanswered_since(&self) -> Option<Instant> {
        let place = self.pending.find(asks_in_protocol_2).filter(|_| !self.conversed)?;
        self.pending.iter().nth(place).map(|pending| pending.at)
    }

    fn is_refused(&self) -> bool {
        self.complained && !self.spoke
    }

    fn said_quit(&self) -> bool {
        self.quit
    }

    fn farewell(&self) -> &'static str {
        "quit"
    }

    /// If the engine's move is due, the engine resigns.
    fn complaint(&self, reason: &str) -> String {
        gui_message::lines(reason, self.ahead.due)
    }
}

fn asks_in_protocol_2(command: &Command) -> bool {
    matches!(command, Command::Protover(2..))
}
