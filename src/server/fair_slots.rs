//! A bounded number of slots for connections without a session, shared by address: pending logins, and health checks.
//!
//! They take no slot of a session. When all slots are taken, a new connection gets the slot of one that has
//! had it for [`GRACE`], chosen at random in the address block that has most of them; until there is one,
//! logins wait in the backlog. A client that knows the secret shows it within milliseconds, so it never
//! loses its place, however many others only connect again and again. (OpenSSH drops newcomers at random,
//! `MaxStartups`, which hits clients that know the secret as often as others.)

use super::address_block::address_block;
use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// How long no client loses its place: many round trips to the far side of the earth.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// A client that has a place.
struct Holder {
    slot: usize,
    network: IpAddr,
    since: Instant,
}

/// The clients with places.
pub(super) struct FairSlots {
    max: usize,
    waiting: Vec<Holder>,
    by_network: HashMap<IpAddr, usize>,
}

impl FairSlots {
    /// At most `max` places, at least one.
    pub(super) fn new(max: usize) -> FairSlots {
        FairSlots { max: max.max(1), waiting: Vec::new(), by_network: HashMap::new() }
    }

    /// Changes the number of places.
    pub(super) fn set_limit(&mut self, max: usize) {
        self.max = max.max(1);
    }

    /// The number of taken places.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// When there is a place for a newcomer; may be in the past.
    pub(super) fn place_free_from(&self) -> Option<Instant> {
        if self.waiting.len() < self.max {
            return None;
        }
        self.crowd().map(|waiting| waiting.since + GRACE).min()
    }

    /// The clients of the address blocks that have most places.
    fn crowd(&self) -> impl Iterator<Item = &Holder> {
        let most = self.by_network.values().copied().max();
        self.waiting.iter().filter(move |waiting| self.by_network.get(&waiting.network).copied() == most)
    }

    /// Gives a newcomer a place. Returns the slot of the client that loses its place to it, if none was free;
    /// `random` is any number.
    pub(super) fn add(&mut self, slot: usize, peer: IpAddr, random: u64, now: Instant) -> Option<usize> {
        let victim = if self.waiting.len() < self.max { None } else { self.victim(random, now) };
        if let Some(victim) = victim {
            self.remove(victim);
        }
        let network = address_block(peer);
        self.waiting.push(Holder { slot, network, since: now });
        *self.by_network.entry(network).or_default() += 1;
        victim
    }

    /// Renews the grace period of a client that has advanced, as by a TLS handshake.
    pub(super) fn renew(&mut self, slot: usize, now: Instant) {
        if let Some(waiting) = self.waiting.iter_mut().find(|waiting| waiting.slot == slot) {
            waiting.since = now;
        }
    }

    fn victim(&self, random: u64, now: Instant) -> Option<usize> {
        let late = |waiting: &&Holder| now.saturating_duration_since(waiting.since) >= GRACE;
        let count = self.crowd().filter(late).count();
        if count == 0 {
            // No grace period is over: the oldest loses its place.
            return self.crowd().min_by_key(|waiting| waiting.since).map(|waiting| waiting.slot);
        }
        let chosen = usize::try_from(random % count as u64).ok()?;
        self.crowd().filter(late).nth(chosen).map(|waiting| waiting.slot)
    }

    /// Frees the place of a client that has logged in or is gone. Ignores others.
    pub(super) fn remove(&mut self, slot: usize) {
        let Some(place) = self.waiting.iter().position(|waiting| waiting.slot == slot) else { return };
        let Holder { network, .. } = self.waiting.swap_remove(place);
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
    fn while_there_are_places_nobody_loses_one() {
        let now = Instant::now();
        let mut pending = FairSlots::new(3);
        for slot in 0..3 {
            assert_eq!((pending.place_free_from(), pending.add(slot, address(1), 0, now)), (None, None));
        }
        pending.remove(1);
        pending.remove(1);
        assert_eq!(pending.len(), 2);
        assert_eq!(pending.add(7, address(1), 0, now), None);
        assert_eq!(pending.place_free_from(), Some(now + GRACE));
        assert!(pending.add(8, address(1), 0, now + GRACE).is_some());
        assert_eq!(pending.len(), 3);
    }

    #[test]
    fn the_network_that_has_most_loses_a_place_that_it_has_had_for_long() {
        let mut now = Instant::now();
        let mut pending = FairSlots::new(10);
        pending.add(100, address(2), 0, now);
        for slot in 0..9 {
            pending.add(slot, address(1), 0, now);
        }
        let mut since: HashMap<usize, Instant> = (0..9).map(|slot| (slot, now)).collect();
        for random in 0..1000 {
            now = pending.place_free_from().expect("no place is left").max(now);
            let slot = 1000 + random as usize;
            let victim = pending.add(slot, address(1), random, now).expect("no place is left");
            let had = since.remove(&victim).expect("one of the crowd");
            assert!(now - had >= GRACE);
            since.insert(slot, now);
        }
        assert_eq!(pending.len(), 10);
    }

    #[test]
    fn a_login_that_gets_further_has_as_long_again() {
        let now = Instant::now();
        let mut pending = FairSlots::new(2);
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
        let mut pending = FairSlots::new(3);
        pending.add(0, "2001:db8::1".parse().unwrap(), 0, now);
        pending.add(1, "2001:db8::ffff:2".parse().unwrap(), 0, now);
        pending.add(2, "2001:db8:0:1::1".parse().unwrap(), 0, now);
        for random in 0..10 {
            assert!(matches!(pending.victim(random, now + GRACE), Some(0 | 1)));
        }
    }
}
