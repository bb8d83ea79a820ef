//! The journal of a session of xboard's protocol: a pure value, fed with what passes.
//!
//! * [`state`](self): what the client has said and the server has shown to have obeyed, folded into what it
//!   amounts to. `replay` turns that into lines again, `clock` is what the engine's clock shows.
//! * `pending`: lines that the server has not answered, as they were said.
//! * `heard`: what the server says. `interface`: what the relay sees of all this.
//!
//! A server obeys lines in their order, so every answer shows that all before the line it answers was
//! obeyed. Where a line has no answer the journal asks: a `ping` of its own, whose `pong` no GUI sees.
//!
//! When a server is lost, the next one is told the state, then asked to say when it has heard all of it;
//! what it says until then was said before. After that it hears the pending lines, and answers them.
//!
//! Whatever either side says, what is kept has a bound, and no line costs more than the one before: copies of a
//! [`state`](self) share what is long. What is too much for a session of chess is relayed and forgotten.

mod answers;
mod blame;
mod claim;
mod clock;
mod heard;
mod interface;
mod pending;
mod questions;
mod replay;
mod state;
mod takeover;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_floods;

pub use heard::Heard;

use super::{Passed, SessionJournal};
use crate::protocol::xboard::Command;
use pending::{Pending, Queue};
use state::State;
use std::time::{Duration, Instant};

/// More lines than that without an answer make the journal ask for one.
const MAX_UNANSWERED: usize = 64;
/// More bytes than that without an answer, or in one line of the client, are no chess session.
const MAX_KEPT: usize = 4 << 20;
/// No engine says a longer line, in bytes. GUIs take far shorter ones.
const MAX_LINE: usize = 64 << 10;
/// The journal's own pings are numbered from here; GUIs count from 1.
const FIRST_PING: i64 = 1_900_000_000;
/// How long a server's complaint is held back: it may turn out to be its last words.
const COMPLAINT_HELD: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// What comes is passed on.
    Live,
    /// There is no server.
    Lost,
    /// A server hears what was before, and will say so with this number.
    Catching(i64),
}

/// The journal of one session.
#[derive(Clone, Debug)]
pub struct Journal {
    phase: Phase,
    state: State,
    /// What the state will be when the pending lines are obeyed.
    ahead: State,
    pending: Queue,
    /// What has come of the client's next line.
    unfinished: Vec<u8>,
    /// What has come of the server's next line, and how much of it was passed on.
    coming: Vec<u8>,
    passed: usize,
    /// That line is longer than any of an engine: the rest of it is passed on and not looked at.
    skipping: bool,
    /// Whole lines not passed on yet, since when.
    held: Vec<u8>,
    held_since: Option<Instant>,
    /// The server answers pings: only then another can take over.
    pings: bool,
    next_ping: i64,
    /// A ping of our own would tell more than is known.
    unsure: bool,
    own_pings: usize,
    /// Too much has gone unanswered.
    overwhelmed: bool,
    quit: bool,
    /// Feature lines that the client has; a server that is told `protover` again repeats them.
    features: Vec<Vec<u8>>,
    features_bytes: usize,
    repeats: bool,
    /// Lines of the answer to `bk` that the client has, and how many of them come again.
    book: usize,
    book_repeats: usize,
    /// The server has said something else than complaints.
    spoke: bool,
    /// The server has said something else than features.
    conversed: bool,
    /// Another server has taken over.
    resumed: bool,
    /// The engine has moved, and said nothing since that comes after a move; so many lines had come by then.
    just_moved: Option<usize>,
    complained: bool,
    /// The last server that took over has answered something.
    progress: bool,
}

impl Default for Journal {
    fn default() -> Self {
        Self::new()
    }
}

impl Journal {
    /// The journal of a session with a server that has heard nothing yet.
    pub fn new() -> Journal {
        Journal {
            phase: Phase::Live,
            state: State::new(),
            ahead: State::new(),
            pending: Queue::default(),
            unfinished: Vec::new(),
            coming: Vec::new(),
            passed: 0,
            skipping: false,
            held: Vec::new(),
            held_since: None,
            pings: false,
            next_ping: FIRST_PING,
            unsure: false,
            own_pings: 0,
            overwhelmed: false,
            quit: false,
            features: Vec::new(),
            features_bytes: 0,
            repeats: false,
            book: 0,
            book_repeats: 0,
            spoke: false,
            conversed: false,
            resumed: false,
            just_moved: None,
            complained: false,
            progress: false,
        }
    }

    fn take_from_client(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        let mut up = Vec::with_capacity(bytes.len());
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let begun = !self.unfinished.is_empty();
            self.unfinished.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.unfinished);
                self.said(without_end(&line), begun, now, piece, &mut up);
            } else {
                up.extend_from_slice(piece);
            }
        }
        if self.unfinished.len() > MAX_KEPT {
            self.overwhelmed = true;
            self.unfinished.truncate(1);
        }
        if self.is_passed_up() { up } else { Vec::new() }
    }

    /// A line of the client, whose last piece is to go up; if it was begun, the others are on their way.
    fn said(&mut self, line: &[u8], begun: bool, now: Instant, piece: &[u8], up: &mut Vec<u8>) {
        let command = Command::parse(line).ok();
        self.quit = command == Some(Command::Quit);
        let passed_up = self.is_passed_up();
        let asks = self.pings && passed_up && !self.quit && !self.overwhelmed;
        let pending = Pending::new(line, now, passed_up.then_some(now));
        if asks && !begun && self.is_mistakable(&pending) {
            self.ping(now, up);
        }
        up.extend_from_slice(piece);
        if self.overwhelmed {
            return;
        }
        let crossed = self.expect(&pending);
        self.pending.push(pending);
        let many = self.pending.len() > MAX_UNANSWERED && self.own_pings == 0;
        if asks && (crossed || many) {
            self.ping(now, up);
        }
        if passed_up && (self.pending.weight() > MAX_KEPT || self.ahead.is_too_much()) {
            self.be_overwhelmed();
        }
    }

    /// From now on all is relayed and nothing kept: no other server can take over.
    fn be_overwhelmed(&mut self) {
        self.overwhelmed = true;
        self.pending.clear();
        (self.state, self.ahead) = (State::new(), State::new());
        (self.features, self.features_bytes) = (Vec::new(), 0);
    }

    /// Bytes that are kept of what was said, about.
    pub fn bytes(&self) -> usize {
        let lines = self.unfinished.capacity() + self.coming.capacity() + self.held.capacity();
        lines + self.features_bytes + self.pending.weight() + self.state.bytes() + self.ahead.bytes()
    }

    fn take_from_server(&mut self, bytes: &[u8], now: Instant) -> Passed {
        let mut passed = Passed::default();
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            if self.skipping {
                passed.down.extend_from_slice(piece);
                self.skipping = !piece.ends_with(b"\n");
                continue;
            }
            self.coming.extend_from_slice(piece);
            if self.coming.len() > MAX_LINE && self.can_be_resumed() {
                self.coming = Vec::new();
                passed.endless = true;
                return passed;
            } else if self.coming.len() > MAX_LINE {
                self.skip(&mut passed);
            } else if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.coming);
                let begun = std::mem::take(&mut self.passed);
                self.line(&line, begun, now, &mut passed);
            }
        }
        if !self.overwhelmed && self.state.is_too_much() {
            self.be_overwhelmed();
        }
        self.tell_more(now, &mut passed);
        if std::mem::take(&mut self.unsure) && self.pings && self.is_passed_up() && self.own_pings == 0 {
            self.ping(now, &mut passed.up);
        }
        let beginning = b"tellusererror ".iter().zip(&self.coming).all(|(one, other)| one == other);
        let whole = self.can_be_resumed();
        if !whole && !self.coming.is_empty() && (self.passed > 0 || !beginning || self.spoke) {
            self.release(&mut passed);
            passed.down.extend_from_slice(&self.coming[self.passed..]);
            self.passed = self.coming.len();
            (self.spoke, self.conversed) = (true, true);
        } else if !whole && !self.coming.is_empty() {
            self.held_since.get_or_insert(now);
        }
        passed
    }

    /// What comes is no line of an engine, and nobody needs to know it.
    fn skip(&mut self, passed: &mut Passed) {
        self.release(passed);
        let line = std::mem::take(&mut self.coming);
        passed.down.extend_from_slice(&line[std::mem::take(&mut self.passed)..]);
        self.skipping = !line.ends_with(b"\n");
        (self.spoke, self.conversed) = (true, true);
    }

    /// A whole line of the server, of which so much was passed on before.
    fn line(&mut self, line: &[u8], begun: usize, now: Instant, passed: &mut Passed) {
        let text = without_end(line);
        let heard = Heard::parse(text);
        if let Phase::Catching(number) = self.phase {
            match heard {
                Heard::Pong(pong) if pong == number => {
                    (self.complained, self.held) = (false, Vec::new());
                    self.caught_up(now, passed);
                }
                // It may be why the server will not have us.
                Heard::Complaint => (self.complained, self.held) = (true, line.to_owned()),
                _ => {}
            }
            return;
        }
        let wanted = if self.overwhelmed { !self.is_own_pong(heard) } else { self.hear(heard, text, now) };
        let complaint = matches!(heard, Heard::Complaint | Heard::IllegalPosition | Heard::IllegalTurn);
        self.spoke |= !complaint;
        self.conversed |= !matches!(heard, Heard::Feature(_));
        self.complained |= complaint;
        if !wanted && begun == 0 {
            return;
        }
        self.progress |= heard.is_answer();
        self.release(passed);
        if heard == Heard::Complaint && begun == 0 && (self.can_be_resumed() || !self.spoke) {
            if self.held.len() > MAX_LINE {
                self.release(passed);
            }
            self.held.extend_from_slice(line);
            self.held_since = Some(now);
        } else {
            passed.down.extend_from_slice(&line[begun..]);
        }
    }

    fn release(&mut self, passed: &mut Passed) {
        passed.down.append(&mut self.held);
        self.held_since = None;
    }

    fn is_own_pong(&self, heard: Heard<'_>) -> bool {
        matches!(heard, Heard::Pong(number) if (FIRST_PING..self.next_ping).contains(&number))
    }

    fn held_until(&self) -> Option<Instant> {
        self.held_since.and_then(|since| since.checked_add(COMPLAINT_HELD))
    }

    fn release_late(&mut self, now: Instant) -> Passed {
        let mut passed = Passed::default();
        self.tell_more(now, &mut passed);
        if self.held_until().is_none_or(|until| now < until) {
            return passed;
        }
        self.release(&mut passed);
        if !self.can_be_resumed() {
            passed.down.extend_from_slice(&self.coming[self.passed..]);
            self.passed = self.coming.len();
        }
        passed
    }

    fn take_rest(&mut self) -> Vec<u8> {
        let mut rest = std::mem::take(&mut self.held);
        self.held_since = None;
        if self.is_catching_up() {
            rest.clear();
        } else {
            rest.extend_from_slice(&self.coming[self.passed..]);
        }
        self.coming.clear();
        (self.passed, self.skipping) = (0, false);
        rest
    }

    /// Whether nobody has said anything yet. GUIs start engines long before they need them.
    fn is_silent(&self) -> bool {
        let unsaid = self.pending.iter().next().is_none() && self.unfinished.is_empty();
        unsaid && !self.spoke && !self.complained
    }

    /// Whether the client has asked for features, and the server has not said all of them and nothing else.
    fn is_unanswered(&self) -> bool {
        self.unanswered_since().is_some()
    }
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
