//! The journal of a session in xboard's protocol: a pure value, fed with what passes.
//!
//! * [`state`](self): the effect of all lines that the server is known to have obeyed. `retell` turns it into
//!   lines again, `clock` is the engine's clock.
//! * `pending`: lines that the server has not answered, verbatim.
//! * `server_line`: lines of the server. `notice`: what the user is told of outages. `interface`: the journal as the
//!   relay sees it.
//!
//! A server obeys lines in order, so every answer shows that all lines before the answered one were obeyed.
//! Where a line has no answer, the journal sends a `ping` of its own, whose `pong` the GUI never sees.
//!
//! When a server is lost, the next one gets the state, then a ping; its output until the pong belongs to the
//! past. Then it gets the pending lines, and answers them.
//!
//! Whatever either side sends, memory is bounded, and no line costs more than the one before: copies of a
//! [`state`](self) share long parts. What is too much for a chess session is relayed and not recorded.

mod answers;
mod clock;
mod fatal_lines;
mod interface;
mod lost_claim;
mod notice;
mod own_pings;
mod pending;
mod retell;
mod server_line;
mod state;
mod takeover;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_floods;

pub use server_line::Heard;

use super::{Passed, SessionJournal};
use crate::protocol::xboard::Command;
use notice::Notices;
use pending::{Pending, Queue};
use state::State;
use std::time::{Duration, Instant};

/// Unanswered lines after which the journal sends a ping.
const MAX_UNANSWERED: usize = 64;
/// Unanswered bytes, or bytes of a single line, that are too many for a chess session.
const MAX_KEPT: usize = 4 << 20;
/// Maximum length in bytes of a server's line. GUIs accept far shorter ones.
const MAX_LINE: usize = 64 << 10;
/// Numbers of the journal's own pings start here; GUIs count from 1.
const FIRST_PING: i64 = 1_900_000_000;
/// How long a server's complaint is held back: it may turn out to be its last words.
const COMPLAINT_HELD: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JournalPhase {
    /// Everything is passed on.
    Live,
    /// There is no server.
    Lost,
    /// A server gets the session so far, and confirms it with the pong of this number.
    Catching(i64),
}

/// The journal of a session.
#[derive(Clone, Debug)]
pub struct Journal {
    phase: JournalPhase,
    state: State,
    /// The state when the server has obeyed the pending lines.
    ahead: State,
    pending: Queue,
    /// The beginning of the client's next line.
    unfinished: Vec<u8>,
    /// The beginning of the server's next line, and how much of it was passed on.
    coming: Vec<u8>,
    passed: usize,
    /// That line is too long for an engine: the rest of it is passed on and ignored.
    skipping: bool,
    /// Whole lines that are held back, and since when.
    held: Vec<u8>,
    held_since: Option<Instant>,
    /// The server answers pings; otherwise no other server can take over.
    pings: bool,
    next_ping: i64,
    /// A ping of the journal would tell more than is known.
    unsure: bool,
    own_pings: usize,
    /// Too much is unanswered.
    overwhelmed: bool,
    quit: bool,
    /// Feature lines that the client has; a server that gets `protover` again repeats them.
    features: Vec<Vec<u8>>,
    features_bytes: usize,
    repeats: bool,
    /// Lines of the answer to `bk` that the client has, and how many of them will be repeated.
    book: usize,
    book_repeats: usize,
    /// The server has sent something other than complaints.
    spoke: bool,
    /// The server has sent something other than features.
    conversed: bool,
    /// Another server has taken over.
    resumed: bool,
    /// The engine has moved, and sent nothing since that follows a move; the number of lines that had come by
    /// then.
    just_moved: Option<usize>,
    complained: bool,
    /// The server that took over last has answered something.
    progress: bool,
    /// When the server said that another one has more room.
    asked_to_move: Option<Instant>,
    /// When the client last said something else than a question.
    stirred: Option<Instant>,
    notices: Notices,
}

impl Default for Journal {
    fn default() -> Self {
        Self::new()
    }
}

impl Journal {
    /// The journal of a new session.
    pub fn new() -> Journal {
        Journal {
            phase: JournalPhase::Live,
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
            asked_to_move: None,
            stirred: None,
            notices: Notices::default(),
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

    /// Handles a line of the client, whose last piece is to be passed on; if `begun`, earlier pieces have
    /// been.
    fn said(&mut self, line: &[u8], begun: bool, now: Instant, piece: &[u8], up: &mut Vec<u8>) {
        let command = Command::parse(line).ok();
        self.quit = command == Some(Command::Quit);
        // GUIs ask for the state of an analysis all the time.
        if !matches!(command, Some(Command::Status | Command::Ping(_))) {
            self.stirred = Some(now);
        }
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

    /// From now on everything is relayed and nothing recorded: no other server can take over.
    fn be_overwhelmed(&mut self) {
        self.overwhelmed = true;
        self.pending.clear();
        (self.state, self.ahead) = (State::new(), State::new());
        (self.features, self.features_bytes) = (Vec::new(), 0);
    }

    /// Approximate memory of the recorded lines in bytes.
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

    /// The server's line is not from an engine and is ignored.
    fn skip(&mut self, passed: &mut Passed) {
        self.release(passed);
        let line = std::mem::take(&mut self.coming);
        passed.down.extend_from_slice(&line[std::mem::take(&mut self.passed)..]);
        self.skipping = !line.ends_with(b"\n");
        (self.spoke, self.conversed) = (true, true);
    }

    /// Handles a whole line of the server, of which `begun` bytes were passed on before.
    fn line(&mut self, line: &[u8], begun: usize, now: Instant, passed: &mut Passed) {
        let text = without_end(line);
        let heard = Heard::parse(text);
        if let JournalPhase::Catching(number) = self.phase {
            match heard {
                Heard::Pong(pong) if pong == number => {
                    (self.complained, self.held) = (false, Vec::new());
                    self.caught_up(now, passed);
                }
                // It may be the reason why the server refuses the session.
                Heard::Complaint => (self.complained, self.held) = (true, line.to_owned()),
                _ => {}
            }
            return;
        }
        if heard == Heard::Room && begun == 0 {
            self.asked_to_move = Some(now);
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
        let mut passed = Passed { down: self.notices.take(), ..Passed::default() };
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

    /// Whether nothing has been sent yet. GUIs start engines long before they need them.
    fn is_silent(&self) -> bool {
        let unsaid = self.pending.iter().next().is_none() && self.unfinished.is_empty();
        unsaid && !self.spoke && !self.complained
    }

    /// Whether the client has asked for features, and the server has sent only some of them and nothing else.
    fn is_unanswered(&self) -> bool {
        self.unanswered_since().is_some()
    }
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
