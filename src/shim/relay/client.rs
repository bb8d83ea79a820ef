//! The client's side: its input, and how it leaves.

use super::{Action, Ending, Relay};
use crate::shim::client_protocol::ClientProtocol;
use crate::shim::quit_command::QuitCommand;
use std::time::{Duration, Instant};

/// Time from the request to terminate to the exit, unless the server closes first. xboard is frozen
/// while it waits, and kills after a second.
const TERMINATE_TIMEOUT: Duration = Duration::from_millis(180);
/// Time from the quit command to the exit, unless the server closes first, as it should.
const QUIT_TIMEOUT: Duration = Duration::from_millis(700);
/// The same for a script, whose input has ended after the quit command: earlier answers may still
/// be due.
const SCRIPT_QUIT_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum number of bytes of the first line that are kept to detect the protocol.
const MAX_FIRST_LINE: usize = 256;

/// State of the client.
#[derive(Debug)]
pub(super) struct ClientSide {
    /// The first line as far as it has come; `None` once it is complete.
    first_line: Option<Vec<u8>>,
    /// When the client began to wait for a server's first word.
    pub(super) spoke_at: Option<Instant>,
    quit_command: QuitCommand,
    /// When to exit after the quit command, even if the server has not closed.
    pub(super) quit_until: Option<Instant>,
    /// When to exit after a request to terminate.
    pub(super) terminate_at: Option<Instant>,
    pub(super) input_ended: bool,
}

impl ClientSide {
    pub(super) fn new(protocol: Option<ClientProtocol>, now: Instant) -> ClientSide {
        ClientSide {
            first_line: Some(Vec::new()),
            spoke_at: protocol.filter(|protocol| protocol.servers_speak_first()).map(|_| now),
            quit_command: QuitCommand::new(protocol.unwrap_or_default().quit_command()),
            quit_until: None,
            terminate_at: None,
            input_ended: false,
        }
    }
}

impl Relay {
    pub(super) fn client_sent(&mut self, bytes: &[u8], now: Instant) {
        if self.ending.is_some() {
            return;
        }
        let end = bytes.iter().position(|&byte| byte == b'\n').filter(|_| self.client.first_line.is_some());
        let (before, behind) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
        self.take_input(before, Action::RecordClient, now);
        if let Some(line) = &mut self.client.first_line {
            let free = MAX_FIRST_LINE.saturating_sub(line.len());
            line.extend_from_slice(&before[..free.min(before.len())]);
            // A line that is longer than kept is long enough to be recognized.
            self.protocol = self.protocol.or_else(|| ClientProtocol::of_beginning(line));
        }
        if end.is_some() {
            self.client.first_line = None;
            self.client.spoke_at.get_or_insert(now);
            if !self.has_quit() {
                let options = self.plan.options.lines(self.protocol.unwrap_or_default());
                self.take_input(&options, Action::RecordForClient, now);
            }
            self.take_input(behind, Action::RecordClient, now);
        }
        self.send_more(now);
        let has_quit = self.has_quit();
        self.client.quit_until = has_quit.then(|| self.client.quit_until.unwrap_or(now + QUIT_TIMEOUT));
        if has_quit && self.server.is_none() && self.session.started {
            self.end(Ending::Dismissed);
        }
    }

    /// Takes bytes for the server, and records them.
    fn take_input(&mut self, bytes: &[u8], record: fn(Vec<u8>) -> Action, now: Instant) {
        if !bytes.is_empty() {
            self.unaccounted.push(bytes, now);
            self.client.quit_command.note(bytes);
            self.actions.push(record(bytes.to_owned()));
        }
    }

    /// Returns true if the client's last line is the quit command.
    pub(super) fn has_quit(&self) -> bool {
        self.client.quit_command.was_sent()
    }

    pub(super) fn input_ended(&mut self, now: Instant) {
        self.client.input_ended = true;
        if self.ending.is_some() {
            return;
        }
        self.client.quit_until = self.client.quit_until.map(|_| now + SCRIPT_QUIT_TIMEOUT);
        self.send_more(now);
        let waits = self.session.due || self.unaccounted.len() > 0 || !self.session.started;
        if self.server.is_none() && !waits {
            self.end(Ending::Dismissed);
        }
    }

    pub(super) fn terminate(&mut self, now: Instant) {
        self.client.terminate_at.get_or_insert(now + TERMINATE_TIMEOUT);
        if self.ending.is_some() {
            return;
        }
        if self.server.is_none() {
            return self.end(Ending::Dismissed);
        }
        if !self.client.input_ended {
            self.client.input_ended = true;
            let quit = self.client.quit_command.missing();
            self.unaccounted.push(&quit, now);
            self.client.quit_command.note(&quit);
        }
        self.send_more(now);
    }
}
