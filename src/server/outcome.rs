//! Reasons for refusing clients, and for the end of sessions.

use crate::metrics::{Label, labels};
use crate::protocol::BEING_REPLACED;
use std::io::ErrorKind;
use thiserror::Error;

/// Limit or command for which a new connection or session is refused. Its text is for the client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(super) enum LimitReached {
    #[error("this server is full: it serves at most {0} games at one time, please try later")]
    Server(usize),
    #[error("this server serves at most {0} games at one time to one address, please end one")]
    Address(usize),
    #[error("this user may have at most {0} games at one time, please end one")]
    User(usize),
    /// An administrator has kicked the client; seconds until the ban ends.
    #[error("the administrator of this server has ended your session, reconnect in {0} s")]
    Kicked(u64),
    #[error("this server accepts no new sessions for now, please try another one, or later")]
    Drained,
    #[error("this server is full: its system allows it no further connections, please try later")]
    Descriptors,
    /// Too many other logins are pending.
    #[error("this server is full of clients that have not shown the secret, please try again")]
    Unproven,
    #[error("{BEING_REPLACED}")]
    Draining,
}

labels! {
    /// Reason for refusing a client.
    pub(in crate::server) enum Refusal {
        NotAllowed = "not-allowed",
        Full = "full",
        AddressFull = "address-full",
        /// Another client took its permit of pending logins.
        Unproven = "unproven",
        /// A shim proved another secret.
        WrongSecret = "wrong-secret",
        /// A client asked for the server's proof and gave none, like a shim with another secret.
        NoProof = "no-proof",
        /// Unknown user, or another key.
        WrongUser = "wrong-user",
        Expired = "expired",
        /// The user addressed a server with another name.
        OtherServer = "other-server",
        UserFull = "user-full",
        NoCertificate = "no-certificate",
        /// An administrator has kicked the client a short time ago.
        Kicked = "kicked",
        Drained = "drained",
        /// The first line is not from a shim that knows a secret.
        NoSecret = "no-secret",
        /// A shim with another version of the handshake.
        OtherVersion = "other-version",
        /// An HTTP request, such as a web page makes a browser send.
        Http = "http",
        /// A page of another site made a browser send this.
        Origin = "origin",
        /// TLS is required and the client does not speak it, or the handshake failed.
        NoTls = "no-tls",
        /// A PROXY protocol header is missing, invalid, or not from a configured proxy.
        Proxy = "proxy",
        Late = "late",
        /// A remote shell client requested something it cannot have.
        Shell = "shell",
        /// The queue of TLS handshakes is full.
        Busy = "busy",
        /// The server is shutting down, and its successor is not ready yet.
        Draining = "draining",
        Fault = "fault",
    }
}

impl From<LimitReached> for Refusal {
    fn from(full: LimitReached) -> Refusal {
        match full {
            LimitReached::Server(_) | LimitReached::Descriptors => Refusal::Full,
            LimitReached::Address(_) => Refusal::AddressFull,
            LimitReached::User(_) => Refusal::UserFull,
            LimitReached::Kicked(_) => Refusal::Kicked,
            LimitReached::Drained => Refusal::Drained,
            LimitReached::Unproven => Refusal::Unproven,
            LimitReached::Draining => Refusal::Draining,
        }
    }
}

/// Reason for the end of a session. Its text is for the log.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Error)]
pub(super) enum CloseReason {
    /// The client closed the connection after everything was sent.
    #[default]
    #[error("the client closed")]
    Closed,
    #[error("quit")]
    Quit,
    #[error("the connection was lost ({0})")]
    Lost(ErrorKind),
    #[error("the client does not read")]
    NotReading,
    /// All clients together held too much memory, and this one most.
    #[error("it held most memory of all clients")]
    Memory,
    #[error("a defect of the server")]
    Fault,
    #[error("an administrator ended it")]
    Kicked,
    #[error("the server shut down or was drained")]
    Drained,
}

impl Label for CloseReason {
    /// The kind of a loss is in the log, not in metrics.
    const ALL: &'static [CloseReason] = &[
        CloseReason::Closed,
        CloseReason::Quit,
        CloseReason::Lost(ErrorKind::Other),
        CloseReason::NotReading,
        CloseReason::Memory,
        CloseReason::Fault,
        CloseReason::Kicked,
        CloseReason::Drained,
    ];

    fn word(self) -> &'static str {
        match self {
            CloseReason::Closed => "closed",
            CloseReason::Quit => "quit",
            CloseReason::Lost(_) => "lost",
            CloseReason::NotReading => "not-reading",
            CloseReason::Memory => "memory",
            CloseReason::Fault => "fault",
            CloseReason::Kicked => "kicked",
            CloseReason::Drained => "drained",
        }
    }
}
