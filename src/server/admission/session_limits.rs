//! The limits of sessions, for the server and by address. The limit of a named user is in the
//! folder's `mod.rs`.

use crate::server::admission::address_block;
use crate::server::outcome::LimitReached;
use std::collections::HashMap;
use std::net::IpAddr;

/// Default limit of an address: a tenth of the server's, but at least this number.
const DEFAULT_FRACTION: usize = 10;
const DEFAULT_MIN: usize = 16;

/// Sessions, counted for the server and by address.
pub(in crate::server) struct SessionLimits {
    max: usize,
    max_per_address: Option<usize>,
    pub(super) sessions: usize,
    by_address: HashMap<IpAddr, usize>,
}

impl SessionLimits {
    pub(in crate::server) fn new(max: usize, max_per_address: Option<usize>) -> SessionLimits {
        SessionLimits { max, max_per_address, sessions: 0, by_address: HashMap::new() }
    }

    /// Changes the limits. Sessions above them continue.
    pub(in crate::server) fn set_limits(&mut self, max: usize, max_per_address: Option<usize>) {
        (self.max, self.max_per_address) = (max, max_per_address);
    }

    /// Returns the default limit of an address; none for loopback, where tunnels and balancers end.
    fn default_max_of(&self, address: IpAddr) -> Option<usize> {
        let by_default = (!address.is_loopback()).then(|| (self.max / DEFAULT_FRACTION).max(DEFAULT_MIN));
        self.max_per_address.or(by_default)
    }

    /// Checks if an address may have one more session; `max`: the limit of its network, if any.
    pub(in crate::server) fn check(&self, address: IpAddr, max: Option<usize>) -> Result<(), LimitReached> {
        if self.sessions >= self.max {
            return Err(LimitReached::Server(self.max));
        }
        let network = address_block(address);
        let here = self.by_address.get(&network).copied().unwrap_or(0);
        match max.or_else(|| self.default_max_of(address.to_canonical())) {
            Some(max) if here >= max => Err(LimitReached::Address(max)),
            _ => Ok(()),
        }
    }

    /// Counts one more session of an address unless a limit is reached.
    pub(in crate::server) fn admit(
        &mut self,
        address: IpAddr,
        max: Option<usize>,
    ) -> Result<(), LimitReached> {
        self.check(address, max)?;
        *self.by_address.entry(address_block(address)).or_insert(0) += 1;
        self.sessions += 1;
        Ok(())
    }

    pub(in crate::server) fn release(&mut self, address: IpAddr) {
        let address = address_block(address);
        self.sessions = self.sessions.saturating_sub(1);
        if let Some(here) = self.by_address.get_mut(&address) {
            *here -= 1;
            if *here == 0 {
                self.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, Ipv6Addr};

    #[test]
    fn limits_hold_for_the_server_and_by_address() {
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let mapped = IpAddr::V6(Ipv4Addr::LOCALHOST.to_ipv6_mapped());
        let there = IpAddr::V6(Ipv6Addr::LOCALHOST);
        let mut session_limits = SessionLimits::new(3, Some(2));
        assert_eq!(session_limits.admit(here, None), Ok(()));
        assert_eq!(session_limits.admit(mapped, None), Ok(()));
        assert_eq!(session_limits.admit(here, None), Err(LimitReached::Address(2)));
        assert_eq!(session_limits.admit(there, None), Ok(()));
        assert_eq!(session_limits.admit(there, None), Err(LimitReached::Server(3)));
        session_limits.release(mapped);
        assert_eq!(session_limits.admit(here, None), Ok(()));
        assert_eq!(session_limits.sessions, 3);
    }

    #[test]
    fn one_address_cannot_take_all_sessions_unless_it_is_loopback() {
        let mut session_limits = SessionLimits::new(1000, None);
        let mut enter = |count: u16, address: &dyn Fn(u16) -> IpAddr| {
            (0..count).filter(|&number| session_limits.admit(address(number), None).is_ok()).count()
        };
        assert_eq!(enter(200, &|_| IpAddr::from([192, 0, 2, 1])), 100);
        assert_eq!(
            enter(200, &|host| IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, host])),
            100,
            "one network"
        );
        assert_eq!(enter(200, &|_| IpAddr::V4(Ipv4Addr::LOCALHOST)), 200);
        assert_eq!(enter(1000, &|_| IpAddr::V6(Ipv6Addr::LOCALHOST)), 600, "the rest");
        let club = IpAddr::from([192, 0, 2, 2]);
        assert_eq!(
            SessionLimits::new(1000, None).check(club, Some(0)),
            Err(LimitReached::Address(0)),
            "as its network says"
        );
        let mut small = SessionLimits::new(20, None);
        assert_eq!(
            (0..20).filter(|_| small.admit(IpAddr::from([192, 0, 2, 1]), None).is_ok()).count(),
            DEFAULT_MIN
        );
    }
}
