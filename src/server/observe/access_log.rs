//! The access log: connections, refusals with their reasons, and ends of sessions. Programs such as
//! fail2ban read it: `docs/operating.md` documents the lines and reasons, and `deploy/fail2ban/`
//! depends on them.
//!
//! Text of a client comes last in a line, so that no client can forge one.

use crate::metrics::Label;
use crate::server::ListenerPolicy;
use crate::server::admission::address_block;
use crate::server::observe::metrics::Metrics;
use crate::server::outcome::{CloseReason, Refusal};
use crate::session::LagSeen;
use std::fmt::{self, Display};
use std::net::SocketAddr;
use std::time::Duration;

/// The target of all lines. Log filters and fail2ban name it, so it does not follow the module.
const TARGET: &str = "farboard::server::access_log";

/// An address and a port in the log: IPv4 addresses are never written as IPv6.
struct Peer(SocketAddr);

impl Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} port {}", self.0.ip().to_canonical(), self.0.port())
    }
}

#[derive(Clone, Copy)]
pub(in crate::server) struct SessionName {
    /// Session number, unique in this server.
    pub(in crate::server) number: u64,
    pub(in crate::server) peer: SocketAddr,
}

/// Beginnings, refusals and ends of sessions are counted and logged.
impl Metrics {
    pub(in crate::server) fn refused(&self, peer: SocketAddr, refusal: Refusal, why: &dyn Display) {
        self.counts.refused.of(refusal).add(1);
        let (word, origin) = (refusal.word(), address_block(peer.ip()));
        // Each reason has a rate limit of its own: a flood of one hides no other.
        log::warn!(target: TARGET, reason = word, from:% = origin, peer:%; "refused {} ({word}): {why}", Peer(peer));
    }

    /// Logs the beginning of a session, after the login; `user`: the logged-in user.
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

    /// Logs that a session of another server continues here, after an outage of that length.
    pub(in crate::server) fn resumes(&self, name: SessionName, after: Duration) {
        self.counts.resumed.add(1);
        let (SessionName { number, peer }, seconds) = (name, after.as_secs_f64());
        log::info!(target: TARGET, session = number, peer:%; "session {number} goes on after {seconds:.1} s: {}", Peer(peer));
    }

    /// Logs the end of a session after that time. `lag`: cost of its moves besides thinking.
    pub(in crate::server) fn ends(
        &self,
        name: SessionName,
        after: Duration,
        close_reason: CloseReason,
        lag: LagSeen,
    ) {
        self.counts.ended.of(close_reason).add(1);
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
    fn every_label_has_an_index_and_a_word_of_its_own() {
        fn check<L: Label>() {
            let words: std::collections::HashSet<&str> = L::ALL.iter().map(|label| label.word()).collect();
            assert_eq!(words.len(), L::ALL.len());
            assert!(L::ALL.iter().enumerate().all(|(index, label)| label.index() == index));
        }
        check::<Refusal>();
        check::<CloseReason>();
    }
}
