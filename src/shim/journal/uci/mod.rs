//! The journal of UCI.
//!
//! A UCI client says a whole position before each search, so the state of a session is small: the settings, the last
//! position, and the searches without an answer with what came after them. `told` keeps that; another server is told the
//! settings and the position first, then an `isready` of ours, whose `readyok` the client does not see. What it answers
//! until then was answered before. Then come the searches, with what has passed taken off their clocks.
//!
//! `changes`: settings and the position. `search`: a `go`. `shown`: what the client has seen of its thinking. `answer`: what
//! a server's line means; `from_server`: what the client gets of it. `takeover`: from one server to the next. `interface`: the
//! journal as the relay sees it. This file: the state of the connection, and what the client says.
//!
//! While there is no server, the journal answers alone what needs none: `isready`, since all that was said is safe here, and
//! a `stop` with the best move that the client was shown.

mod answer;
mod changes;
mod from_server;
mod interface;
mod search;
mod shown;
mod takeover;
#[cfg(test)]
mod tests;
mod told;

use super::{Passed, SessionJournal};
use crate::protocol::uci::{Command, Reply};
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use told::Told;

/// The longest line of a server in bytes. A longer one has no end.
const MAX_SERVER_LINE: usize = 64 << 10;
/// Bytes of an answer of several lines. A longer one has no end.
const MAX_ANSWER: usize = 1 << 20;
/// Questions without an answer.
const MAX_QUESTIONS: usize = 1 << 16;
/// How long the first server may take for the answer to the first line. Clients wait ten seconds.
const START_TIMEOUT: Duration = Duration::from_secs(8);
/// Servers that may close before they answer what is due, after the end of the input, before one more that does so is believed.
const MAX_VAIN: usize = 2;

/// Whether a server has the state of the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// It has all that the client has said.
    Live,
    /// It is being told.
    Catching,
    /// There is none.
    Lost,
}

/// A line that brings one answer, whatever the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Uci,
    Isready,
}

/// A line that was not answered yet.
#[derive(Clone, Copy, Debug)]
struct Question {
    kind: Kind,
    /// The journal has asked, and the client does not see the answer.
    is_own: bool,
    /// The number of the first line that came after it.
    before: u64,
}

/// The journal of a session.
#[derive(Clone, Debug)]
pub struct Journal {
    phase: Phase,
    told: Told,
    /// The client has said `uci`.
    said_uci: bool,
    /// Questions without an answer, in order.
    questions: VecDeque<Question>,
    /// What the answers of a server confirm that is being told the state: all lines before these numbers.
    marks: VecDeque<u64>,
    /// Since when the client waits for `uciok`.
    asked: Option<Instant>,
    /// The beginning of a line of the client.
    unfinished_up: Vec<u8>,
    /// That line is longer than servers take, and its beginning was forgotten.
    is_overlong: bool,
    quit: bool,
    /// The beginning of a line of the server.
    unfinished_down: Vec<u8>,
    /// The answer to `uci` and to `go perft` so far: the client gets each of them as a whole.
    declarations: Vec<u8>,
    leaves: Vec<u8>,
    /// Remarks of a server that has said nothing else, and the text of the last one: it may refuse the session.
    remarks: Vec<u8>,
    held_since: Option<Instant>,
    last_words: Option<String>,
    /// This server has said something other than remarks.
    spoke: bool,
    /// Lines of the journal's own for the client.
    own: Vec<u8>,
    /// A server has answered something.
    is_established: bool,
    /// The client has got an answer to `uci`.
    is_introduced: bool,
    /// When the client was told that the server is lost.
    outage: Option<Instant>,
    progress: bool,
    /// Servers in a row that have had a defect.
    defects: usize,
    /// Answers so far, and the same when a server was lost that had all of the session.
    answers: usize,
    answers_before: Option<usize>,
    /// How many servers in a row were lost before they answered anything.
    vain: usize,
    /// When the server said that another one has more room.
    asked_to_move: Option<Instant>,
}

impl Default for Journal {
    fn default() -> Journal {
        Journal::new()
    }
}

impl Journal {
    /// The journal of a new session, whose server is there.
    pub fn new() -> Journal {
        Journal {
            phase: Phase::Live,
            told: Told::default(),
            said_uci: false,
            questions: VecDeque::new(),
            marks: VecDeque::new(),
            asked: None,
            unfinished_up: Vec::new(),
            is_overlong: false,
            quit: false,
            unfinished_down: Vec::new(),
            declarations: Vec::new(),
            leaves: Vec::new(),
            remarks: Vec::new(),
            held_since: None,
            last_words: None,
            spoke: false,
            own: Vec::new(),
            is_established: false,
            is_introduced: false,
            outage: None,
            progress: false,
            defects: 0,
            answers: 0,
            answers_before: None,
            vain: 0,
            asked_to_move: None,
        }
    }

    /// The client says a whole line, given without its ending. Returns whether the journal asks something after it.
    fn said(&mut self, line: Vec<u8>, now: Instant) -> bool {
        if self.quit {
            // Servers read no further.
            return false;
        }
        let mut asks = false;
        let is_lost = self.phase != Phase::Live;
        match Command::parse(&line) {
            Ok(Command::Uci) => {
                self.said_uci = true;
                self.asked.get_or_insert(now);
                self.ask(Kind::Uci, false);
            }
            Ok(Command::Isready) => self.ask(Kind::Isready, false),
            Ok(Command::Quit) => self.quit = true,
            command => {
                // Otherwise a remark could be about another value of the same option.
                asks = matches!(command, Ok(Command::Setoption { .. })) && !is_lost;
                self.told.say(command, line, now, is_lost);
            }
        }
        if asks {
            self.ask(Kind::Isready, true);
        }
        if is_lost {
            self.answer_alone();
        } else if self.questions.len() > MAX_QUESTIONS || self.told.is_too_much() {
            self.be_overwhelmed();
        }
        asks
    }

    fn ask(&mut self, kind: Kind, is_own: bool) {
        self.questions.push_back(Question { kind, is_own, before: self.told.next_line() });
    }

    /// A line that is longer than servers take, of which nobody knows what it was: searches of the position before it would be
    /// wrong.
    fn said_too_much(&mut self, now: Instant) {
        let line = b"position";
        self.told.say(Command::parse(line), line.to_vec(), now, self.phase != Phase::Live);
    }

    /// From now on everything is relayed and nothing kept: no other server can take over.
    fn be_overwhelmed(&mut self) {
        self.questions.clear();
        self.told.forget_all();
        self.own.append(&mut self.declarations);
        self.own.append(&mut self.leaves);
    }

    /// Answers what needs no server.
    fn answer_alone(&mut self) {
        while let Some(answer) = self.told.answer_alone() {
            self.own.extend(answer.into_bytes());
            self.answers += 1;
        }
        while self.questions.front().is_some_and(|question| question.kind == Kind::Isready) {
            self.questions.pop_front();
            self.own.extend(Reply::Readyok.line().into_bytes());
            self.answers += 1;
        }
    }

    fn has_progressed_by_an_answer(&mut self) {
        self.is_established = true;
        self.progress = true;
        self.defects = 0;
    }

    fn is_asked(&self, kind: Kind) -> bool {
        self.questions.iter().any(|question| question.kind == kind)
    }

    /// Whether the client waits for an answer to a question.
    fn owes_answer(&self) -> bool {
        self.questions.iter().any(|question| !question.is_own)
    }

    /// The first question of this kind has its answer, if there is one.
    fn has_answered(&mut self, kind: Kind, now: Instant) -> Option<Question> {
        let place = self.questions.iter().position(|question| question.kind == kind);
        let question = self.questions.remove(place?)?;
        self.answers += usize::from(!question.is_own);
        if self.phase == Phase::Live {
            self.told.confirm(question.before);
        }
        if kind == Kind::Uci {
            self.is_introduced = true;
            self.asked = self.is_asked(Kind::Uci).then_some(now);
        }
        Some(question)
    }

    fn remark(&mut self, text: &str) {
        self.own.extend(Reply::Remark(text.to_owned()).line().into_bytes());
    }

    /// What a server has said to a client of which nothing was known yet; the client has got no part of it.
    pub(super) fn began(&mut self, said: &[u8], now: Instant) {
        let passed = self.server(said, now);
        self.own.extend(passed.down);
    }
}

/// A line that tells the client why there is no engine any more.
pub fn complaint(reason: &str) -> String {
    Reply::Remark(format!("ERROR: {reason}")).line()
}
