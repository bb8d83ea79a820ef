//! Admission of new connections and sessions: bans, and the limits of sessions by server, address
//! and user.
//!
//! * `session_limits`: by server and address. [`Admission::admit`]: by user. `bans`: kicked
//!   clients. `fair_permits`: pending logins and health checks. `sources`: who shares the server as
//!   an equal.

mod bans;
mod fair_permits;
mod session_limits;
mod sources;

pub(super) use bans::{Banned, Bans};
pub use sources::Sources;

use crate::auth::User;
use crate::server::ServerLimits;
use crate::server::outcome::LimitReached;
use fair_permits::FairPermits;
use session_limits::SessionLimits;
use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::time::Instant;

/// Most connections of balancers' health and agent checks.
pub(super) const MAX_PROBES: usize = 32;

/// The sessions and logins of a server, counted against their limits.
pub(super) struct Admission {
    session_limits: SessionLimits,
    pub(super) pending_logins: FairPermits,
    /// Permits of agent checks, and of health checks by the PROXY protocol.
    pub(super) probes: FairPermits,
    pub(super) sources: Sources,
    /// Slots of the sessions of each named user.
    users: HashMap<String, BTreeSet<usize>>,
    /// Users and addresses that may not connect for a while.
    pub(super) bans: Bans,
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

    /// Applies these limits to new connections.
    pub(super) fn adopt(&mut self, limits: &ServerLimits, sources: Sources) {
        self.session_limits.set_limits(limits.sessions, limits.sessions_per_address);
        self.pending_logins.set_limit(limits.pending_logins);
        self.sources.adopt(sources);
    }

    /// Checks if an address may have one more session. `may_be_user`: the client may still log in
    /// as a user, to whom bans of its address do not apply.
    pub(super) fn check(&self, address: IpAddr, may_be_user: bool, now: Instant) -> Result<(), LimitReached> {
        if may_be_user {
            self.check_drained()?;
        } else {
            self.check_commands(address, None, now)?;
        }
        self.session_limits.check(address, self.sources.max_sessions_of(address))
    }

    /// Checks drain and bans for a client that has logged in.
    pub(super) fn check_commands(
        &self,
        address: IpAddr,
        user: Option<&User>,
        now: Instant,
    ) -> Result<(), LimitReached> {
        self.check_drained()?;
        match user {
            Some(user) => self.check_ban(|| Banned::User(user.name.clone()), now),
            None => self.check_ban(|| Banned::address(address), now),
        }
    }

    fn check_drained(&self) -> Result<(), LimitReached> {
        if self.is_drained { Err(LimitReached::Drained) } else { Ok(()) }
    }

    fn check_ban(&self, client: impl FnOnce() -> Banned, now: Instant) -> Result<(), LimitReached> {
        if self.bans.is_empty() {
            return Ok(());
        }
        self.bans.seconds_left(&client(), now).map_or(Ok(()), |seconds| Err(LimitReached::Kicked(seconds)))
    }

    /// Counts one more session of an address and user, in this slot, unless a limit is reached.
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

    pub(super) fn slots_of(&self, user: &str) -> impl Iterator<Item = usize> {
        self.users.get(user).into_iter().flatten().copied()
    }

    pub(super) fn sessions(&self) -> usize {
        self.session_limits.sessions
    }

    /// Returns the number of connections with a session, a login or a probe.
    pub(super) fn connections(&self) -> usize {
        self.sessions() + self.pending_logins.len() + self.probes.len()
    }
}

/// Bits of an IPv6 address that its owner cannot choose. Addresses are counted by owner.
const IPV6_PREFIX: u32 = 64;

/// Returns the address that stands for a block: an IPv4 address itself, even if mapped to IPv6; the
/// first address of an IPv6 /64.
pub(super) fn address_block(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let bits = u128::from(address) >> (128 - IPV6_PREFIX) << (128 - IPV6_PREFIX);
            IpAddr::V6(Ipv6Addr::from(bits))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv4_address_and_an_ipv6_network_are_blocks() {
        let of = |text: &str| address_block(text.parse().unwrap()).to_string();
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("2001:db8:1:2::"), of("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
    }
}
