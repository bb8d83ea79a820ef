//! A bounded number of permits for connections without a session, shared by address: pending logins
//! and health checks.
//!
//! These connections take no session slot. When all permits are held, a new connection takes the
//! permit of one that has held it for [`GRACE`], chosen at random in the address block that holds
//! most; until there is one, logins wait in the backlog. A client that knows the secret shows it
//! within milliseconds, so it never loses its permit to floods. (OpenSSH's `MaxStartups` drops new
//! connections at random, which hits clients that know the secret as often as others.)

use crate::server::admission::address_block;
use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Grace period of a permit: many round trips around the earth.
pub(in crate::server) const GRACE: Duration = Duration::from_millis(500);

struct Holder {
    slot: usize,
    network: IpAddr,
    since: Instant,
}

pub(in crate::server) struct FairPermits {
    max: usize,
    holders: Vec<Holder>,
    by_network: HashMap<IpAddr, usize>,
}

impl FairPermits {
    /// Creates `max` permits, but at least one.
    pub(in crate::server) fn new(max: usize) -> FairPermits {
        FairPermits { max: max.max(1), holders: Vec::new(), by_network: HashMap::new() }
    }

    pub(in crate::server) fn set_limit(&mut self, max: usize) {
        self.max = max.max(1);
    }

    pub(in crate::server) fn len(&self) -> usize {
        self.holders.len()
    }

    /// Returns when a new connection may have a permit, perhaps in the past; `None` if one is free.
    pub(in crate::server) fn permit_free_from(&self) -> Option<Instant> {
        if self.holders.len() < self.max {
            return None;
        }
        self.crowd().map(|holder| holder.since + GRACE).min()
    }

    /// Returns the connections of the address blocks that hold most permits.
    fn crowd(&self) -> impl Iterator<Item = &Holder> {
        let most = self.by_network.values().copied().max();
        self.holders.iter().filter(move |holder| self.by_network.get(&holder.network).copied() == most)
    }

    /// Gives a new connection a permit. Returns the slot of the connection that loses its permit,
    /// if none was free; `random` is any number.
    pub(in crate::server) fn add(
        &mut self,
        slot: usize,
        peer: IpAddr,
        random: u64,
        now: Instant,
    ) -> Option<usize> {
        let victim = if self.holders.len() < self.max { None } else { self.victim(random, now) };
        if let Some(victim) = victim {
            self.remove(victim);
        }
        let network = address_block(peer);
        self.holders.push(Holder { slot, network, since: now });
        *self.by_network.entry(network).or_default() += 1;
        victim
    }

    /// Renews the grace period of a client that has advanced, such as by a TLS handshake.
    pub(in crate::server) fn renew(&mut self, slot: usize, now: Instant) {
        if let Some(holder) = self.holders.iter_mut().find(|holder| holder.slot == slot) {
            holder.since = now;
        }
    }

    fn victim(&self, random: u64, now: Instant) -> Option<usize> {
        let late = |holder: &&Holder| now.saturating_duration_since(holder.since) >= GRACE;
        let count = self.crowd().filter(late).count();
        if count == 0 {
            // No grace period is over: the oldest loses its permit.
            return self.crowd().min_by_key(|holder| holder.since).map(|holder| holder.slot);
        }
        let chosen = usize::try_from(random % count as u64).ok()?;
        self.crowd().filter(late).nth(chosen).map(|holder| holder.slot)
    }

    /// Releases the permit of a client that has logged in or disconnected, if it holds one.
    pub(in crate::server) fn remove(&mut self, slot: usize) {
        let Some(index) = self.holders.iter().position(|holder| holder.slot == slot) else { return };
        let Holder { network, .. } = self.holders.swap_remove(index);
        if let Some(count) = self.by_network.get_mut(&network) {
            *count -= 1;
            if *count == 0 {
                self.by_network.remove(&network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn no_client_loses_its_permit_while_others_are_free() {
        let now = Instant::now();
        let mut pending = FairPermits::new(3);
        for slot in 0..3 {
            assert_eq!((pending.permit_free_from(), pending.add(slot, address(1), 0, now)), (None, None));
        }
        pending.remove(1);
        pending.remove(1);
        assert_eq!(pending.len(), 2);
        assert_eq!(pending.add(7, address(1), 0, now), None);
        assert_eq!(pending.permit_free_from(), Some(now + GRACE));
        assert!(pending.add(8, address(1), 0, now + GRACE).is_some());
        assert_eq!(pending.len(), 3);
    }

    #[test]
    fn the_network_with_most_permits_loses_one_after_its_grace_period() {
        let mut now = Instant::now();
        let mut pending = FairPermits::new(10);
        pending.add(100, address(2), 0, now);
        for slot in 0..9 {
            pending.add(slot, address(1), 0, now);
        }
        let mut since: HashMap<usize, Instant> = (0..9).map(|slot| (slot, now)).collect();
        for random in 0..1000 {
            now = pending.permit_free_from().expect("no permit is left").max(now);
            let slot = 1000 + random as usize;
            let victim = pending.add(slot, address(1), random, now).expect("no permit is left");
            let had = since.remove(&victim).expect("one of the crowd");
            assert!(now - had >= GRACE);
            since.insert(slot, now);
        }
        assert_eq!(pending.len(), 10);
    }

    #[test]
    fn a_login_that_advances_gets_a_new_grace_period() {
        let now = Instant::now();
        let mut pending = FairPermits::new(2);
        pending.add(0, address(1), 0, now);
        pending.add(1, address(1), 0, now);
        pending.renew(0, now + GRACE);
        for random in 0..10 {
            assert_eq!(pending.victim(random, now + GRACE), Some(1));
        }
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let now = Instant::now();
        let mut pending = FairPermits::new(3);
        pending.add(0, "2001:db8::1".parse().unwrap(), 0, now);
        pending.add(1, "2001:db8::ffff:2".parse().unwrap(), 0, now);
        pending.add(2, "2001:db8:0:1::1".parse().unwrap(), 0, now);
        for random in 0..10 {
            assert!(matches!(pending.victim(random, now + GRACE), Some(0 | 1)));
        }
    }
}
