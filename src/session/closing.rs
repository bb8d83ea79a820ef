//! The end of a session, in any protocol.

use crate::protocol::DrainCause;
use std::time::Duration;

/// How long we think about a move after the end of the client's input. Whether the client still listens shows only when
/// something is sent to it.
pub(super) const MAX_TIME_AFTER_EOF: Duration = Duration::from_secs(30);

/// Whether a session is about to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Closing {
    /// It goes on.
    No,
    /// The server ends its sessions; a running game may end first.
    Draining(DrainCause),
    /// The client's input has ended; what is due goes out first.
    Owing,
    /// It has ended.
    Closed,
}

impl Closing {
    /// The server goes on after all, and so does a session that was to end with its game.
    pub(super) fn undrain(&mut self) {
        if matches!(self, Closing::Draining(_)) {
            *self = Closing::No;
        }
    }

    /// The server ends its sessions. Returns true if this one was not about to end.
    pub(super) fn drain(&mut self, cause: DrainCause) -> bool {
        match self {
            Closing::No => {
                *self = Closing::Draining(cause);
                true
            }
            // A server that was drained may shut down, too.
            Closing::Draining(before) => {
                *before = cause;
                false
            }
            Closing::Owing | Closing::Closed => false,
        }
    }
}
