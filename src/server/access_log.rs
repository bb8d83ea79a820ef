//! The access log: who connects, who is refused and why, who leaves. Administrators read it, and programs
//! that act on it, such as fail2ban. `docs/operating.md` documents the lines and the words for the reasons;
//! `deploy/fail2ban/` depends on them.
//!
//! A line begins with text of the server. Text of a client may only follow, so that no client can forge a
//! line.

use super::ListenerPolicy;
use super::address_block::address_block;
use super::metrics::Metrics;
use super::session_limits::LimitReached;
use crate::metrics::{Label, labels};
use crate::session::LagSeen;
use std::fmt::{self, Display};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// Why a client gets no session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
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
pub(super) enum CloseReason {
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

/// An address and a port as the log has them: IPv4 addresses are never written as IPv6 ones.
struct Peer(SocketAddr);

impl Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} port {}", self.0.ip().to_canonical(), self.0.port())
    }
}

/// What the log calls a session.
#[derive(Clone, Copy)]
pub(super) struct SessionName {
    /// The number of the session, unique in this server.
    pub(super) number: u64,
    pub(super) peer: SocketAddr,
}

/// Logs and counts who comes, is refused and leaves.
#[derive(Clone)]
pub(super) struct AccessLog {
    metrics: Arc<Metrics>,
}

impl AccessLog {
    /// A log that counts in these numbers.
    pub(super) fn new(metrics: Arc<Metrics>) -> AccessLog {
        AccessLog { metrics }
    }

    /// A client gets no session.
    pub(super) fn refused(&self, peer: SocketAddr, refusal: Refusal, why: &dyn Display) {
        self.metrics.refused.of(refusal).add(1);
        let (word, origin) = (refusal.word(), address_block(peer.ip()));
        // Each reason is a kind of its own for the rate limit: a flood of one hides no other.
        log::warn!(reason = word, from:% = origin, peer:%; "refused {} ({word}): {why}", Peer(peer));
    }

    /// A session begins, after the login; `user`: who has logged in by name.
    pub(super) fn begins(
        &self,
        name: SessionName,
        policy: &ListenerPolicy,
        user: Option<&str>,
        sessions: usize,
    ) {
        let kind = policy.word();
        let tls = if policy.tls.is_some() { ", TLS" } else { "" };
        let proof = match (user, &policy.secret) {
            (Some(user), _) => format!(", user {user}"),
            (None, Some(_)) => ", knows the secret".to_owned(),
            (None, None) => String::new(),
        };
        let SessionName { number, peer } = name;
        let from = address_block(peer.ip());
        let user = user.unwrap_or_default();
        log::info!(session = number, from:%, peer:%, user, sessions; "session {number} begins: {} ({kind}{tls}{proof}), {sessions} in all", Peer(peer));
    }

    /// A session goes on that was on another server, after an outage of that length.
    pub(super) fn resumes(&self, name: SessionName, after: Duration) {
        self.metrics.resumed.add(1);
        let (SessionName { number, peer }, seconds) = (name, after.as_secs_f64());
        log::info!(session = number, peer:%; "session {number} goes on after {seconds:.1} s: {}", Peer(peer));
    }

    /// A session has ended after that time. `lag`: what its moves have cost besides thinking.
    pub(super) fn ends(&self, name: SessionName, after: Duration, close_reason: CloseReason, lag: LagSeen) {
        self.metrics.ended.of(close_reason).add(1);
        let (SessionName { number, peer }, seconds) = (name, after.as_secs());
        let lag = if lag.moves > 0 {
            format!("; lag {} ms, at worst {} ms, in {} moves", lag.mean, lag.worst, lag.moves)
        } else {
            String::new()
        };
        let from = address_block(peer.ip());
        log::info!(session = number, from:%, peer:%, seconds; "session {number} ends: {} after {seconds} s: {close_reason}{lag}", Peer(peer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_has_a_place_of_its_own() {
        fn check<L: Label>() {
            let words: std::collections::HashSet<&str> = L::ALL.iter().map(|label| label.word()).collect();
            assert_eq!(words.len(), L::ALL.len());
            assert!(L::ALL.iter().enumerate().all(|(index, label)| label.index() == index));
        }
        check::<Refusal>();
        check::<CloseReason>();
    }
}
