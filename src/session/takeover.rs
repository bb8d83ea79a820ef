//! Sessions that continue after the loss of their server: what all protocols share.

use std::sync::Arc;
use std::time::{Duration, Instant};

/// An outage shorter than this, such as a planned move to another server, is not announced.
const MIN_ANNOUNCED: Duration = Duration::from_millis(500);
/// The most characters of a line to show to the user.
const MAX_SHOWN: usize = 60;

/// The reason for not repeating a fatal search.
pub(super) const FATAL_SEARCH: &str =
    "the server was lost again and again during this search, so it is not tried again";

/// The circumstances in which a restored session continues.
#[derive(Clone, Default, Debug)]
pub struct Takeover {
    /// The time for which the client had no server.
    pub away: Duration,
    /// Whether the running search has crashed two servers: it is not restarted, and the session
    /// does without it.
    pub calm: bool,
    /// Table entries of the running search, as carried by the link.
    pub warm: Option<Arc<[u8]>>,
}

impl Takeover {
    /// The outage in seconds, if it was long enough to be announced.
    pub(super) fn announced(&self) -> Option<f64> {
        (self.away >= MIN_ANNOUNCED).then_some(self.away.as_secs_f64())
    }
}

/// When an input was sent, and when the session handles it. They differ where the input waited
/// during an outage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SendTime {
    /// When the client sent the input.
    pub sent: Instant,
    /// When the session handles the input: not before earlier inputs, or the state.
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

/// Delays of an input, which count as time of the engine's clock.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Lateness {
    /// From sending to handling.
    pub before_handling: Duration,
    /// From handling to the present.
    pub after_handling: Duration,
}

/// The message about a line that is refused because two servers were lost after it.
pub(super) fn refusal(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_SHOWN).collect();
    format!("two servers were lost right after this line, so it is not tried again: {shown}")
}
