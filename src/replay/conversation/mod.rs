//! The client's part of a record said again, and the answers compared: a pure value, fed with what the server says.
//!
//! The client's lines are said in their order, each as soon as all has come that had come before it in the record. What
//! does not come at all is found out by a `ping` of our own: a server answers it when it has nothing more to say to the
//! lines before. Numbers of such pings are from 1950000000, and neither they nor their `pong`s are reported.
//!
//! Where the engine plays another move than in the record, the recorded one is put on the board in its place: what the
//! client says next is about that position.

mod correction;
mod waiting;

use super::answer::{Answer, Kind};
use super::script::{Script, Step, command};
use super::verdict::Verdict;
use crate::connect::record::Record;
use crate::protocol::xboard::Command;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Our own pings are numbered from here; those of the shim's journal are below, and GUIs count from 1.
const FIRST_PING: i64 = 1_950_000_000;
/// How long an answer may take besides twice the time that it took in the record, and the end of the session.
const PATIENCE: Duration = Duration::from_secs(60);
/// The longest time in a record that is waited for again.
const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);
/// A line that is longer than that is taken in parts, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// When the client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As soon as all has come that had come before in the record.
    Fast,
    /// Then, and not before the time in the record; what comes later than in the record delays what follows.
    Recorded,
}

/// What is to be done now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Tell the server this.
    Say(Vec<u8>),
    /// Wait for the server to say something, until then at most.
    Wait(Instant),
    /// There is nothing more to be done.
    Finish,
}

/// A `ping` of our own.
#[derive(Clone, Copy)]
struct Probe {
    number: i64,
    deadline: Instant,
}

/// A move was put in the place of another.
#[derive(Clone, Copy)]
struct Correction {
    /// Answered when the server has done it.
    probe: Probe,
    /// So many answers had come before.
    before: usize,
}

/// A conversation that is held again.
pub struct Conversation {
    steps: VecDeque<Step>,
    usermove: bool,
    ends_with_quit: bool,
    pace: Pace,
    began: Option<Instant>,
    /// How much later than in the record things happen.
    late: Duration,
    /// The time in the record that has been reached.
    at: Duration,
    /// What has come of the server's next line.
    coming: Vec<u8>,
    /// Answers that nobody has asked for yet, in order.
    heard: VecDeque<Answer>,
    /// Why the server says no more.
    closed: Option<String>,
    quit: bool,
    next_ping: i64,
    /// Our last `ping` that was answered.
    answered: i64,
    probe: Option<Probe>,
    correction: Option<Correction>,
    farewell: Option<Instant>,
    report: Vec<String>,
    verdict: Verdict,
}

impl Conversation {
    /// What is in a record, to be held again.
    pub fn new(record: &Record, pace: Pace) -> Conversation {
        let Script { steps, usermove, ends_with_quit, .. } = Script::new(record);
        Conversation {
            steps: steps.into(),
            usermove,
            ends_with_quit,
            pace,
            began: None,
            late: Duration::ZERO,
            at: Duration::ZERO,
            coming: Vec::new(),
            heard: VecDeque::new(),
            closed: None,
            quit: false,
            next_ping: FIRST_PING,
            answered: 0,
            probe: None,
            correction: None,
            farewell: None,
            report: Vec::new(),
            verdict: Verdict::default(),
        }
    }

    /// How it has gone so far.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Lines for the reader since the last call: `>` what the client says, `<` what the server says, `!` what differs
    /// from the record, `+` what is said to stay with the record, `#` what happens.
    pub fn take_report(&mut self) -> Vec<String> {
        std::mem::take(&mut self.report)
    }

    /// The server says this.
    pub fn hear(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.coming.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.coming.len() > LONGEST_LINE {
                let line = std::mem::take(&mut self.coming);
                let line = line.strip_suffix(b"\n").unwrap_or(&line);
                self.hear_line(line.strip_suffix(b"\r").unwrap_or(line));
            }
        }
    }

    fn hear_line(&mut self, line: &[u8]) {
        let answer = Answer::read(line);
        if let Some(Answer { kind: Kind::Pong(number), .. }) = answer
            && (FIRST_PING..self.next_ping).contains(&number)
        {
            self.answered = number;
            return;
        }
        self.tell('<', &shown(line));
        self.heard.extend(answer);
    }

    /// The server says no more.
    pub fn hear_end(&mut self, reason: &str) {
        let rest = std::mem::take(&mut self.coming);
        if !rest.is_empty() {
            self.hear_line(&rest);
        }
        self.closed = Some(reason.to_owned());
    }

    /// What is to be done now.
    pub fn next(&mut self, now: Instant) -> Action {
        self.began.get_or_insert(now);
        while self.verdict.stopped.is_none() {
            let action = if let Some(correction) = self.correction {
                self.corrected(correction, now)
            } else {
                match self.steps.front().cloned() {
                    Some(Step::Say(at, _)) => self.say(at, now),
                    Some(Step::Expect(at, answer)) => self.expect(at, &answer, now),
                    Some(Step::Note(text)) => {
                        self.steps.pop_front();
                        self.tell('#', &shown(text.as_bytes()));
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

    // What the client says

    fn say(&mut self, at: Duration, now: Instant) -> Option<Action> {
        if let Some(reason) = self.closed.clone() {
            if self.quit {
                self.steps.clear();
            } else {
                self.stop(format!("The server has ended the session: {reason}"));
            }
            return None;
        }
        let due = self.due(at, now);
        if due > now {
            return Some(Action::Wait(due));
        }
        let mut bytes = self.take_back();
        // In one piece, as far as nothing is waited for: then the server cannot be faster than the client was.
        while let Some(Step::Say(at, line)) = self.steps.front().cloned() {
            if self.due(at, now) > now {
                break;
            }
            self.steps.pop_front();
            self.quit |= command(&line) == Some(Command::Quit);
            self.at = at;
            self.tell('>', &shown(&line));
            bytes.extend_from_slice(&line);
            bytes.push(b'\n');
        }
        Some(Action::Say(bytes))
    }

    /// When what has this time in the record is to be said.
    fn due(&self, at: Duration, now: Instant) -> Instant {
        match self.pace {
            Pace::Fast => now,
            Pace::Recorded => {
                let pause = (at + self.late).min(self.at + self.late + LONGEST_PAUSE);
                self.began.and_then(|began| began.checked_add(pause)).unwrap_or(now)
            }
        }
    }

    // The end

    fn finish(&mut self, now: Instant) -> Action {
        if self.quit && self.closed.is_none() {
            let farewell = *self.farewell.get_or_insert(now + PATIENCE);
            if farewell > now {
                return Action::Wait(farewell);
            }
            self.stop("The server does not end the session after quit".to_owned());
        }
        // Without `quit` nobody knows what else would have come.
        let heard = std::mem::take(&mut self.heard);
        for answer in heard.iter().take(if self.ends_with_quit { heard.len() } else { 0 }) {
            match answer.kind {
                Kind::Move => self.too_early(answer),
                _ => self.extra(answer),
            }
        }
        Action::Finish
    }

    fn stop(&mut self, reason: String) {
        self.verdict.stopped = Some(reason);
    }

    fn tell(&mut self, mark: char, text: &str) {
        self.report.push(format!("{mark} {text}"));
    }
}

/// A line as a terminal may see it: whoever has made a record may have put anything into it.
fn shown(line: &[u8]) -> String {
    let visible =
        |c: char| if c.is_control() && c != '\t' { c.escape_default().to_string() } else { c.to_string() };
    String::from_utf8_lossy(line).chars().map(visible).collect()
}

#[cfg(test)]
mod tests;
