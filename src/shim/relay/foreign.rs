//! Another engine behind the port: bytes pass as they come, and nothing is resumed.

use super::Relay;
use super::server::Phase;
use super::suspicion::Loss;
use crate::link::{Answer, answer, quotes_greeting};
use std::time::{Duration, Instant};

/// Time from the connection within which an engine may still answer the greeting.
pub(super) const QUOTE_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest answer to the greeting.
const MAX_QUOTE: usize = 256;

/// An engine that does not know the greeting.
#[derive(Debug)]
pub(super) struct Foreign {
    /// The beginning of a line that may be its answer to the greeting; `None` once that has come, or will not come.
    begun: Option<Vec<u8>>,
    /// It has said something, if only that.
    pub(super) has_spoken: bool,
}

impl Foreign {
    /// Returns the part of these bytes that is for the client.
    fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let Some(mut begun) = self.begun.take() else { return bytes.to_owned() };
        let mut passed = Vec::new();
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
        for piece in lines.by_ref() {
            begun.extend_from_slice(piece);
            if !piece.ends_with(b"\n") && begun.len() <= MAX_QUOTE {
                break;
            }
            let line = std::mem::take(&mut begun);
            if quotes_greeting(&line) {
                self.has_spoken = true;
                lines.for_each(|rest| passed.extend_from_slice(rest));
                return passed;
            }
            passed.extend(line);
        }
        self.begun = Some(begun);
        passed
    }

    /// Whether the beginning of a line is held back.
    pub(super) fn holds_back(&self) -> bool {
        self.begun.as_ref().is_some_and(|begun| !begun.is_empty())
    }

    fn release(&mut self) -> Vec<u8> {
        self.begun.take().unwrap_or_default()
    }
}

impl Relay {
    /// The server is no Farboard. That is of no use to a session that one has begun.
    pub(super) fn meet_another_engine(&mut self, now: Instant) {
        if self.started {
            return self.lost(format!("{} is another engine now", self.name()), Loss::Innocent, now);
        }
        let Some(server) = &mut self.server else { return };
        let foreign = Foreign { begun: Some(Vec::new()), has_spoken: false };
        let Phase::Greeting(said) = std::mem::replace(&mut server.phase, Phase::Foreign(foreign)) else {
            return;
        };
        self.heard_another_engine(&said, now);
    }

    pub(super) fn heard_another_engine(&mut self, bytes: &[u8], now: Instant) {
        let Some(Phase::Foreign(foreign)) = self.server.as_ref().map(|server| &server.phase) else { return };
        if !foreign.has_spoken && matches!(answer(bytes), Answer::Farboard { .. }) {
            // It was too busy to say so before it got bytes that are no frames.
            return self.lost(format!("{} was late", self.name()), Loss::Innocent, now);
        }
        let Some(server) = &mut self.server else { return };
        let Phase::Foreign(foreign) = &mut server.phase else { return };
        let passed = foreign.pass(bytes);
        self.show_of_another_engine(passed, now);
    }

    /// Passes on what was held back.
    pub(super) fn release_another_engine(&mut self, now: Instant) {
        if let Some(Phase::Foreign(foreign)) = self.server.as_mut().map(|server| &mut server.phase) {
            let rest = foreign.release();
            self.show_of_another_engine(rest, now);
        }
    }

    fn show_of_another_engine(&mut self, bytes: Vec<u8>, now: Instant) {
        if let Some(Phase::Foreign(foreign)) = self.server.as_mut().map(|server| &mut server.phase) {
            foreign.has_spoken |= !bytes.is_empty();
        }
        if !bytes.is_empty() {
            self.outage = None;
        }
        self.show(bytes);
        self.send_more(now);
    }
}
