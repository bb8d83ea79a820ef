//! The reasons for which a server ends its sessions, as shown to users.

/// The reason for which a server ends its sessions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrainCause {
    /// The server shuts down.
    Shutdown,
    /// An administrator ends the sessions; the server stays.
    Command,
}

impl DrainCause {
    /// The cause as a remark.
    pub fn remark(self) -> &'static str {
        match self {
            DrainCause::Shutdown => "the server is shutting down",
            DrainCause::Command => "an administrator has taken this server out of service",
        }
    }

    /// The cause as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            DrainCause::Shutdown => "The server is shutting down.",
            DrainCause::Command => "An administrator has taken this server out of service.",
        }
    }
}
