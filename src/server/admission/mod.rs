//! Who gets in: the limits of sessions, in all, by address and by user, and of clients that still have to log in.

mod address_block;
mod bans;
mod fair_permits;
mod session_limits;
mod sources;

pub(super) use address_block::address_block;
pub(super) use bans::Banned;
pub use sources::Sources;

use crate::auth::User;
use crate::server::ServerLimits;
use crate::server::outcome::LimitReached;
use bans::Bans;
use fair_permits::FairPermits;
use session_limits::SessionLimits;
use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::time::Instant;

/// Connections of balancers that ask how the server is.
pub(super) const MAX_PROBES: usize = 32;

/// The sessions and logins of a server, counted against their limits.
pub(super) struct Admission {
    session_limits: SessionLimits,
    pub(super) pending_logins: FairPermits,
    /// Connections of balancers: agent checks, and health checks by the PROXY protocol.
    pub(super) probes: FairPermits,
    pub(super) sources: Sources,
    /// The slots of the sessions of each named user.
    users: HashMap<String, BTreeSet<usize>>,
    /// Who may not come for a while.
    pub(super) bans: Bans,
    /// Whether an administrator lets nobody in.
    pub(super) is_drained: bool,
}

impl Admission {
    pub(super) fn new(limits: &ServerLimits, sources: Sources) -> Admission {
        Admission {
            session_limits: SessionLimits::new(limits.sessions, limits.sessions_per_address),
            pending_logins: FairPermits::new(limits.pending_logins),
            probes: FairPermits::new(MAX_PROBES),
            sources,
            users: HashMap::new(),
            bans: Bans::default(),
            is_drained: false,
        }
    }

    /// Applies these limits to newcomers.
    pub(super) fn adopt(&mut self, limits: &ServerLimits, sources: Sources) {
        self.session_limits.set_limits(limits.sessions, limits.sessions_per_address);
        self.pending_logins.set_limit(limits.pending_logins);
        self.sources.adopt(sources);
    }

    /// Whether a new_connection of an address may have one more session. `may_be_user`: it may still show that it is a user, for which
    /// no order about the clients of an address holds.
    pub(super) fn check(&self, address: IpAddr, may_be_user: bool, now: Instant) -> Result<(), LimitReached> {
        if may_be_user {
            self.check_drained()?;
        } else {
            self.check_orders(address, None, now)?;
        }
        self.session_limits.check(address, self.sources.max_sessions_of(address))
    }

    /// Whether an administrator's orders let a client in that has shown what is asked for.
    pub(super) fn check_orders(
        &self,
        address: IpAddr,
        user: Option<&User>,
        now: Instant,
    ) -> Result<(), LimitReached> {
        self.check_drained()?;
        match user {
            Some(user) => self.check_banned(|| Banned::User(user.name.clone()), now),
            None => self.check_banned(|| Banned::address(address), now),
        }
    }

    fn check_drained(&self) -> Result<(), LimitReached> {
        if self.is_drained { Err(LimitReached::Drained) } else { Ok(()) }
    }

    fn check_banned(&self, who: impl FnOnce() -> Banned, now: Instant) -> Result<(), LimitReached> {
        if self.bans.is_empty() {
            return Ok(());
        }
        self.bans.seconds_left(&who(), now).map_or(Ok(()), |seconds| Err(LimitReached::Kicked(seconds)))
    }

    /// Counts one more session of an address, in this slot, if it may have one, and the user, too.
    pub(super) fn admit(
        &mut self,
        address: IpAddr,
        slot: usize,
        user: Option<&User>,
    ) -> Result<(), LimitReached> {
        if let Some(User { name, sessions: Some(most), .. }) = user
            && self.slots_of(name).count() >= *most
        {
            return Err(LimitReached::User(*most));
        }
        self.session_limits.admit(address, self.sources.max_sessions_of(address))?;
        if let Some(user) = user {
            self.users.entry(user.name.clone()).or_default().insert(slot);
        }
        Ok(())
    }

    /// Uncounts a session that was admitted.
    pub(super) fn release(&mut self, address: IpAddr, slot: usize, user: Option<&User>) {
        self.session_limits.release(address);
        if let Some(User { name, .. }) = user
            && let Some(slots) = self.users.get_mut(name)
        {
            slots.remove(&slot);
            if slots.is_empty() {
                self.users.remove(name);
            }
        }
    }

    /// The slots of the sessions of a user.
    pub(super) fn slots_of(&self, user: &str) -> impl Iterator<Item = usize> {
        self.users.get(user).into_iter().flatten().copied()
    }

    /// The number of sessions.
    pub(super) fn sessions(&self) -> usize {
        self.session_limits.sessions()
    }
}
