//! Lines of the server: what the client gets of them, and when.

use super::answer::{Answer, ends_count, is_farewell, refused_option};
use super::{Journal, Kind, Passed, Phase};
use crate::protocol::ROOM_ELSEWHERE;
use std::time::{Duration, Instant};

/// How long a remark is held back that may be the reason why a server refuses.
const REMARK_HELD: Duration = Duration::from_millis(100);

impl Journal {
    /// The server says a whole line.
    pub(super) fn heard(&mut self, line: Vec<u8>, now: Instant, passed: &mut Passed) {
        let text = String::from_utf8_lossy(&line).into_owned();
        let text = text.trim_ascii();
        let answer = Answer::of(text);
        if let Answer::Remark(remark) = answer
            && let Some(name) = refused_option(remark)
        {
            self.told.refused(name);
        }
        match answer {
            Answer::Remark(ROOM_ELSEWHERE) => return self.asked_to_move = Some(now),
            Answer::Remark(remark) if is_farewell(remark) || !self.spoke => {
                if self.phase != Phase::Catching && !is_farewell(remark) {
                    self.remarks.extend_from_slice(&line);
                    self.held_since.get_or_insert(now);
                }
                return self.last_words = Some(remark.to_owned());
            }
            Answer::Refusal(reason) => return self.last_words = Some(reason.to_owned()),
            _ if text.is_empty() => return,
            _ => {}
        }
        self.spoke = true;
        if self.phase == Phase::Catching {
            return self.heard_while_catching_up(&answer, line, now, passed);
        }
        self.release(passed);
        if self.is_for_client(answer, &line, now, passed) {
            passed.down.extend(line);
        }
    }

    /// The server does not refuse: passes on what might have been the reason.
    fn release(&mut self, passed: &mut Passed) {
        passed.down.append(&mut self.remarks);
        self.held_since = None;
        self.last_words = None;
    }

    pub(super) fn held_until(&self) -> Option<Instant> {
        self.held_since.and_then(|since| since.checked_add(REMARK_HELD))
    }

    /// Time has passed.
    pub(super) fn release_late(&mut self, now: Instant) -> Passed {
        let mut passed = Passed { down: std::mem::take(&mut self.own), ..Passed::default() };
        if self.held_until().is_some_and(|until| until <= now) {
            self.spoke = true;
            self.release(&mut passed);
        }
        passed
    }

    /// A line of a server that is being told what is settled.
    fn heard_while_catching_up(
        &mut self,
        answer: &Answer<'_>,
        line: Vec<u8>,
        now: Instant,
        passed: &mut Passed,
    ) {
        // Later answers to `uci` tell what was set: they must come behind that.
        let is_asked = self.is_asked(Kind::Uci) && !self.is_introduced;
        match answer {
            Answer::Declaration if is_asked => self.declarations.extend(line),
            Answer::Uciok if is_asked => {
                passed.down.append(&mut self.declarations);
                passed.down.extend(line);
                self.is_established = true;
                self.has_answered(Kind::Uci, now);
                self.answer_alone();
            }
            Answer::Readyok => match self.marks.pop_front() {
                Some(before) => self.told.confirm(before),
                None => {
                    self.is_established = true;
                    self.caught_up(now, passed);
                }
            },
            _ => {}
        }
    }

    /// Whether the client gets this line of a server that has the whole state; if it does not, that is because it got or will
    /// get it in `passed` otherwise, or has it already.
    fn is_for_client(&mut self, answer: Answer<'_>, line: &[u8], now: Instant, passed: &mut Passed) -> bool {
        if matches!(answer, Answer::Uciok | Answer::Bestmove | Answer::Total) {
            self.has_progressed_by_an_answer();
        }
        match answer {
            Answer::Uciok => {
                passed.down.append(&mut self.declarations);
                self.has_answered(Kind::Uci, now);
            }
            Answer::Declaration if self.is_asked(Kind::Uci) => {
                self.declarations.extend_from_slice(line);
                return false;
            }
            Answer::Readyok => {
                let Some(question) = self.has_answered(Kind::Isready, now) else {
                    return self.told.is_too_much();
                };
                if question.is_own {
                    return false;
                }
                self.has_progressed_by_an_answer();
            }
            Answer::Bestmove => {
                passed.down.append(&mut self.leaves);
                if let Some(search) = self.told.answered() {
                    passed.down.extend(search.shown.last_lines());
                    self.answers += 1;
                }
            }
            // Where there is no position, nothing is counted.
            Answer::Total | Answer::Remark(_) if self.is_counting() && ends_count(&answer) => {
                passed.down.append(&mut self.leaves);
                self.told.answered();
                self.answers += 1;
            }
            Answer::Other if self.is_counting() => {
                self.leaves.extend_from_slice(line);
                return false;
            }
            Answer::Thought(thought) => {
                return self.told.running().is_none_or(|search| search.shown.hear(thought, line));
            }
            Answer::Declaration | Answer::Total | Answer::Other | Answer::Remark(_) | Answer::Refusal(_) => {}
        }
        true
    }

    fn is_counting(&mut self) -> bool {
        self.told.running().is_some_and(|search| search.is_perft())
    }
}
