//! What the client sends, and how it leaves.

use super::{Action, Ending, Relay};
use crate::shim::client_protocol::ClientProtocol;
use std::time::{Duration, Instant};

/// Time from the request to terminate to the exit, unless the server closes first. xboard is frozen while it
/// waits, and kills after a second.
const TERMINATE_TIMEOUT: Duration = Duration::from_millis(180);
/// Time from the farewell to the exit, unless the server closes first, as it should.
const FAREWELL_TIMEOUT: Duration = Duration::from_millis(700);
/// The same for a script, whose input has ended after the farewell: earlier answers may still be due.
const SCRIPT_FAREWELL_TIMEOUT: Duration = Duration::from_secs(5);
/// The most bytes of a first line that are kept to find out the protocol.
const MAX_FIRST_LINE: usize = 256;

impl Relay {
    pub(super) fn heard_client(&mut self, bytes: &[u8], now: Instant) {
        let end = bytes.iter().position(|&byte| byte == b'\n').filter(|_| self.first_line.is_some());
        let (before, behind) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
        self.say(before, now);
        if let Some(line) = &mut self.first_line {
            let room = MAX_FIRST_LINE.saturating_sub(line.len());
            line.extend_from_slice(&before[..room.min(before.len())]);
            // What is longer than kept is long enough to be recognised.
            self.protocol = self.protocol.or_else(|| ClientProtocol::of_beginning(line));
        }
        if end.is_some() {
            self.first_line = None;
            self.spoke_at.get_or_insert(now);
            if !self.said_farewell() {
                self.wish(now);
            }
            self.say(behind, now);
        }
        self.send_more(now);
        let is_farewell = self.said_farewell();
        self.quit_until = is_farewell.then(|| self.quit_until.unwrap_or(now + FAREWELL_TIMEOUT));
        if is_farewell && self.server.is_none() && self.started {
            self.end(Ending::Dismissed);
        }
    }

    /// Takes bytes for the server, and records them.
    fn say(&mut self, bytes: &[u8], now: Instant) {
        if !bytes.is_empty() {
            self.unaccounted.push(bytes, now);
            self.last_words.note(bytes);
            self.actions.push(Action::RecordClient(bytes.to_owned()));
        }
    }

    fn wish(&mut self, now: Instant) {
        let lines = self.plan.wishes.lines(self.protocol.unwrap_or_default());
        if !lines.is_empty() {
            self.unaccounted.push(&lines, now);
            self.last_words.note(&lines);
            self.actions.push(Action::RecordForClient(lines));
        }
    }

    /// Whether the client's last line ends the session.
    pub(super) fn said_farewell(&self) -> bool {
        self.last_words.goodbye().is_empty()
    }

    pub(super) fn input_over(&mut self, now: Instant) {
        self.input_ended = true;
        if self.ending.is_some() {
            return;
        }
        self.quit_until = self.quit_until.map(|_| now + SCRIPT_FAREWELL_TIMEOUT);
        self.send_more(now);
        let waits = self.session.due || self.unaccounted.len() > 0 || !self.started;
        if self.server.is_none() && !waits {
            self.end(Ending::Dismissed);
        }
    }

    pub(super) fn terminate(&mut self, now: Instant) {
        self.leaving.get_or_insert(now + TERMINATE_TIMEOUT);
        if self.ending.is_some() {
            return;
        }
        if self.server.is_none() {
            return self.end(Ending::Dismissed);
        }
        if !self.input_ended {
            let goodbye = self.last_words.goodbye();
            if !goodbye.is_empty() {
                self.unaccounted.push(&goodbye, now);
                self.last_words.note(&goodbye);
            }
            self.input_ended = true;
        }
        self.send_more(now);
    }
}
