//! The end of a session, in any protocol.

use std::time::Duration;

/// How long a search may go on after the end of the client's input, or `quit`. Whether the client still listens shows only when
/// something is sent to it.
pub(super) const MAX_TIME_AFTER_EOF: Duration = Duration::from_secs(30);

/// Whether a session is about to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Closing {
    /// It goes on.
    No,
    /// The server shuts down; a running game may end first.
    Draining,
    /// The client's input has ended, or says nothing more that counts; what is due goes out first.
    Owing,
    /// It has ended.
    Closed,
}

impl Closing {
    /// The server goes on after all, and so does a session that was to end with its game.
    pub(super) fn undrain(&mut self) {
        if *self == Closing::Draining {
            *self = Closing::No;
        }
    }
}
