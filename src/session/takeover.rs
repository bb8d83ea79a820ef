//! A session goes on after the loss of its server: what it must know of that, and what protocols say alike.

use std::sync::Arc;
use std::time::{Duration, Instant};

/// An outage shorter than this, such as a planned move to another server, is not announced.
const MIN_ANNOUNCED: Duration = Duration::from_millis(500);
/// Characters of a line that are shown to the user.
const MAX_SHOWN: usize = 60;

/// Reason for not repeating a fatal search, as part of a message.
pub(super) const FATAL_SEARCH: &str = "two servers were lost during this search, so it is not tried again";

/// Circumstances in which a restored session goes on.
#[derive(Clone, Default, Debug)]
pub struct Takeover {
    /// Time for which the client had no server.
    pub away: Duration,
    /// The running search has ended two servers, so it is not started again: the session gives what is due without it.
    pub calm: bool,
    /// Entries of the table that the running search had, as `warm` of the link carries them.
    pub warm: Option<Arc<[u8]>>,
}

impl Takeover {
    /// The outage in seconds, if it was long enough to be announced.
    pub(super) fn announced(&self) -> Option<f64> {
        (self.away >= MIN_ANNOUNCED).then_some(self.away.as_secs_f64())
    }
}

/// When an input was sent and when the session handles it. They differ where a client's input has waited during an outage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SendTime {
    /// When the client sent the input.
    pub sent: Instant,
    /// The instant at which the session handles the input: not before the input that came before, or the state.
    pub handled: Instant,
}

impl SendTime {
    /// An input without delay.
    #[must_use]
    pub fn at(now: Instant) -> SendTime {
        SendTime { sent: now, handled: now }
    }

    pub(super) fn lateness(self, now: Instant) -> Lateness {
        Lateness {
            before_handling: self.handled.saturating_duration_since(self.sent),
            after_handling: now.saturating_duration_since(self.handled),
        }
    }
}

/// Delays of an input, for which the engine's clock pays.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Lateness {
    /// From its sending to the instant at which it is handled.
    pub before_handling: Duration,
    /// From that instant to the present.
    pub after_handling: Duration,
}

/// The message about a line that is refused because two servers were lost after it.
pub(super) fn refusal(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_SHOWN).collect();
    format!("two servers were lost right after this line, so it is not tried again: {shown}")
}
