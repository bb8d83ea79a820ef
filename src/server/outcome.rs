//! Why clients get no session, and why sessions end.

use crate::metrics::{Label, labels};
use crate::protocol::BEING_REPLACED;
use std::fmt::{self, Display};
use std::io::ErrorKind;

/// The limit for which a new_connection is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) enum LimitReached {
    Server(usize),
    Address(usize),
    /// The user's own.
    User(usize),
    /// An administrator has ended the client's sessions; seconds until it may come again.
    Kicked(u64),
    /// An administrator lets nobody in for now.
    Drained,
    /// The system allows no more file descriptors.
    Descriptors,
    /// Too many other logins are pending.
    Unproven,
    /// The server ends.
    Draining,
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitReached::Server(max) => {
                write!(f, "this server is full: it serves at most {max} games at one time, please try later")
            }
            LimitReached::Descriptors => f.write_str(
                "this server is full: its system allows it no further connections, please try later",
            ),
            LimitReached::Address(max) => {
                write!(f, "this server serves at most {max} games at one time to one address, please end one")
            }
            LimitReached::Draining => f.write_str(BEING_REPLACED),
            LimitReached::Kicked(seconds) => {
                write!(
                    f,
                    "the administrator of this server has ended your session, come again in {seconds} s"
                )
            }
            LimitReached::Drained => {
                f.write_str("this server takes no new sessions for now, please try another one, or later")
            }
            LimitReached::User(max) => {
                write!(f, "this user may have at most {max} games at one time, please end one")
            }
            LimitReached::Unproven => {
                write!(f, "this server is full of clients that have not shown the secret, please try again")
            }
        }
    }
}

/// Why a client gets no session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) enum Refusal {
    /// Its address is in no list of allowed networks.
    NotAllowed,
    /// The limit of sessions is reached.
    Full,
    /// The limit of sessions from one address is reached.
    AddressFull,
    /// Another client took its place among the pending logins.
    Unproven,
    /// It talks as a shim does, with another secret.
    WrongSecret,
    /// It asked for the server's proof and gave none, as a shim with another secret does.
    NoProof,
    /// It is no user, or has another key.
    WrongUser,
    /// The time of the user is over.
    Expired,
    /// The user has logged in to a server with another name.
    OtherServer,
    /// The user's limit of sessions is reached.
    UserFull,
    /// It has shown no certificate.
    NoCertificate,
    /// An administrator has ended its sessions a short time ago.
    Kicked,
    /// An administrator lets nobody in.
    Drained,
    /// Its first line is not that of a shim that knows a secret.
    NoSecret,
    /// A shim speaks another version of the handshake.
    OtherVersion,
    /// An HTTP request, such as a web page makes a browser send.
    Http,
    /// TLS is required, and the client does not speak it, or the handshake failed.
    NoTls,
    /// A header of the PROXY protocol is missing, wrong, or from somebody whose word does not count.
    Proxy,
    /// The login took too long.
    Late,
    /// A remote shell client asks for something that it cannot have.
    Shell,
    /// The queue of TLS handshakes is full.
    Busy,
    /// The server ends, and its successor is not there yet.
    Draining,
    /// The server itself lacks something.
    Fault,
}

labels!(Refusal {
    NotAllowed => "not-allowed",
    Full => "full",
    AddressFull => "address-full",
    Unproven => "unproven",
    WrongSecret => "wrong-secret",
    NoProof => "no-proof",
    WrongUser => "wrong-user",
    Expired => "expired",
    OtherServer => "other-server",
    UserFull => "user-full",
    NoCertificate => "no-certificate",
    Kicked => "kicked",
    Drained => "drained",
    NoSecret => "no-secret",
    OtherVersion => "other-version",
    Http => "http",
    NoTls => "no-tls",
    Proxy => "proxy",
    Late => "late",
    Shell => "shell",
    Busy => "busy",
    Draining => "draining",
    Fault => "fault",
});

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

/// Why a session has ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::server) enum CloseReason {
    /// The client closed the connection, and everything was sent before.
    #[default]
    Closed,
    /// The session ended itself: the client said `quit`.
    Quit,
    /// The connection broke.
    Lost(ErrorKind),
    /// The client did not read its output.
    NotReading,
    /// All clients together held too much memory, and this one most.
    Memory,
    /// A defect of the server.
    Fault,
    /// An administrator ended it.
    Kicked,
    /// The server shut down.
    Drained,
}

impl Label for CloseReason {
    /// The kind of a loss is in the log, not in numbers.
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

    fn index(self) -> usize {
        match self {
            CloseReason::Closed => 0,
            CloseReason::Quit => 1,
            CloseReason::Lost(_) => 2,
            CloseReason::NotReading => 3,
            CloseReason::Memory => 4,
            CloseReason::Fault => 5,
            CloseReason::Kicked => 6,
            CloseReason::Drained => 7,
        }
    }

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

impl Display for CloseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CloseReason::Closed => f.write_str("the client closed"),
            CloseReason::Quit => f.write_str("quit"),
            CloseReason::Lost(kind) => write!(f, "the connection was lost ({kind})"),
            CloseReason::NotReading => f.write_str("the client does not read"),
            CloseReason::Memory => f.write_str("it held most memory of all clients"),
            CloseReason::Fault => f.write_str("a defect of the server"),
            CloseReason::Kicked => f.write_str("an administrator ended it"),
            CloseReason::Drained => f.write_str("the server ends, or was drained"),
        }
    }
}
