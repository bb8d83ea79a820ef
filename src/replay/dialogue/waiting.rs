//! Waiting for the answers of the record, and comparing them.

use super::super::answer::{Answer, AnswerKind};
use super::super::language;
use super::super::script::ScriptStep;
use super::{ANSWER_TIMEOUT, Action, Conversation, MAX_PAUSE, Probe, shown};
use crate::shim::client_protocol::ClientProtocol;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

impl Conversation {
    pub(super) fn expect(&mut self, at: Duration, wanted: &Answer, now: Instant) -> Option<Action> {
        if let Some(place) = self.heard.iter().position(|answer| answer == wanted) {
            self.arrived(at, wanted, now);
            self.heard.remove(place);
            self.refuse_others_before(place, wanted.kind);
            self.verdict.agree.add(wanted.kind);
            return None;
        }
        let over = self.closed.is_some();
        let complete = over || self.probe.as_ref().is_some_and(|probe| probe.number <= self.answered);
        let other = self.heard.iter().position(|answer| answer.kind == wanted.kind);
        // There is only one move; among other answers the right one may still come.
        let other = other.filter(|_| complete || wanted.kind == AnswerKind::Move);
        if other.is_none() && !complete {
            return self.wait(wanted, now);
        }
        self.arrived(at, wanted, now);
        self.verdict.differ.add(wanted.kind);
        let instead = other.and_then(|place| self.heard.remove(place));
        let what = if instead.is_some() { "the record has" } else { "not said; the record has" };
        self.tell('!', &format!("{what}: {}", shown(wanted.text.as_bytes())));
        match &self.closed {
            Some(reason) if instead.is_none() && !self.quit => {
                self.stop(format!("The server has ended the session: {reason}"));
                None
            }
            None if wanted.kind == AnswerKind::Move => self.correct(instead.is_some(), wanted, now),
            _ => None,
        }
    }

    /// Completes the step that was waited for.
    fn arrived(&mut self, at: Duration, wanted: &Answer, now: Instant) {
        self.steps.pop_front();
        self.probe = None;
        self.reach(at, now);
        self.draughts.answered(&wanted.text);
        let passed = self.began.map_or(Duration::ZERO, |began| now.saturating_duration_since(began));
        self.late = self.late.max(passed.saturating_sub(at));
    }

    /// Reports answers of this kind that came before the expected one.
    fn refuse_others_before(&mut self, place: usize, kind: AnswerKind) {
        let mut rest = self.heard.split_off(place.min(self.heard.len()));
        let (refused, kept) =
            std::mem::take(&mut self.heard).into_iter().partition(|answer| answer.kind == kind);
        self.heard = kept;
        self.heard.append(&mut rest);
        let refused: VecDeque<Answer> = refused;
        refused.iter().for_each(|answer| self.extra(answer));
    }

    pub(super) fn extra(&mut self, answer: &Answer) {
        self.verdict.differ.add(answer.kind);
        self.tell('!', &format!("not in the record: {}", shown(answer.text.as_bytes())));
    }

    fn wait(&mut self, wanted: &Answer, now: Instant) -> Option<Action> {
        match &self.probe {
            None if self.spoken != ClientProtocol::Xboard && wanted.kind == AnswerKind::Move => {
                self.probe = Some(Probe { number: i64::MAX, deadline: self.patience(now) });
                None
            }
            None => {
                let (probe, ping) = self.new_probe(now);
                self.probe = Some(probe);
                // After `quit`, the end of the session tells as much.
                (!self.quit).then_some(Action::Say(ping))
            }
            Some(probe) if probe.deadline <= now => {
                self.verdict.differ.add(wanted.kind);
                let wanted = shown(wanted.text.as_bytes());
                self.stop(format!("The server does not answer any more; the record has: {wanted}"));
                None
            }
            Some(probe) => Some(Action::Wait(probe.deadline)),
        }
    }

    /// A new `ping` of the replay, and its line.
    pub(super) fn new_probe(&mut self, now: Instant) -> (Probe, Vec<u8>) {
        let number = self.next_ping;
        self.next_ping += 1;
        if self.spoken != ClientProtocol::Xboard && !self.quit {
            self.unanswered.push_back(Some(number));
        }
        let probe = Probe { number, deadline: self.patience(now) };
        (probe, language::probe(self.spoken, number).into_bytes())
    }

    /// When what is awaited is overdue.
    fn patience(&self, now: Instant) -> Instant {
        let next = self.steps.front().map_or(self.at, |step| match step {
            ScriptStep::Say(at, _) | ScriptStep::Expect(at, _) => *at,
            ScriptStep::Note(_) => self.at,
        });
        let took = next.saturating_sub(self.at).min(MAX_PAUSE);
        now + ANSWER_TIMEOUT + 2 * took
    }
}
