//! The client's side of a replay: a pure value, fed with what the server says.
//!
//! The client's lines are sent in order, each as soon as everything before it in the record has come. Answers
//! that never come are found by a `ping` of the replay: a server answers it when it has nothing more to say
//! to the lines before. These pings have numbers from 1950000000, and neither they nor their `pong`s are
//! reported. In UCI it is an `isready`, in the Checkers Protocol a `GETNAME`, and a move is waited for without.
//!
//! Where the engine plays another move than in the record, the recorded one is put on the board in its place:
//! the client's next lines are about that position. A client of UCI sends its positions itself.

mod correction;
mod waiting;

use super::answer::{Answer, AnswerKind};
use super::draughts_game::DraughtsGame;
use super::language;
use super::record::Record;
use super::script::{Script, ScriptStep};
use super::verdict::Verdict;
use crate::shim::client_protocol::ClientProtocol;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Numbers of the replay's own pings start here. GUIs count from 1.
const FIRST_PING: i64 = 1_950_000_000;
/// How long an answer may take besides twice its time in the record; also how long the end of the session may
/// take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// The longest pause in a record that is repeated.
const MAX_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum length of a line in bytes; a longer one is taken in parts.
const MAX_LINE: usize = 1 << 20;

/// When the client's lines are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As soon as everything before them in the record has come. Only a `stop` waits for as long as it did in the record.
    Fast,
    /// Then, but not before their time in the record. A late answer delays everything that follows.
    Recorded,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Send this to the server.
    Say(Vec<u8>),
    /// Wait for output of the server, until this time.
    Wait(Instant),
    /// The replay is over.
    Finish,
}

/// A `ping` of the replay, or what stands for it.
#[derive(Clone, Copy)]
struct Probe {
    /// `i64::MAX`: nothing was asked, and nothing tells that the answer will not come.
    number: i64,
    deadline: Instant,
}

/// A recorded move that was put in the place of another.
#[derive(Clone, Copy)]
struct Correction {
    /// Answered when the correction is done.
    probe: Probe,
    /// The number of answers before the correction.
    before: usize,
}

/// A replayed conversation.
pub struct Conversation {
    spoken: ClientProtocol,
    steps: VecDeque<ScriptStep>,
    usermove: bool,
    ends_with_quit: bool,
    pace: Pace,
    began: Option<Instant>,
    /// Delay behind the record.
    late: Duration,
    /// Time in the record reached so far.
    at: Duration,
    /// When it was reached.
    reached: Option<Instant>,
    /// Probes without numbers, and lines of the client like them, that have no answer yet: the number of a probe.
    unanswered: VecDeque<Option<i64>>,
    draughts: DraughtsGame,
    /// The beginning of the server's next line.
    coming: Vec<u8>,
    /// Answers that are not yet compared, in order.
    heard: VecDeque<Answer>,
    /// Why the server has ended.
    closed: Option<String>,
    quit: bool,
    next_ping: i64,
    /// Number of the last answered `ping` of the replay.
    answered: i64,
    probe: Option<Probe>,
    correction: Option<Correction>,
    farewell: Option<Instant>,
    report: Vec<String>,
    verdict: Verdict,
}

impl Conversation {
    /// A conversation that replays this record.
    pub fn new(record: &Record, pace: Pace) -> Conversation {
        let Script { spoken, steps, usermove, ends_with_quit, .. } = Script::new(record);
        Conversation {
            spoken,
            steps: steps.into(),
            usermove,
            ends_with_quit,
            pace,
            began: None,
            late: Duration::ZERO,
            at: Duration::ZERO,
            reached: None,
            unanswered: VecDeque::new(),
            draughts: DraughtsGame::default(),
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

    /// The result so far.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Lines for the reader since the last call: `>` client, `<` server, `!` difference from the record, `+`
    /// correction, `#` remark.
    pub fn take_report(&mut self) -> Vec<String> {
        std::mem::take(&mut self.report)
    }

    /// Takes output of the server.
    pub fn hear(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.coming.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.coming.len() > MAX_LINE {
                let line = std::mem::take(&mut self.coming);
                let line = line.strip_suffix(b"\n").unwrap_or(&line);
                self.hear_line(line.strip_suffix(b"\r").unwrap_or(line));
            }
        }
    }

    fn hear_line(&mut self, line: &[u8]) {
        let answer = Answer::read(self.spoken, line);
        if language::answers_probe(self.spoken, line)
            && let Some(Some(number)) = self.unanswered.pop_front()
        {
            self.answered = number;
            return;
        }
        if let Some(Answer { kind: AnswerKind::Pong(number), .. }) = answer
            && (FIRST_PING..self.next_ping).contains(&number)
        {
            self.answered = number;
            return;
        }
        self.tell('<', &shown(line));
        self.heard.extend(answer);
    }

    /// Takes the end of the server's output.
    pub fn hear_end(&mut self, reason: &str) {
        let rest = std::mem::take(&mut self.coming);
        if !rest.is_empty() {
            self.hear_line(&rest);
        }
        self.closed = Some(reason.to_owned());
    }

    /// What to do next.
    pub fn next(&mut self, now: Instant) -> Action {
        self.began.get_or_insert(now);
        while self.verdict.stopped.is_none() {
            let action = if let Some(correction) = self.correction {
                self.corrected(correction, now)
            } else {
                match self.steps.front().cloned() {
                    Some(ScriptStep::Say(at, line)) => self.say(at, &line, now),
                    Some(ScriptStep::Expect(at, answer)) => self.expect(at, &answer, now),
                    Some(ScriptStep::Note(text)) => {
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

    // Lines of the client

    fn say(&mut self, at: Duration, line: &[u8], now: Instant) -> Option<Action> {
        if let Some(reason) = self.closed.clone() {
            if self.quit {
                self.steps.clear();
            } else {
                self.stop(format!("The server has ended the session: {reason}"));
            }
            return None;
        }
        let due = self.due(at, line, now);
        if due > now {
            return Some(Action::Wait(due));
        }
        let mut bytes = self.take_back();
        // In one piece as far as nothing is awaited: otherwise the server could be faster than the client
        // was.
        while let Some(ScriptStep::Say(at, line)) = self.steps.front().cloned() {
            if self.due(at, &line, now) > now {
                break;
            }
            self.steps.pop_front();
            self.quit |= language::is_quit(self.spoken, &line);
            if language::is_like_probe(self.spoken, &line) {
                self.unanswered.push_back(None);
            }
            if self.spoken == ClientProtocol::Checkers {
                self.draughts.say(&line);
            }
            self.reach(at, now);
            self.tell('>', &shown(&line));
            bytes.extend_from_slice(&line);
            bytes.push(b'\n');
        }
        Some(Action::Say(bytes))
    }

    /// The replay has come to this time in the record.
    fn reach(&mut self, at: Duration, now: Instant) {
        self.at = at;
        self.reached = Some(now);
    }

    /// When the client's line with this time in the record is due.
    fn due(&self, at: Duration, line: &[u8], now: Instant) -> Instant {
        match self.pace {
            Pace::Fast if language::ends_search(self.spoken, line) => {
                let pause = at.saturating_sub(self.at).min(MAX_PAUSE);
                self.reached.and_then(|reached| reached.checked_add(pause)).unwrap_or(now)
            }
            Pace::Fast => now,
            Pace::Recorded => {
                let pause = (at + self.late).min(self.at + self.late + MAX_PAUSE);
                self.began.and_then(|began| began.checked_add(pause)).unwrap_or(now)
            }
        }
    }

    // The end

    fn finish(&mut self, now: Instant) -> Action {
        if self.quit && self.closed.is_none() {
            let farewell = *self.farewell.get_or_insert(now + ANSWER_TIMEOUT);
            if farewell > now {
                return Action::Wait(farewell);
            }
            self.stop("The server does not end the session after quit".to_owned());
        }
        // Without `quit` nobody knows what else would have come.
        let heard = std::mem::take(&mut self.heard);
        for answer in heard.iter().take(if self.ends_with_quit { heard.len() } else { 0 }) {
            match answer.kind {
                AnswerKind::Move => self.too_early(answer),
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

/// A line made safe for a terminal: a record may contain anything.
fn shown(line: &[u8]) -> String {
    let visible =
        |c: char| if c.is_control() && c != '\t' { c.escape_default().to_string() } else { c.to_string() };
    String::from_utf8_lossy(line).chars().map(visible).collect()
}

#[cfg(test)]
mod tests;
