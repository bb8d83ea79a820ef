//! Another engine behind the port: bytes pass as they come, and nothing is resumed.

use super::Relay;
use super::server::Phase;
use super::suspicion::Loss;
use crate::link::{GreetingReply, greeting_reply, quotes_greeting};
use std::time::{Duration, Instant};

/// Time from the connection within which an engine may still answer the greeting.
pub(super) const QUOTE_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum length of the answer to the greeting.
const MAX_QUOTE: usize = 256;

/// An engine that does not know the greeting.
#[derive(Debug)]
pub(super) struct Foreign {
    /// The beginning of a line that may be the answer to the greeting; `None` if that has come, or
    /// will not come.
    begun: Option<Vec<u8>>,
    /// Whether the engine has sent something, if only that answer.
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

    /// Returns true if the beginning of a line is held back.
    pub(super) fn holds_back(&self) -> bool {
        self.begun.as_ref().is_some_and(|begun| !begun.is_empty())
    }
}

impl Relay {
    fn foreign(&mut self) -> Option<&mut Foreign> {
        match &mut self.server.as_mut()?.phase {
            Phase::Foreign(foreign) => Some(foreign),
            Phase::Greeting(_) | Phase::Linked(_) => None,
        }
    }

    /// Relays to a server that is no Farboard; or leaves it, if the session has begun on a
    /// Farboard.
    pub(super) fn begin_foreign(&mut self, now: Instant) {
        if self.session.started {
            return self.lost(format!("{} is another engine now", self.name()), Loss::Innocent, now);
        }
        let Some(server) = &mut self.server else { return };
        let foreign = Foreign { begun: Some(Vec::new()), has_spoken: false };
        if let Phase::Greeting(output) = std::mem::replace(&mut server.phase, Phase::Foreign(foreign)) {
            match self.web_page(&output) {
                Some(error) => self.refused(error, now),
                None => self.foreign_sent(&output, now),
            }
        }
    }

    pub(super) fn foreign_sent(&mut self, bytes: &[u8], now: Instant) {
        let Some(foreign) = self.foreign() else { return };
        if !foreign.has_spoken && matches!(greeting_reply(bytes), GreetingReply::Farboard { .. }) {
            // It was too busy to answer the greeting before it got bytes that are no frames.
            return self.lost(format!("{} was late", self.name()), Loss::Innocent, now);
        }
        let passed = foreign.pass(bytes);
        self.show_foreign(passed, now);
    }

    /// Passes on the bytes that were held back.
    pub(super) fn release_foreign(&mut self, now: Instant) {
        if let Some(foreign) = self.foreign() {
            let rest = foreign.begun.take().unwrap_or_default();
            self.show_foreign(rest, now);
        }
    }

    fn show_foreign(&mut self, bytes: Vec<u8>, now: Instant) {
        if let Some(foreign) = self.foreign().filter(|_| !bytes.is_empty()) {
            foreign.has_spoken = true;
            self.failover.outage = None;
        }
        self.show(bytes);
        self.send_more(now);
    }
}
