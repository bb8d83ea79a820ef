//! Who gets in: the limits of sessions, in all and by address, and of clients that still have to log in.

use super::pending_logins::PendingLogins;
use super::session_limits::{LimitReached, SessionLimits};
use super::{ServerLimits, Sources};
use std::net::IpAddr;

/// The sessions and logins of a server, counted against their limits.
pub(super) struct Admission {
    session_limits: SessionLimits,
    pub(super) pending_logins: PendingLogins,
    pub(super) sources: Sources,
}

impl Admission {
    pub(super) fn new(limits: &ServerLimits, sources: Sources) -> Admission {
        Admission {
            session_limits: SessionLimits::new(limits.sessions, limits.sessions_per_address),
            pending_logins: PendingLogins::new(limits.pending_logins),
            sources,
        }
    }

    /// Applies these limits to newcomers.
    pub(super) fn adopt(&mut self, limits: &ServerLimits, sources: Sources) {
        self.session_limits.set_limits(limits.sessions, limits.sessions_per_address);
        self.pending_logins.set_limit(limits.pending_logins);
        self.sources.adopt(sources);
    }

    /// Whether an address may have one more session.
    pub(super) fn check(&self, address: IpAddr) -> Result<(), LimitReached> {
        self.session_limits.check(address, self.sources.max_sessions_of(address))
    }

    /// Counts one more session of an address, if it may have one.
    pub(super) fn admit(&mut self, address: IpAddr) -> Result<(), LimitReached> {
        self.session_limits.admit(address, self.sources.max_sessions_of(address))
    }

    /// Uncounts a session that was admitted.
    pub(super) fn release(&mut self, address: IpAddr) {
        self.session_limits.release(address);
    }

    /// The number of sessions.
    pub(super) fn sessions(&self) -> usize {
        self.session_limits.sessions()
    }
}
