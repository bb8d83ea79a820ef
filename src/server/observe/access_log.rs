//! The access log: who connects, who is refused and why, who leaves. Administrators read it, and programs
//! that act on it, such as fail2ban. `docs/operating.md` documents the lines and the words for the reasons;
//! `deploy/fail2ban/` depends on them.
//!
//! A line begins with text of the server. Text of a client may only follow, so that no client can forge a
//! line.

use crate::metrics::Label;
use crate::server::ListenerPolicy;
use crate::server::admission::address_block;
use crate::server::observe::metrics::Metrics;
use crate::server::outcome::{CloseReason, Refusal};
use crate::session::LagSeen;
use std::fmt::{self, Display};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// The target of all lines. Log filters and fail2ban name it, so it does not follow the module.
const TARGET: &str = "farboard::server::access_log";

/// An address and a port as the log has them: IPv4 addresses are never written as IPv6 ones.
struct Peer(SocketAddr);

impl Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} port {}", self.0.ip().to_canonical(), self.0.port())
    }
}

/// What the log calls a session.
#[derive(Clone, Copy)]
pub(in crate::server) struct SessionName {
    /// The number of the session, unique in this server.
    pub(in crate::server) number: u64,
    pub(in crate::server) peer: SocketAddr,
}

/// Logs and counts who comes, is refused and leaves.
#[derive(Clone)]
pub(in crate::server) struct AccessLog {
    metrics: Arc<Metrics>,
}

impl AccessLog {
    /// A log that counts in these numbers.
    pub(in crate::server) fn new(metrics: Arc<Metrics>) -> AccessLog {
        AccessLog { metrics }
    }

    /// A client gets no session.
    pub(in crate::server) fn refused(&self, peer: SocketAddr, refusal: Refusal, why: &dyn Display) {
        self.metrics.refused.of(refusal).add(1);
        let (word, origin) = (refusal.word(), address_block(peer.ip()));
        // Each reason is a kind of its own for the rate limit: a flood of one hides no other.
        log::warn!(target: TARGET, reason = word, from:% = origin, peer:%; "refused {} ({word}): {why}", Peer(peer));
    }

    /// A session begins, after the login; `user`: who has logged in by name.
    pub(in crate::server) fn begins(
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
        log::info!(target: TARGET, session = number, from:%, peer:%, user, sessions; "session {number} begins: {} ({kind}{tls}{proof}), {sessions} in all", Peer(peer));
    }

    /// A session goes on that was on another server, after an outage of that length.
    pub(in crate::server) fn resumes(&self, name: SessionName, after: Duration) {
        self.metrics.resumed.add(1);
        let (SessionName { number, peer }, seconds) = (name, after.as_secs_f64());
        log::info!(target: TARGET, session = number, peer:%; "session {number} goes on after {seconds:.1} s: {}", Peer(peer));
    }

    /// A session has ended after that time. `lag`: what its moves have cost besides thinking.
    pub(in crate::server) fn ends(
        &self,
        name: SessionName,
        after: Duration,
        close_reason: CloseReason,
        lag: LagSeen,
    ) {
        self.metrics.ended.of(close_reason).add(1);
        let (SessionName { number, peer }, seconds) = (name, after.as_secs());
        let lag = if lag.moves > 0 {
            format!("; lag {} ms, at worst {} ms, in {} moves", lag.mean, lag.worst, lag.moves)
        } else {
            String::new()
        };
        let from = address_block(peer.ip());
        log::info!(target: TARGET, session = number, from:%, peer:%, seconds; "session {number} ends: {} after {seconds} s: {close_reason}{lag}", Peer(peer));
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
