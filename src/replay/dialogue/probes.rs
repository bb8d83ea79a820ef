//! Probes for missing answers.

use super::super::compared_line::{ComparedLine, LineKind};
use super::super::language;
use crate::shim::client_protocol::ClientProtocol;
use std::collections::VecDeque;
use std::time::Instant;

/// The first number of the replay's own pings. GUIs count from 1.
const FIRST_PING: i64 = 1_950_000_000;

/// A line of the replay whose answer shows that no other answer will come.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    number: i64,
    pub(super) deadline: Instant,
}

impl Probe {
    /// A probe without a line, for which only the deadline counts.
    pub(super) fn deadline(deadline: Instant) -> Probe {
        Probe { number: i64::MAX, deadline }
    }
}

/// The probes sent so far.
pub(super) struct Probes {
    /// Unanswered probes without numbers, and lines of the client like them: the number of a probe.
    unanswered: VecDeque<Option<i64>>,
    next_ping: i64,
    /// Number of the last answered probe.
    answered: i64,
}

impl Probes {
    /// None yet.
    pub(super) fn new() -> Probes {
        Probes { unanswered: VecDeque::new(), next_ping: FIRST_PING, answered: 0 }
    }

    /// Returns a new probe, and its line.
    pub(super) fn create(&mut self, protocol: ClientProtocol, deadline: Instant) -> (Probe, Vec<u8>) {
        let number = self.next_ping;
        self.next_ping += 1;
        if protocol != ClientProtocol::Xboard {
            self.unanswered.push_back(Some(number));
        }
        (Probe { number, deadline }, language::probe(protocol, number).into_bytes())
    }

    /// Notes a line of the client, which may look like a probe.
    pub(super) fn client_sent(&mut self, protocol: ClientProtocol, line: &[u8]) {
        if language::is_like_probe(protocol, line) {
            self.unanswered.push_back(None);
        }
    }

    /// Returns true if a line of the server answers a probe rather than the client.
    pub(super) fn take_answer(
        &mut self,
        protocol: ClientProtocol,
        line: &[u8],
        read: Option<&ComparedLine>,
    ) -> bool {
        let number = if language::answers_probe(protocol, line) {
            self.unanswered.pop_front().flatten()
        } else if let Some(&ComparedLine { kind: LineKind::Pong(number), .. }) = read {
            Some(number).filter(|number| (FIRST_PING..self.next_ping).contains(number))
        } else {
            None
        };
        self.answered = number.unwrap_or(self.answered);
        number.is_some()
    }

    /// Returns true if this probe has been answered.
    pub(super) fn has_answer(&self, probe: Probe) -> bool {
        probe.number <= self.answered
    }
}
