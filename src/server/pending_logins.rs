//! Those who have still to show what is asked of them: a number of places of their own.
//!
//! They take no place of a session. When all places are taken, a newcomer gets that of somebody who has had it for
//! [`GRACE`], of the network that has most of them; until there is one, newcomers wait with the system. Who knows the
//! secret shows it within milliseconds, so nobody of those loses a place, however many only take one up and come again.
//! (OpenSSH drops newcomers at random, `MaxStartups`, which keeps out those who know as often as those who do not.)

use super::address_block::address_block;
use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// How long nobody loses a place: many times the way to the far side of the earth and back.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// Who has a place.
struct PendingLogin {
    slot: usize,
    network: IpAddr,
    since: Instant,
}

/// Connections without a proof.
pub(super) struct PendingLogins {
    max: usize,
    waiting: Vec<PendingLogin>,
    by_network: HashMap<IpAddr, usize>,
}

impl PendingLogins {
    /// Places for so many, at least one.
    pub(super) fn new(max: usize) -> PendingLogins {
        PendingLogins { max: max.max(1), waiting: Vec::new(), by_network: HashMap::new() }
    }

    /// From now on there are so many places.
    pub(super) fn set_limit(&mut self, max: usize) {
        self.max = max.max(1);
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// From when on there is a place for a newcomer, which may be over already.
    pub(super) fn place_free_from(&self) -> Option<Instant> {
        if self.waiting.len() < self.max {
            return None;
        }
        self.crowd().map(|waiting| waiting.since + GRACE).min()
    }

    /// Those of the networks that have most.
    fn crowd(&self) -> impl Iterator<Item = &PendingLogin> {
        let most = self.by_network.values().copied().max();
        self.waiting.iter().filter(move |waiting| self.by_network.get(&waiting.network).copied() == most)
    }

    /// Somebody new takes a place. If there is none left, the slot of the one that loses its place; `random` is any number.
    pub(super) fn add(&mut self, slot: usize, peer: IpAddr, random: u64, now: Instant) -> Option<usize> {
        let victim = if self.waiting.len() < self.max { None } else { self.victim(random, now) };
        if let Some(victim) = victim {
            self.remove(victim);
        }
        let network = address_block(peer);
        self.waiting.push(PendingLogin { slot, network, since: now });
        *self.by_network.entry(network).or_default() += 1;
        victim
    }

    /// Somebody has come further on the way, as by a handshake of TLS, and has as long again for the rest.
    pub(super) fn renew(&mut self, slot: usize, now: Instant) {
        if let Some(waiting) = self.waiting.iter_mut().find(|waiting| waiting.slot == slot) {
            waiting.since = now;
        }
    }

    fn victim(&self, random: u64, now: Instant) -> Option<usize> {
        let late = |waiting: &&PendingLogin| now.saturating_duration_since(waiting.since) >= GRACE;
        let count = self.crowd().filter(late).count();
        if count == 0 {
            // Whoever lets a newcomer in nevertheless lets it have the place of the oldest.
            return self.crowd().min_by_key(|waiting| waiting.since).map(|waiting| waiting.slot);
        }
        let chosen = usize::try_from(random % count as u64).ok()?;
        self.crowd().filter(late).nth(chosen).map(|waiting| waiting.slot)
    }

    /// Somebody has shown all, or is gone. Others are ignored.
    pub(super) fn remove(&mut self, slot: usize) {
        let Some(place) = self.waiting.iter().position(|waiting| waiting.slot == slot) else { return };
        let PendingLogin { network, .. } = self.waiting.swap_remove(place);
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
        let mut pending = PendingLogins::new(3);
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
        let mut pending = PendingLogins::new(10);
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
    fn whoever_comes_further_has_as_long_again() {
        let now = Instant::now();
        let mut pending = PendingLogins::new(2);
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
        let mut pending = PendingLogins::new(3);
        pending.add(0, "2001:db8::1".parse().unwrap(), 0, now);
        pending.add(1, "2001:db8::ffff:2".parse().unwrap(), 0, now);
        pending.add(2, "2001:db8:0:1::1".parse().unwrap(), 0, now);
        for random in 0..10 {
            assert!(matches!(pending.victim(random, now + GRACE), Some(0 | 1)));
        }
    }
}
