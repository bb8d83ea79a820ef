//! The end of a session, in any protocol.

use super::state::{Fields, StateError, words};
use crate::protocol::DrainCause;
use std::time::Duration;

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

words!(Closing {
    Closing::No => "no",
    Closing::Draining(DrainCause::Shutdown) => "draining-for-shutdown",
    Closing::Draining(DrainCause::Command) => "draining-by-command",
    Closing::Owing => "owing",
    Closing::Closed => "closed",
});

impl Closing {
    /// Writes or reads the state. A session that has ended is not restored.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.field("closing", self)?;
        if fields.is_reading() && *self == Closing::Closed { Err(fields.wrong("closing")) } else { Ok(()) }
    }

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
