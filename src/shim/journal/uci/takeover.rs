//! From one server to the next: what the next one is told.

use super::answer::is_defect;
use super::{Journal, Kind, Passed, Phase, Question};
use crate::protocol::uci::{Command, MAX_LINE};
use std::collections::VecDeque;
use std::time::Instant;

/// Servers in a row that may have a defect at what they are told, before the next one is not told it.
const MAX_DEFECTS: usize = 2;

impl Journal {
    /// The server is lost.
    pub(super) fn lose_server(&mut self, now: Instant) -> Option<String> {
        let words = self.last_words.take();
        if self.phase == Phase::Live {
            if self.spoke {
                self.vain = if self.answers_before == Some(self.answers) { self.vain + 1 } else { 1 };
                self.answers_before = Some(self.answers);
            }
            if self.is_established && !self.told.is_too_much() {
                self.outage = Some(now);
                self.remark("the server was lost: farboard-connect looks for another one");
            }
        }
        self.defects += usize::from(words.as_deref().is_some_and(is_defect));
        self.part();
        words
    }

    /// There is no server any more.
    pub(super) fn part(&mut self) {
        self.asked_to_move = None;
        self.phase = Phase::Lost;
        self.spoke = false;
        self.progress = false;
        self.unfinished_down.clear();
        self.declarations.clear();
        self.leaves.clear();
        self.remarks.clear();
        self.held_since = None;
        self.questions.retain(|question| !question.is_own);
        self.told.lose();
        if self.defects >= MAX_DEFECTS {
            self.defects = 0;
            self.own.extend(self.told.give_in().unwrap_or_default().into_bytes());
        }
        self.answer_alone();
    }

    /// Another server is there: tells it what is settled.
    pub(super) fn take_over(&mut self, now: Instant) -> Passed {
        let mut passed = Passed::default();
        if !self.is_established && self.told.is_empty() && self.questions.is_empty() {
            // Nothing was said yet.
            self.caught_up(now, &mut passed);
            return passed;
        }
        self.phase = Phase::Catching;
        if self.said_uci {
            passed.up.extend(format!("{}\n", Command::Uci).into_bytes());
        }
        self.marks.clear();
        self.told.tell_settled(&mut passed.up, &mut self.marks);
        passed.up.extend(format!("{}\n", Command::Isready).into_bytes());
        passed
    }

    /// The server has what is settled: tells it the rest.
    pub(super) fn caught_up(&mut self, now: Instant, passed: &mut Passed) {
        self.phase = Phase::Live;
        self.last_words = None;
        let mut asked = VecDeque::new();
        self.told.tell_rest(now, &mut passed.up, &mut asked);

        for question in &self.questions {
            let command = match question.kind {
                Kind::Uci => Command::Uci,
                Kind::Isready => Command::Isready,
            };
            passed.up.extend(format!("{command}\n").into_bytes());
        }
        for before in asked.into_iter().rev() {
            self.questions.push_front(Question { kind: Kind::Isready, is_own: true, before });
        }
        if self.quit {
            passed.up.extend(format!("{}\n", Command::Quit).into_bytes());
        }
        if self.is_overlong {
            // Its end must not be taken for a line.
            passed.up.resize(passed.up.len() + MAX_LINE + 2, b'x');
        }
        passed.up.extend_from_slice(&self.unfinished_up);
        // A server that dies of what is owed comes as far as this, too.
        self.progress = self.is_established && !self.owes_answer() && !self.told.owes();
        if let Some(since) = self.outage.take() {
            let seconds = now.saturating_duration_since(since).as_secs_f64();
            self.remark(&format!("another server goes on, {seconds:.1} seconds later"));
        }
        passed.down.append(&mut self.own);
    }
}
