//! Who comes, who is refused and why, who leaves: for administrators, and for programs that act on the log, such as
//! fail2ban. `docs/operating.md` has the forms of these lines and the words for the reasons; `deploy/fail2ban/` depends on
//! them.
//!
//! A line begins with what the server says; what a client has said may only follow.

use super::ListenerPolicy;
use super::address_block::address_block;
use super::session_limits::LimitReached;
use crate::session::LagSeen;
use std::fmt::{self, Display};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

/// Why somebody gets no session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// The address is in no list of those allowed.
    NotAllowed,
    /// There are as many sessions as there may be, in all.
    Full,
    /// There are as many sessions as there may be from one address.
    AddressFull,
    /// Others came who have as little shown what is asked of them.
    Unproven,
    /// Whoever it is does not know the secret, and talks as a shim does.
    WrongSecret,
    /// Whoever it is has asked for the server's proof and given none, as a shim with another secret does.
    NoProof,
    /// Something else was said than what shims say who know a secret.
    NoSecret,
    /// A shim speaks another version of the greeting.
    OtherVersion,
    /// A request of HTTP, as a web page can have a browser send it.
    Http,
    /// TLS is asked for, and this is none, or failed.
    NoTls,
    /// What is asked for was not shown in time.
    Late,
    /// A client of a remote shell that cannot have what it asks for.
    Shell,
    /// There are more TLS handshakes than can be done in time.
    Busy,
    /// It is the server that lacks something.
    Fault,
}

impl Refusal {
    /// The word for it in the log, which does not change.
    pub(super) fn word(self) -> &'static str {
        match self {
            Refusal::NotAllowed => "not-allowed",
            Refusal::Full => "full",
            Refusal::AddressFull => "address-full",
            Refusal::Unproven => "unproven",
            Refusal::WrongSecret => "wrong-secret",
            Refusal::NoProof => "no-proof",
            Refusal::NoSecret => "no-secret",
            Refusal::OtherVersion => "other-version",
            Refusal::Http => "http",
            Refusal::NoTls => "no-tls",
            Refusal::Late => "late",
            Refusal::Shell => "shell",
            Refusal::Busy => "busy",
            Refusal::Fault => "fault",
        }
    }
}

impl From<LimitReached> for Refusal {
    fn from(full: LimitReached) -> Refusal {
        match full {
            LimitReached::Server(_) | LimitReached::Descriptors => Refusal::Full,
            LimitReached::Address(_) => Refusal::AddressFull,
            LimitReached::Unproven => Refusal::Unproven,
        }
    }
}

/// Why a session has ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum CloseReason {
    /// The client has closed, and was told all it was still due.
    #[default]
    Closed,
    /// The session wanted to end: somebody said `quit`.
    Quit,
    /// The connection broke.
    Lost(ErrorKind),
    /// The client did not read what it was told.
    NotReading,
    /// A defect of the server has ended it.
    Fault,
    /// The server ends.
    Drained,
}

impl Display for CloseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CloseReason::Closed => f.write_str("the client closed"),
            CloseReason::Quit => f.write_str("quit"),
            CloseReason::Lost(kind) => write!(f, "the connection was lost ({kind})"),
            CloseReason::NotReading => f.write_str("the client does not read"),
            CloseReason::Fault => f.write_str("a defect of the server"),
            CloseReason::Drained => f.write_str("the server ends"),
        }
    }
}

/// An address and a port as they server in the log: never in the form that IPv6 has for addresses of IPv4.
struct Peer(SocketAddr);

impl Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} port {}", self.0.ip().to_canonical(), self.0.port())
    }
}

/// Somebody gets no session.
pub(super) fn refused(peer: SocketAddr, refusal: Refusal, why: &dyn Display) {
    let (word, origin) = (refusal.word(), address_block(peer.ip()));
    // The target makes a kind of its own of each reason: a flood for one of them hides no other.
    log::warn!(target: word, from:% = origin; "refused {} ({word}): {why}", Peer(peer));
}

/// What the log calls a session.
#[derive(Clone, Copy)]
pub(super) struct SessionName {
    /// Its number, which no other session of the server has.
    pub(super) number: u64,
    pub(super) peer: SocketAddr,
}

/// Somebody has shown all that is asked at the policy, and gets a session.
pub(super) fn begins(name: SessionName, policy: &ListenerPolicy, sessions: usize) {
    let kind = policy.word();
    let tls = if policy.tls.is_some() { ", TLS" } else { "" };
    let secret = if policy.secret.is_some() { ", knows the secret" } else { "" };
    let SessionName { number, peer } = name;
    log::info!(from:% = address_block(peer.ip()); "session {number} begins: {} ({kind}{tls}{secret}), {sessions} in all", Peer(peer));
}

/// A session has ended, after so long. `lag` is what its moves have cost besides thinking.
pub(super) fn ends(name: SessionName, after: Duration, close_reason: CloseReason, lag: LagSeen) {
    let SessionName { number, peer } = name;
    let seconds = after.as_secs();
    let lag = if lag.moves > 0 {
        format!("; lag {} ms, at worst {} ms, in {} moves", lag.mean, lag.worst, lag.moves)
    } else {
        String::new()
    };
    log::info!(from:% = address_block(peer.ip()); "session {number} ends: {} after {seconds} s: {close_reason}{lag}", Peer(peer));
}
