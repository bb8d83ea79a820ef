//! Returning to the record after the engine has played another move.

use super::super::compared_line::{ComparedLine, LineKind};
use super::super::script::{ScriptStep, command, stops_moves};
use super::findings::shown;
use super::probes::Probe;
use super::waiting::Waiting;
use super::{Action, Closing, Dialogue, Pace};
use crate::protocol::xboard::Command;
use crate::shim::client_protocol::ClientProtocol;
use std::time::Instant;

/// A recorded move that was put in the place of another.
#[derive(Clone, Copy)]
pub(super) struct Correction {
    /// Answered when the correction is done.
    probe: Probe,
    /// The number of answers before the correction.
    before: usize,
}

impl Dialogue {
    /// Puts the recorded move on the board after the engine has played another, or none.
    pub(super) fn correct(&mut self, played: bool, wanted: &ComparedLine, now: Instant) -> Option<Action> {
        match self.script.protocol {
            ClientProtocol::Xboard => {}
            ClientProtocol::Uci => return None,
            ClientProtocol::Checkers => {
                let line = self.draughts.correction()?.to_owned();
                return Some(Action::Send(self.insert_lines(&[line])));
            }
        }
        let mv = wanted.xboard_move()?;
        let mv = if self.script.usermove { format!("usermove {mv}") } else { mv.to_owned() };
        let undo = played.then(|| "undo".to_owned());
        let lines = [Some("force".to_owned()), undo, Some(mv), Some("playother".to_owned())];
        let mut bytes = self.insert_lines(&lines.into_iter().flatten().collect::<Vec<_>>());
        let (probe, ping) = self.probes.create(self.script.protocol, self.deadline(now));
        self.waiting = Waiting::Correction(Correction { probe, before: self.answers.len() });
        bytes.extend(ping);
        Some(Action::Send(bytes))
    }

    /// Handles the outcome of a correction.
    pub(super) fn corrected(&mut self, correction: Correction, now: Instant) -> Option<Action> {
        let Correction { probe, before } = correction;
        if let Closing::Closed { reason, .. } = &self.closing {
            self.findings.closed(reason);
            return None;
        }
        if !self.probes.has_answer(probe) {
            if probe.deadline <= now {
                self.findings.stop("The server does not answer any more".to_owned());
                return None;
            }
            return Some(Action::Wait(probe.deadline));
        }
        self.waiting = Waiting::Nothing;
        let expected = self.drop_expected_with_move();
        let error = self
            .answers
            .iter()
            .skip(before)
            .find(|answer| answer.kind == LineKind::Error && !expected.contains(answer));
        if let Some(error) = error.map(|answer| shown(answer.text.as_bytes())) {
            self.findings.stop(format!(
                "The recorded move, on which the rest depends, cannot be played here: {error}"
            ));
        }
        self.answers.retain(|answer| answer.kind != LineKind::Move && !answer.kind.goes_with_a_move());
        None
    }

    /// Drops expected answers that accompany the move that was not played. Returns the others up to
    /// the client's next line.
    fn drop_expected_with_move(&mut self) -> Vec<ComparedLine> {
        let count = self.script.steps.iter().take_while(|step| !matches!(step, ScriptStep::Send(..))).count();
        let behind = self.script.steps.split_off(count);
        let mut expected = Vec::new();
        for step in std::mem::replace(&mut self.script.steps, behind).into_iter().rev() {
            match &step {
                ScriptStep::Expect(_, answer) if answer.kind.goes_with_a_move() => {
                    let text = &answer.text;
                    let remark = format!("goes with the recorded move, and is not compared: {text}");
                    self.findings.line('#', remark.as_bytes());
                    continue;
                }
                ScriptStep::Expect(_, answer) => expected.push(answer.clone()),
                ScriptStep::Send(..)
                | ScriptStep::MayRepeat(_)
                | ScriptStep::Directive(_)
                | ScriptStep::Note(_) => {}
            }
            self.script.steps.push_front(step);
        }
        expected
    }

    /// Returns the lines that take back a move for which the client does not wait: its next line
    /// stops the engine.
    pub(super) fn take_back(&mut self) -> Vec<u8> {
        if self.script.protocol != ClientProtocol::Xboard {
            return Vec::new();
        }
        let Some(ScriptStep::Send(_, line)) = self.script.steps.front() else { return Vec::new() };
        let Some(command) = command(line).filter(stops_moves) else { return Vec::new() };
        let mv = self.answers.iter().position(|answer| answer.kind == LineKind::Move);
        let Some(answer) = mv.and_then(|index| self.answers.remove(index)) else { return Vec::new() };
        self.too_early(&answer);
        use Command::{New, Quit, Setboard, Variant, Xboard};
        if matches!(command, New | Quit | Setboard(_) | Variant(_) | Xboard) {
            return Vec::new();
        }
        self.insert_lines(&["force".to_owned(), "undo".to_owned()])
    }

    /// Reports a move for which the client of the record had not waited.
    pub(super) fn too_early(&mut self, answer: &ComparedLine) {
        match self.timing.pace {
            Pace::Fast => {
                self.findings.line('#', b"the client of the record did not wait for this move");
            }
            Pace::Recorded => self.findings.extra(answer),
        }
    }

    /// Reports lines that return to the record, and returns their bytes.
    fn insert_lines(&mut self, lines: &[String]) -> Vec<u8> {
        for line in lines {
            self.findings.line('+', line.as_bytes());
        }
        lines.iter().flat_map(|line| line.bytes().chain([b'\n'])).collect()
    }
}
