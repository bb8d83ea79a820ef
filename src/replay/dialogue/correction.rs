//! Returning to the record where the engine plays something else.

use super::super::answer::{Answer, AnswerKind};
use super::super::script::{ScriptStep, command, releases};
use super::{Action, Conversation, Correction, Pace, Probe, shown};
use crate::protocol::xboard::Command;
use crate::shim::client_protocol::ClientProtocol;
use std::time::Instant;

impl Conversation {
    /// The engine has played another move, or none: puts the recorded one in its place.
    pub(super) fn correct(&mut self, played: bool, wanted: &Answer, now: Instant) -> Option<Action> {
        match self.spoken {
            ClientProtocol::Xboard => {}
            ClientProtocol::Uci => return None,
            ClientProtocol::Checkers => {
                let line = self.draughts.correction()?.to_owned();
                return Some(Action::Say(self.insist(&[line])));
            }
        }
        let mv = wanted.played()?;
        let mv = if self.usermove { format!("usermove {mv}") } else { mv.to_owned() };
        let undo = played.then(|| "undo".to_owned());
        let lines = [Some("force".to_owned()), undo, Some(mv), Some("playother".to_owned())];
        let mut bytes = self.insist(&lines.into_iter().flatten().collect::<Vec<_>>());
        let (probe, ping) = self.new_probe(now);
        self.correction = Some(Correction { probe, before: self.heard.len() });
        bytes.extend(ping);
        Some(Action::Say(bytes))
    }

    /// Handles the outcome of a correction.
    pub(super) fn corrected(&mut self, correction: Correction, now: Instant) -> Option<Action> {
        let Correction { probe: Probe { number, deadline }, before } = correction;
        if let Some(reason) = self.closed.clone() {
            self.stop(format!("The server has ended the session: {reason}"));
            return None;
        }
        if number > self.answered {
            if deadline <= now {
                self.stop("The server does not answer any more".to_owned());
                return None;
            }
            return Some(Action::Wait(deadline));
        }
        self.correction = None;
        let answers_to_others: Vec<Answer> = self.forget_what_goes_with_the_move();
        let complaint = self
            .heard
            .iter()
            .skip(before)
            .find(|answer| answer.kind == AnswerKind::Error && !answers_to_others.contains(answer));
        if let Some(complaint) = complaint.map(|answer| shown(answer.text.as_bytes())) {
            self.stop(format!(
                "The recorded move cannot be played here, and what follows is about it: {complaint}"
            ));
        }
        self.heard.retain(|answer| answer.kind != AnswerKind::Move && !answer.kind.goes_with_a_move());
        None
    }

    /// Drops expected answers that accompany the move that was not played. Returns the others up to the
    /// client's next line.
    fn forget_what_goes_with_the_move(&mut self) -> Vec<Answer> {
        let count = self.steps.iter().take_while(|step| !matches!(step, ScriptStep::Say(..))).count();
        let behind = self.steps.split_off(count);
        let mut wanted = Vec::new();
        for step in std::mem::replace(&mut self.steps, behind).into_iter().rev() {
            match &step {
                ScriptStep::Expect(_, answer) if answer.kind.goes_with_a_move() => {
                    let text = shown(answer.text.as_bytes());
                    self.tell('#', &format!("goes with the recorded move, and is not compared: {text}"));
                    continue;
                }
                ScriptStep::Expect(_, answer) => wanted.push(answer.clone()),
                _ => {}
            }
            self.steps.push_front(step);
        }
        wanted
    }

    /// The client is about to release the engine from its move, which has come already: the lines that take
    /// the move back.
    pub(super) fn take_back(&mut self) -> Vec<u8> {
        if self.spoken != ClientProtocol::Xboard {
            return Vec::new();
        }
        let Some(ScriptStep::Say(_, line)) = self.steps.front() else { return Vec::new() };
        let Some(command) = command(line).filter(releases) else { return Vec::new() };
        let Some(place) = self.heard.iter().position(|answer| answer.kind == AnswerKind::Move) else {
            return Vec::new();
        };
        let Some(answer) = self.heard.remove(place) else { return Vec::new() };
        self.too_early(&answer);
        use Command::{New, Quit, Setboard, Variant, Xboard};
        if matches!(command, New | Quit | Setboard(_) | Variant(_) | Xboard) {
            return Vec::new();
        }
        self.insist(&["force".to_owned(), "undo".to_owned()])
    }

    /// Handles a move for which the client of the record had not waited.
    pub(super) fn too_early(&mut self, answer: &Answer) {
        match self.pace {
            Pace::Fast => self.tell('#', "the client of the record did not wait for this move"),
            Pace::Recorded => self.extra(answer),
        }
    }

    /// Sends lines that return to the record, and reports them.
    fn insist(&mut self, lines: &[String]) -> Vec<u8> {
        for line in lines {
            self.tell('+', &shown(line.as_bytes()));
        }
        lines.iter().flat_map(|line| line.bytes().chain([b'\n'])).collect()
    }
}
