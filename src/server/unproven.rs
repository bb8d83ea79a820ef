//! Those who have still to show what is asked of them: a number of places of their own.
//!
//! They take no place of a session. When all places are taken, a newcomer gets that of somebody who has had it for
//! [`GRACE`], of the network that has most of them; until there is one, newcomers wait with the system. Who knows the
//! secret shows it within milliseconds, so nobody of those loses a place, however many only take one up and come again.
//! (OpenSSH drops newcomers at random, `MaxStartups`, which keeps out those who know as often as those who do not.)

use super::network::network_of;
use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// How long nobody loses a place: many times the way to the far side of the earth and back.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// Who has a place.
struct Waiting {
    slot: usize,
    network: IpAddr,
    since: Instant,
}

/// Connections without a proof.
pub(super) struct Unproven {
    most: usize,
    waiting: Vec<Waiting>,
    by_network: HashMap<IpAddr, usize>,
}

impl Unproven {
    /// Places for so many, at least one.
    pub(super) fn new(most: usize) -> Unproven {
        Unproven { most: most.max(1), waiting: Vec::new(), by_network: HashMap::new() }
    }

    /// From now on there are so many places.
    pub(super) fn limit(&mut self, most: usize) {
        self.most = most.max(1);
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// From when on there is a place for a newcomer, which may be over already.
    pub(super) fn place_from(&self) -> Option<Instant> {
        if self.waiting.len() < self.most {
            return None;
        }
        self.crowd().map(|waiting| waiting.since + GRACE).min()
    }

    /// Those of the networks that have most.
    fn crowd(&self) -> impl Iterator<Item = &Waiting> {
        let most = self.by_network.values().copied().max();
        self.waiting.iter().filter(move |waiting| self.by_network.get(&waiting.network).copied() == most)
    }

    /// Somebody new takes a place. If there is none left, the slot of the one that loses its place; `dice` is any number.
    pub(super) fn enter(&mut self, slot: usize, peer: IpAddr, dice: u64, now: Instant) -> Option<usize> {
        let loser = if self.waiting.len() < self.most { None } else { self.loser(dice, now) };
        if let Some(loser) = loser {
            self.leave(loser);
        }
        let network = network_of(peer);
        self.waiting.push(Waiting { slot, network, since: now });
        *self.by_network.entry(network).or_default() += 1;
        loser
    }

    /// Somebody has come further on the way, as by a handshake of TLS, and has as long again for the rest.
    pub(super) fn come_further(&mut self, slot: usize, now: Instant) {
        if let Some(waiting) = self.waiting.iter_mut().find(|waiting| waiting.slot == slot) {
            waiting.since = now;
        }
    }

    fn loser(&self, dice: u64, now: Instant) -> Option<usize> {
        let late = |waiting: &&Waiting| now.saturating_duration_since(waiting.since) >= GRACE;
        let count = self.crowd().filter(late).count();
        if count == 0 {
            // Whoever lets a newcomer in nevertheless lets it have the place of the oldest.
            return self.crowd().min_by_key(|waiting| waiting.since).map(|waiting| waiting.slot);
        }
        let chosen = usize::try_from(dice % count as u64).ok()?;
        self.crowd().filter(late).nth(chosen).map(|waiting| waiting.slot)
    }

    /// Somebody has shown all, or is gone. Others are ignored.
    pub(super) fn leave(&mut self, slot: usize) {
        let Some(place) = self.waiting.iter().position(|waiting| waiting.slot == slot) else { return };
        let Waiting { network, .. } = self.waiting.swap_remove(place);
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
        let mut unproven = Unproven::new(3);
        for slot in 0..3 {
            assert_eq!((unproven.place_from(), unproven.enter(slot, address(1), 0, now)), (None, None));
        }
        unproven.leave(1);
        unproven.leave(1);
        assert_eq!(unproven.len(), 2);
        assert_eq!(unproven.enter(7, address(1), 0, now), None);
        assert_eq!(unproven.place_from(), Some(now + GRACE));
        assert!(unproven.enter(8, address(1), 0, now + GRACE).is_some());
        assert_eq!(unproven.len(), 3);
    }

    #[test]
    fn the_network_that_has_most_loses_a_place_that_it_has_had_for_long() {
        let mut now = Instant::now();
        let mut unproven = Unproven::new(10);
        unproven.enter(100, address(2), 0, now);
        for slot in 0..9 {
            unproven.enter(slot, address(1), 0, now);
        }
        let mut since: HashMap<usize, Instant> = (0..9).map(|slot| (slot, now)).collect();
        for dice in 0..1000 {
            now = unproven.place_from().expect("no place is left").max(now);
            let slot = 1000 + dice as usize;
            let loser = unproven.enter(slot, address(1), dice, now).expect("no place is left");
            let had = since.remove(&loser).expect("one of the crowd");
            assert!(now - had >= GRACE);
            since.insert(slot, now);
        }
        assert_eq!(unproven.len(), 10);
    }

    #[test]
    fn whoever_comes_further_has_as_long_again() {
        let now = Instant::now();
        let mut unproven = Unproven::new(2);
        unproven.enter(0, address(1), 0, now);
        unproven.enter(1, address(1), 0, now);
        unproven.come_further(0, now + GRACE);
        for dice in 0..10 {
            assert_eq!(unproven.loser(dice, now + GRACE), Some(1));
        }
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let now = Instant::now();
        let mut unproven = Unproven::new(3);
        unproven.enter(0, "2001:db8::1".parse().unwrap(), 0, now);
        unproven.enter(1, "2001:db8::ffff:2".parse().unwrap(), 0, now);
        unproven.enter(2, "2001:db8:0:1::1".parse().unwrap(), 0, now);
        for dice in 0..10 {
            assert!(matches!(unproven.loser(dice, now + GRACE), Some(0 | 1)));
        }
    }
}
