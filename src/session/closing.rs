//! The end of a session, in any protocol.

use super::state::Value;
use crate::protocol::DrainCause;
use std::time::{Duration, Instant};

/// The longest time for a search after `quit` or the end of the client's input. Whether the client
/// still listens shows only when something is sent to it.
pub(super) const MAX_TIME_AFTER_EOF: Duration = Duration::from_secs(30);

/// Whether a session is about to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Closing {
    /// It goes on.
    No,
    /// It ends with the running game, if any, for the server's sake.
    Draining(DrainCause),
    /// No more input counts; whatever is due is still sent.
    Owing,
    /// It has ended.
    Closed,
}

impl Value for Closing {
    fn write(&self, _: Instant) -> String {
        match self {
            Closing::No => "no",
            Closing::Draining(DrainCause::Shutdown) => "draining-for-shutdown",
            Closing::Draining(DrainCause::Command) => "draining-by-command",
            Closing::Owing => "owing",
            Closing::Closed => "closed",
        }
        .to_owned()
    }

    fn read(text: &str, _: Instant) -> Option<Closing> {
        match text {
            "no" => Some(Closing::No),
            "draining-for-shutdown" => Some(Closing::Draining(DrainCause::Shutdown)),
            "draining-by-command" => Some(Closing::Draining(DrainCause::Command)),
            "owing" => Some(Closing::Owing),
            // A session that has ended is not restored.
            _ => None,
        }
    }
}

impl Closing {
    /// Cancels a drain.
    pub(super) fn undrain(&mut self) {
        if matches!(self, Closing::Draining(_)) {
            *self = Closing::No;
        }
    }

    /// Begins a drain. Returns true if the session was not about to end.
    pub(super) fn drain(&mut self, cause: DrainCause) -> bool {
        match self {
            Closing::No => {
                *self = Closing::Draining(cause);
                true
            }
            // A drained server may still shut down.
            Closing::Draining(before) => {
                *before = cause;
                false
            }
            Closing::Owing | Closing::Closed => false,
        }
    }
}
