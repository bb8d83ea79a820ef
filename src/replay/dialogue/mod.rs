//! The client's side of a replay: a value without clock and sockets.
//!
//! Lines are sent in order, each as soon as everything before it in the record has come. Missing
//! answers are detected by a `ping` of the replay, which a server answers after its answers to
//! earlier lines. In UCI the probe is an `isready`, in the Checkers Protocol a `GETNAME`, and moves
//! are awaited without one. Neither the probes nor their answers are reported.
//!
//! If the engine plays another move than in the record, the recorded one is put on the board in its
//! place: the client's next lines are about that position. A client of UCI sends its positions
//! itself.

mod correction;
mod findings;
mod probes;
mod timing;
mod waiting;

pub use timing::Pace;

use super::compared_line::{ComparedLine, LineKind};
use super::draughts_game::DraughtsGame;
use super::language;
use super::script::{Script, ScriptStep};
use super::verdict::Verdict;
use crate::shim::client_protocol::ClientProtocol;
use findings::Findings;
use probes::Probes;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use timing::{ANSWER_TIMEOUT, Timing};
use waiting::Waiting;

/// Maximum length of a line in bytes; a longer one is taken in parts.
const MAX_LINE: usize = 1 << 20;

/// The next action of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Send these bytes to the server.
    Send(Vec<u8>),
    /// Wait for output of the server, until this time.
    Wait(Instant),
    /// Execute a directive of a transcript.
    Directive(String),
    /// End the replay.
    Finish,
}

/// The way to the end of the session.
enum Closing {
    /// The session is open.
    Open,
    /// `quit` was sent. After the script, there is a time limit for the end of the session.
    Quit(Option<Instant>),
    /// The server's output has ended, for this reason.
    Closed { reason: String, after_quit: bool },
}

/// A running replay.
pub struct Dialogue {
    script: Script,
    timing: Timing,
    draughts: DraughtsGame,
    /// The beginning of the server's next line.
    partial_line: Vec<u8>,
    /// Answers that have not been compared yet, in order.
    answers: VecDeque<ComparedLine>,
    /// The form of further answers like the last one.
    repeated: Option<ComparedLine>,
    probes: Probes,
    waiting: Waiting,
    closing: Closing,
    findings: Findings,
}

impl Dialogue {
    /// A dialogue that follows this script and begins now.
    pub fn new(script: Script, pace: Pace, now: Instant) -> Dialogue {
        Dialogue {
            script,
            timing: Timing::new(pace, now),
            draughts: DraughtsGame::default(),
            partial_line: Vec::new(),
            answers: VecDeque::new(),
            repeated: None,
            probes: Probes::new(),
            waiting: Waiting::Nothing,
            closing: Closing::Open,
            findings: Findings::default(),
        }
    }

    /// Returns the result so far.
    pub fn verdict(&self) -> &Verdict {
        &self.findings.verdict
    }

    /// Returns the lines for the reader since the last call: `>` client, `<` server, `!` difference
    /// from the record, `+` correction, `@` directive, `#` remark.
    pub fn take_report(&mut self) -> Vec<String> {
        std::mem::take(&mut self.findings.lines)
    }

    /// Takes output of the server.
    pub fn receive(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.partial_line.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.partial_line.len() > MAX_LINE {
                let line = std::mem::take(&mut self.partial_line);
                let line = line.strip_suffix(b"\n").unwrap_or(&line);
                self.receive_line(line.strip_suffix(b"\r").unwrap_or(line));
            }
        }
    }

    fn receive_line(&mut self, line: &[u8]) {
        if self.script.is_transcript {
            self.findings.line('<', line);
            self.answers.push_back(ComparedLine::whole(line));
            return;
        }
        let answer = ComparedLine::read(self.script.protocol, line);
        if !self.probes.take_answer(self.script.protocol, line, answer.as_ref()) {
            self.findings.line('<', line);
            self.answers.extend(answer);
        }
    }

    /// Takes the end of the server's output.
    pub fn receive_end(&mut self, reason: &str) {
        let rest = std::mem::take(&mut self.partial_line);
        if !rest.is_empty() {
            self.receive_line(&rest);
        }
        let after_quit = match self.closing {
            Closing::Open => false,
            Closing::Quit(_) => true,
            Closing::Closed { after_quit, .. } => after_quit,
        };
        self.closing = Closing::Closed { reason: reason.to_owned(), after_quit };
    }

    /// Returns the next action.
    pub fn next(&mut self, now: Instant) -> Action {
        while self.findings.verdict.stopped.is_none() {
            while self.repeats_last_answer() {
                self.answers.pop_front();
            }
            let action = if let Waiting::Correction(correction) = self.waiting {
                self.corrected(correction, now)
            } else {
                match self.script.steps.front().cloned() {
                    Some(ScriptStep::Send(at, line)) => self.send(at, &line, now),
                    Some(ScriptStep::Expect(at, answer)) => self.expect(at, &answer, now),
                    Some(ScriptStep::MayRepeat(form)) => {
                        self.script.steps.pop_front();
                        self.repeated = Some(ComparedLine::whole(form.as_bytes()));
                        None
                    }
                    Some(ScriptStep::Directive(text)) => {
                        self.script.steps.pop_front();
                        self.report_unexpected();
                        self.findings.line('@', text.as_bytes());
                        Some(Action::Directive(text))
                    }
                    Some(ScriptStep::Note(text)) => {
                        self.script.steps.pop_front();
                        self.findings.line('#', text.as_bytes());
                        None
                    }
                    None => return self.finish(now),
                }
            };
            if let Some(action) = action {
                return action;
            }
        }
        Action::Finish
    }

    fn send(&mut self, at: Duration, line: &[u8], now: Instant) -> Option<Action> {
        if let Closing::Closed { reason, after_quit } = &self.closing {
            if *after_quit {
                self.script.steps.clear();
            } else {
                self.findings.closed(reason);
            }
            return None;
        }
        let due = self.due(at, line, now);
        if due > now {
            return Some(Action::Wait(due));
        }
        if self.script.is_transcript {
            self.report_unexpected();
        }
        let mut bytes = self.take_back();
        // In one piece up to the next expected answer: otherwise the server could be faster than
        // the client was.
        while let Some(ScriptStep::Send(at, line)) = self.script.steps.front().cloned() {
            if self.due(at, &line, now) > now {
                break;
            }
            self.script.steps.pop_front();
            if language::is_quit(self.script.protocol, &line) {
                self.closing = Closing::Quit(None);
            }
            self.probes.client_sent(self.script.protocol, &line);
            if self.script.protocol == ClientProtocol::Checkers {
                self.draughts.client_sent(&line);
            }
            self.timing.reach(at, now);
            self.findings.line('>', &line);
            bytes.extend_from_slice(&line);
            bytes.push(b'\n');
            if self.script.is_transcript {
                break;
            }
        }
        Some(Action::Send(bytes))
    }

    /// Returns when the client's line with this time in the record is due.
    fn due(&self, at: Duration, line: &[u8], now: Instant) -> Instant {
        self.timing.due(at, language::ends_search(self.script.protocol, line), now)
    }

    fn finish(&mut self, now: Instant) -> Action {
        if let Closing::Quit(until) = &mut self.closing {
            let until = *until.get_or_insert(now + ANSWER_TIMEOUT);
            if until > now {
                return Action::Wait(until);
            }
            self.findings.stop("The server does not end the session after quit".to_owned());
        }
        // Without `quit`, more answers may have been to come.
        if self.script.ends_with_quit || self.script.is_transcript {
            self.report_unexpected();
        }
        Action::Finish
    }

    fn report_unexpected(&mut self) {
        for answer in std::mem::take(&mut self.answers) {
            if answer.kind == LineKind::Move { self.too_early(&answer) } else { self.findings.extra(&answer) }
        }
    }

    /// Returns true if the next answer is another one like the last, and not the next expected one.
    fn repeats_last_answer(&self) -> bool {
        let (Some(answer), Some(form)) = (self.answers.front(), &self.repeated) else { return false };
        let next =
            matches!(self.script.steps.front(), Some(ScriptStep::Expect(_, next)) if next.is_met_by(answer));
        form.is_met_by(answer) && !next
    }

    pub(super) fn stop(&mut self, reason: String) {
        self.findings.stop(reason);
    }
}

#[cfg(test)]
mod tests;
