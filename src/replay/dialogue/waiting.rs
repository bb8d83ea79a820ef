//! Waiting for the answers of the record, and comparing them.

use super::super::compared_line::{ComparedLine, LineKind};
use super::super::script::ScriptStep;
use super::correction::Correction;
use super::findings::shown;
use super::probes::Probe;
use super::{Action, Closing, Dialogue};
use crate::shim::client_protocol::ClientProtocol;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The reason for waiting.
#[derive(Clone, Copy)]
pub(super) enum Waiting {
    /// No answer is awaited.
    Nothing,
    /// The answer to a probe, or before it an answer of the record.
    Answer(Probe),
    /// The end of a correction.
    Correction(Correction),
}

impl Dialogue {
    pub(super) fn expect(&mut self, at: Duration, wanted: &ComparedLine, now: Instant) -> Option<Action> {
        if let Some(index) = self.answers.iter().position(|answer| wanted.is_met_by(answer)) {
            self.complete_step(at, wanted, now);
            self.answers.remove(index);
            self.report_others_before(index, wanted.kind);
            self.findings.verdict.agree.add(wanted.kind);
            return None;
        }
        let is_probed = matches!(self.waiting, Waiting::Answer(probe) if self.probes.has_answer(probe));
        let is_complete = is_probed || matches!(self.closing, Closing::Closed { .. });
        let other = self.answers.iter().position(|answer| answer.kind == wanted.kind);
        // There is only one move, and a transcript has all lines in order; among other answers the
        // right one may still come.
        let other = other.filter(|_| is_complete || matches!(wanted.kind, LineKind::Move | LineKind::Whole));
        if other.is_none() && !is_complete {
            return self.wait(wanted, now);
        }
        self.complete_step(at, wanted, now);
        self.findings.verdict.differ.add(wanted.kind);
        let instead = other.and_then(|index| self.answers.remove(index));
        let difference = if instead.is_some() { "the record has" } else { "missing; the record has" };
        self.findings.line('!', format!("{difference}: {}", wanted.text).as_bytes());
        match &self.closing {
            Closing::Closed { reason, after_quit: false } if instead.is_none() => {
                self.findings.closed(reason);
                None
            }
            Closing::Open | Closing::Quit(_) if wanted.kind == LineKind::Move => {
                self.correct(instead.is_some(), wanted, now)
            }
            Closing::Open | Closing::Quit(_) | Closing::Closed { .. } => None,
        }
    }

    /// Completes the step for this answer.
    fn complete_step(&mut self, at: Duration, wanted: &ComparedLine, now: Instant) {
        self.script.steps.pop_front();
        self.waiting = Waiting::Nothing;
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
        others.iter().for_each(|answer| self.findings.extra(answer));
    }

    fn wait(&mut self, wanted: &ComparedLine, now: Instant) -> Option<Action> {
        match self.waiting {
            Waiting::Answer(probe) if probe.deadline <= now => {
                self.findings.verdict.differ.add(wanted.kind);
                let wanted = shown(wanted.text.as_bytes());
                self.findings.stop(format!("The server does not answer any more; the record has: {wanted}"));
                None
            }
            Waiting::Answer(probe) => Some(Action::Wait(probe.deadline)),
            Waiting::Nothing | Waiting::Correction(_) => {
                let (protocol, deadline) = (self.script.protocol, self.deadline(now));
                let is_move = wanted.kind == LineKind::Move && protocol != ClientProtocol::Xboard;
                // After `quit`, the end of the session shows as much.
                let has_quit = matches!(self.closing, Closing::Quit(_));
                if is_move || has_quit || wanted.kind == LineKind::Whole {
                    self.waiting = Waiting::Answer(Probe::deadline(deadline));
                    return None;
                }
                let (probe, line) = self.probes.create(protocol, deadline);
                self.waiting = Waiting::Answer(probe);
                Some(Action::Send(line))
            }
        }
    }

    /// Returns when an expected answer is overdue.
    pub(super) fn deadline(&self, now: Instant) -> Instant {
        let at = self.script.steps.front().and_then(|step| match step {
            ScriptStep::Send(at, _) | ScriptStep::Expect(at, _) => Some(*at),
            ScriptStep::MayRepeat(_) | ScriptStep::Directive(_) | ScriptStep::Note(_) => None,
        });
        self.timing.deadline(at, now)
    }
}
