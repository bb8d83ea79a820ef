//! The journal as the relay sees it.

use super::{Journal, Kind, MAX_ANSWER, MAX_SERVER_LINE, MAX_VAIN, Phase, START_TIMEOUT};
use crate::protocol::uci::{Command, MAX_LINE};
use crate::shim::journal::{CALM, Passed, SessionJournal, Spoken};
use std::time::{Duration, Instant};

impl SessionJournal for Journal {
    fn spoken(&self) -> Option<Spoken> {
        Some(Spoken::Uci)
    }

    fn client(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        let mut up = Vec::with_capacity(bytes.len());
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            if !self.is_overlong {
                self.unfinished_up.extend_from_slice(piece);
            }
            let line = self.unfinished_up.strip_suffix(b"\n").unwrap_or(&self.unfinished_up);
            self.is_overlong |= line.strip_suffix(b"\r").unwrap_or(line).len() > MAX_LINE;
            let is_whole = piece.ends_with(b"\n");
            if is_whole && !self.is_overlong {
                let mut line = std::mem::take(&mut self.unfinished_up);
                line.truncate(line.trim_ascii_end().len());
                let asks = self.said(line, now);
                up.extend_from_slice(piece);
                if asks {
                    up.extend(format!("{}\n", Command::Isready).into_bytes());
                }
                continue;
            }
            up.extend_from_slice(piece);
            if self.is_overlong {
                self.unfinished_up.clear();
                if is_whole {
                    self.said_too_much(now);
                }
            }
            self.is_overlong &= !is_whole;
        }
        if self.phase == Phase::Live { up } else { Vec::new() }
    }

    fn server(&mut self, bytes: &[u8], now: Instant) -> Passed {
        let mut passed = Passed { down: std::mem::take(&mut self.own), ..Passed::default() };
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.unfinished_down.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.unfinished_down);
                self.heard(line, now, &mut passed);
            }
        }
        passed.down.append(&mut self.own);
        let answers = [&self.declarations, &self.leaves, &self.remarks];
        passed.endless = self.unfinished_down.len() > MAX_SERVER_LINE
            || answers.iter().any(|answer| answer.len() > MAX_ANSWER);
        passed
    }

    fn deadline(&self) -> Option<Instant> {
        self.held_until()
    }

    /// The relay calls this after each event, so lines of the journal's own do not wait.
    fn tick(&mut self, now: Instant) -> Passed {
        self.release_late(now)
    }

    fn lose(&mut self, now: Instant, _: usize) -> Option<String> {
        self.lose_server(now)
    }

    fn confirm_death(&mut self) {}

    fn resume(&mut self, now: Instant) -> Passed {
        self.take_over(now)
    }

    fn moves_from(&self) -> Option<Instant> {
        let asked = self.asked_to_move?;
        let is_settled = self.phase == Phase::Live && self.is_established && self.questions.is_empty();
        if !is_settled || self.quit || !self.can_be_resumed() {
            return None;
        }
        let calm = self.told.calm_since()?.and_then(|since| since.checked_add(CALM));
        Some(calm.map_or(asked, |calm| calm.max(asked)))
    }

    fn leave(&mut self, _: Instant) {
        self.last_words = None;
        self.part();
    }

    fn stay(&mut self) {
        self.asked_to_move = None;
    }

    fn rest(&mut self) -> Vec<u8> {
        let rest = std::mem::take(&mut self.unfinished_down);
        if self.phase == Phase::Catching {
            Vec::new()
        } else {
            [std::mem::take(&mut self.remarks), rest].concat()
        }
    }

    fn is_passed_up(&self) -> bool {
        self.phase == Phase::Live
    }

    fn waiting(&self) -> usize {
        let kept = if self.phase == Phase::Live { 0 } else { self.told.weight() + self.questions.len() };
        self.unfinished_up.len() + kept
    }

    fn can_be_resumed(&self) -> bool {
        (self.is_established || !self.is_refused()) && !self.told.is_too_much()
    }

    fn is_catching_up(&self) -> bool {
        self.phase == Phase::Catching
    }

    fn has_progressed(&self) -> bool {
        self.progress
    }

    fn knows_what_is_due(&self) -> bool {
        !self.told.is_too_much()
    }

    fn owes(&self) -> bool {
        self.told.owes() || self.owes_answer()
    }

    fn is_hopeless(&self) -> bool {
        let is_live = self.phase == Phase::Live && self.spoke;
        is_live && self.vain >= MAX_VAIN && self.answers_before == Some(self.answers)
    }

    fn is_awaited(&self) -> bool {
        self.told.is_awaited() || self.owes_answer()
    }

    fn unanswered_since(&self) -> Option<Instant> {
        let is_live = self.phase == Phase::Live && self.is_asked(Kind::Uci);
        self.asked.filter(|_| is_live)
    }

    fn start_timeout(&self) -> Option<Duration> {
        (!self.is_established && self.asked.is_some()).then_some(START_TIMEOUT)
    }

    fn is_refused(&self) -> bool {
        !self.spoke && self.last_words.is_some()
    }

    fn said_quit(&self) -> bool {
        self.quit
    }

    fn farewell(&self) -> &'static str {
        "quit"
    }

    fn complaint(&self, reason: &str) -> String {
        super::complaint(reason)
    }
}
