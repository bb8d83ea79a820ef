//! Waiting for the answers of the record, and comparing them.

use super::super::compared_line::{ComparedLine, LineKind};
use super::super::language;
use super::super::script::ScriptStep;
use super::{Action, Dialogue, Probe, shown};
use crate::shim::client_protocol::ClientProtocol;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

impl Dialogue {
    pub(super) fn expect(&mut self, at: Duration, wanted: &ComparedLine, now: Instant) -> Option<Action> {
        if let Some(index) = self.answers.iter().position(|answer| wanted.is_met_by(answer)) {
            self.complete_step(at, wanted, now);
            self.answers.remove(index);
            self.report_others_before(index, wanted.kind);
            self.verdict.agree.add(wanted.kind);
            return None;
        }
        let is_probed = self.probe.as_ref().is_some_and(|probe| probe.number <= self.answered);
        let is_complete = self.closed.is_some() || is_probed;
        let other = self.answers.iter().position(|answer| answer.kind == wanted.kind);
        // There is only one move, and a transcript has all lines in order; among other answers the
        // right one may still come.
        let other = other.filter(|_| is_complete || matches!(wanted.kind, LineKind::Move | LineKind::Whole));
        if other.is_none() && !is_complete {
            return self.wait(wanted, now);
        }
        self.complete_step(at, wanted, now);
        self.verdict.differ.add(wanted.kind);
        let instead = other.and_then(|index| self.answers.remove(index));
        let difference = if instead.is_some() { "the record has" } else { "missing; the record has" };
        self.report('!', &format!("{difference}: {}", shown(wanted.text.as_bytes())));
        match &self.closed {
            Some(reason) if instead.is_none() && !self.has_quit => {
                self.stop(format!("The server has ended the session: {reason}"));
                None
            }
            None if wanted.kind == LineKind::Move => self.correct(instead.is_some(), wanted, now),
            Some(_) | None => None,
        }
    }

    /// Completes the step for this answer.
    fn complete_step(&mut self, at: Duration, wanted: &ComparedLine, now: Instant) {
        self.script.steps.pop_front();
        self.probe = None;
        self.repeated = None;
        self.timing.reach_answer(at, now);
        self.draughts.answered(&wanted.text);
    }

    /// Reports answers of this kind that came before the expected one.
    fn report_others_before(&mut self, index: usize, kind: LineKind) {
        let rest = self.answers.split_off(index.min(self.answers.len()));
        let (others, kept): (VecDeque<_>, _) =
            std::mem::take(&mut self.answers).into_iter().partition(|answer| answer.kind == kind);
        self.answers = kept;
        self.answers.extend(rest);
        others.iter().for_each(|answer| self.extra(answer));
    }

    pub(super) fn extra(&mut self, answer: &ComparedLine) {
        self.verdict.differ.add(answer.kind);
        self.report('!', &format!("not in the record: {}", shown(answer.text.as_bytes())));
    }

    fn wait(&mut self, wanted: &ComparedLine, now: Instant) -> Option<Action> {
        match &self.probe {
            None if wanted.kind == LineKind::Whole
                || (self.script.protocol != ClientProtocol::Xboard && wanted.kind == LineKind::Move) =>
            {
                self.probe = Some(Probe { number: i64::MAX, deadline: self.deadline(now) });
                None
            }
            None => {
                let (probe, ping) = self.new_probe(now);
                self.probe = Some(probe);
                // After `quit`, the end of the session shows as much.
                (!self.has_quit).then_some(Action::Send(ping))
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

    /// Returns a new probe, and its line.
    pub(super) fn new_probe(&mut self, now: Instant) -> (Probe, Vec<u8>) {
        let number = self.next_ping;
        self.next_ping += 1;
        if self.script.protocol != ClientProtocol::Xboard && !self.has_quit {
            self.unanswered.push_back(Some(number));
        }
        let probe = Probe { number, deadline: self.deadline(now) };
        (probe, language::probe(self.script.protocol, number).into_bytes())
    }

    /// Returns when an expected answer is overdue.
    fn deadline(&self, now: Instant) -> Instant {
        let at = self.script.steps.front().and_then(|step| match step {
            ScriptStep::Send(at, _) | ScriptStep::Expect(at, _) => Some(*at),
            ScriptStep::MayRepeat(_) | ScriptStep::Directive(_) | ScriptStep::Note(_) => None,
        });
        self.timing.deadline(at, now)
    }
}
