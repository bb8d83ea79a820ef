//! The journal of the Checkers Protocol.
//!
//! It keeps the client's lines, with each `GO` that was answered replaced by the move that came: said again, they bring another
//! server to the same state, since what a server refuses is refused again. A `GO` without an answer is asked again. The
//! answers to what is said again are known, and end with that to a `GETNAME` of ours.
//!
//! `told`: what the client has said. `answer`: what a server's line means. This file: the state of the connection.

mod answer;
mod told;

pub use answer::alert as complaint;

use super::{Passed, SessionJournal, Spoken};
use crate::protocol::checkers::MAX_LINE;
use answer::{Answer, Totals};
use std::time::Instant;
use told::Told;

/// The longest line of a server. A longer one has no end.
const MAX_SERVER_LINE: usize = 1 << 20;
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

/// The state of one session.
#[derive(Debug)]
pub struct Journal {
    phase: Phase,
    told: Told,
    /// The beginning of a line of the client.
    unfinished_up: Vec<u8>,
    /// That line is longer than servers take, and its beginning was forgotten.
    is_overlong: bool,
    /// The beginning of a line of the server.
    unfinished_down: Vec<u8>,
    /// The client has seen `READY`.
    is_ready: bool,
    /// When the server was reached, which is to speak first.
    connected: Option<Instant>,
    /// This server has said `READY`.
    is_server_ready: bool,
    /// The last alert of this server, before it said `READY` or at its end.
    last_words: Option<String>,
    /// What the client was shown of the search that runs.
    totals: Totals,
    progress: bool,
    /// What was due when a server was lost that had all of the session.
    due_before: Vec<String>,
    /// How many servers in a row have closed before they answered any of it.
    vain: usize,
}

impl Default for Journal {
    fn default() -> Journal {
        Journal::new()
    }
}

impl Journal {
    /// The journal of a new session, whose server was reached at the instant `now`.
    pub fn since(now: Instant) -> Journal {
        Journal { connected: Some(now), ..Journal::new() }
    }

    /// The journal of a new session, whose server is there.
    pub fn new() -> Journal {
        Journal {
            phase: Phase::Live,
            told: Told::default(),
            unfinished_up: Vec::new(),
            is_overlong: false,
            unfinished_down: Vec::new(),
            is_ready: false,
            connected: None,
            is_server_ready: false,
            last_words: None,
            totals: Totals::default(),
            progress: false,
            due_before: Vec::new(),
            vain: 0,
        }
    }

    /// Whether the client gets this line of the server.
    fn is_for_client(&mut self, line: &str) -> bool {
        let answer = Answer::of(line);
        match &answer {
            Answer::Ready => {
                self.is_server_ready = true;
                return !std::mem::replace(&mut self.is_ready, true);
            }
            Answer::Alert(text) if !self.is_server_ready || answer::is_farewell(text) => {
                self.last_words = Some((*text).to_owned());
                return false;
            }
            Answer::Name if self.phase == Phase::Catching => {
                self.phase = Phase::Live;
                // A server that dies of what is owed comes as far as this, too.
                self.progress = !self.told.owes();
                return false;
            }
            _ if self.phase == Phase::Catching => return false,
            _ => {}
        }
        self.progress |= answer != Answer::Info;
        self.told.answered(&answer);
        match answer {
            Answer::Bestmove(_) => {
                self.totals = Totals::default();
                true
            }
            Answer::Info => self.totals.advance(line),
            _ => true,
        }
    }
}

impl SessionJournal for Journal {
    fn spoken(&self) -> Option<Spoken> {
        Some(Spoken::Checkers)
    }

    fn client(&mut self, bytes: &[u8], _: Instant) -> Vec<u8> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            if !self.is_overlong {
                self.unfinished_up.extend_from_slice(piece);
            }
            let line = self.unfinished_up.strip_suffix(b"\n").unwrap_or(&self.unfinished_up);
            self.is_overlong |= line.strip_suffix(b"\r").unwrap_or(line).len() > MAX_LINE;
            let is_whole = piece.ends_with(b"\n");
            if is_whole && !self.is_overlong {
                let line = String::from_utf8_lossy(&self.unfinished_up);
                self.told.say(line.trim_ascii(), self.phase == Phase::Lost);
            }
            if is_whole || self.is_overlong {
                self.unfinished_up.clear();
            }
            self.is_overlong &= !is_whole;
        }
        if self.phase == Phase::Lost { Vec::new() } else { bytes.to_vec() }
    }

    fn server(&mut self, bytes: &[u8], _: Instant) -> Passed {
        let mut passed = Passed::default();
        self.unfinished_down.extend_from_slice(bytes);
        while let Some(end) = memchr::memchr(b'\n', &self.unfinished_down) {
            let line: Vec<u8> = self.unfinished_down.drain(..=end).collect();
            if self.is_for_client(String::from_utf8_lossy(&line).trim_ascii()) {
                passed.down.extend(line);
            }
        }
        passed.endless = self.unfinished_down.len() > MAX_SERVER_LINE;
        passed
    }

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn tick(&mut self, _: Instant) -> Passed {
        Passed::default()
    }

    fn lose(&mut self, _: Instant, _: usize) -> Option<String> {
        if self.phase == Phase::Live && self.is_server_ready {
            let due = self.told.due();
            self.vain = if due == self.due_before { self.vain + 1 } else { 1 };
            self.due_before = due;
        }
        self.told.doubt();
        self.phase = Phase::Lost;
        self.unfinished_down.clear();
        self.is_server_ready = false;
        self.progress = false;
        self.last_words.take()
    }

    fn confirm_death(&mut self) {}

    fn resume(&mut self, now: Instant) -> Passed {
        self.connected = Some(now);
        let mut up = Vec::new();
        if self.is_ready {
            self.phase = Phase::Catching;
            up = self.told.again().into_bytes();
        } else {
            self.phase = Phase::Live;
            up.extend(self.told.again_without_mark().into_bytes());
        }
        self.told.was_said_again(self.phase == Phase::Catching);
        if self.is_overlong {
            // Its end must not be taken for a line.
            up.resize(up.len() + MAX_LINE + 2, b'x');
        }
        up.extend_from_slice(&self.unfinished_up);
        Passed { up, ..Passed::default() }
    }

    fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.unfinished_down)
    }

    fn is_passed_up(&self) -> bool {
        self.phase != Phase::Lost
    }

    fn waiting(&self) -> usize {
        self.unfinished_up.len() + if self.phase == Phase::Lost { self.told.bytes() } else { 0 }
    }

    fn can_be_resumed(&self) -> bool {
        self.is_ready && !self.told.is_too_much()
    }

    fn is_catching_up(&self) -> bool {
        self.phase == Phase::Catching
    }

    fn has_progressed(&self) -> bool {
        self.progress
    }

    fn knows_what_is_due(&self) -> bool {
        !self.told.is_too_much()
    }

    fn owes(&self) -> bool {
        self.told.owes()
    }

    fn is_hopeless(&self) -> bool {
        let is_live = self.phase == Phase::Live && self.is_server_ready;
        is_live && self.vain >= MAX_VAIN && self.told.due() == self.due_before
    }

    fn is_awaited(&self) -> bool {
        self.told.owes()
    }

    fn unanswered_since(&self) -> Option<Instant> {
        self.connected.filter(|_| !self.is_server_ready && self.phase != Phase::Lost)
    }

    fn is_refused(&self) -> bool {
        !self.is_server_ready && self.last_words.is_some()
    }

    fn said_quit(&self) -> bool {
        self.told.said_quit()
    }

    fn farewell(&self) -> &'static str {
        "QUIT"
    }

    fn complaint(&self, reason: &str) -> String {
        answer::alert(reason)
    }
}

#[cfg(test)]
mod tests;
