//! Why a server ends its sessions, in words for their users. The shim recognises them, and goes on elsewhere without showing them.

/// Why a server ends its sessions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrainCause {
    /// The server shuts down.
    Shutdown,
    /// An administrator ends the sessions; the server stays.
    Command,
}

impl DrainCause {
    const ALL: [DrainCause; 2] = [DrainCause::Shutdown, DrainCause::Command];

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

    /// Returns true if a server's remark is one of these causes.
    pub fn is_stated_by(remark: &str) -> bool {
        DrainCause::ALL.iter().any(|cause| cause.remark() == remark)
    }
}
