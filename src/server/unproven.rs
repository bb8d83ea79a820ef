//! Those who have still to show what is asked of them: a small number of places of their own.
//!
//! They take no place of a session. When all places are taken, a newcomer gets that of somebody who was there before:
//! of the network that has most of them, and there of any one. Who knows the secret shows it within milliseconds;
//! who only takes up a place is sooner or later the one that loses it. (OpenSSH drops newcomers at random, `MaxStartups`,
//! which keeps out those who know as often as those who do not.)

use super::network::network_of;
use std::collections::HashMap;
use std::net::IpAddr;

/// Connections without a proof.
pub(super) struct Unproven {
    most: usize,
    /// Their slots, and the networks they come from.
    waiting: Vec<(usize, IpAddr)>,
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

    /// Somebody new takes a place. If there is none left, the slot of the one that loses its place; `dice` is any number.
    pub(super) fn enter(&mut self, slot: usize, peer: IpAddr, dice: u64) -> Option<usize> {
        let loser = if self.waiting.len() < self.most { None } else { self.loser(dice) };
        if let Some(loser) = loser {
            self.leave(loser);
        }
        let network = network_of(peer);
        self.waiting.push((slot, network));
        *self.by_network.entry(network).or_default() += 1;
        loser
    }

    fn loser(&self, dice: u64) -> Option<usize> {
        let most = self.by_network.values().copied().max()?;
        let crowded = |&&(_, network): &&(usize, IpAddr)| self.by_network.get(&network) == Some(&most);
        let count = self.waiting.iter().filter(crowded).count();
        let chosen = usize::try_from(dice % count as u64).ok()?;
        self.waiting.iter().filter(crowded).nth(chosen).map(|&(slot, _)| slot)
    }

    /// Somebody has shown all, or is gone. Others are ignored.
    pub(super) fn leave(&mut self, slot: usize) {
        let Some(place) = self.waiting.iter().position(|&(other, _)| other == slot) else { return };
        let (_, network) = self.waiting.swap_remove(place);
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
        let mut unproven = Unproven::new(3);
        for slot in 0..3 {
            assert_eq!(unproven.enter(slot, address(1), 0), None);
        }
        unproven.leave(1);
        unproven.leave(1);
        assert_eq!(unproven.len(), 2);
        assert_eq!(unproven.enter(7, address(1), 0), None);
        assert!(unproven.enter(8, address(1), 0).is_some());
        assert_eq!(unproven.len(), 3);
    }

    #[test]
    fn the_network_that_has_most_loses_a_place() {
        let mut unproven = Unproven::new(10);
        unproven.enter(100, address(2), 0);
        for slot in 0..9 {
            unproven.enter(slot, address(1), 0);
        }
        for dice in 0..1000 {
            let slot = 1000 + dice as usize;
            let loser = unproven.enter(slot, address(1), dice).expect("no place is left");
            assert_ne!(loser, 100, "somebody who is there alone");
            assert_ne!(loser, slot, "the newcomer");
        }
        assert_eq!(unproven.len(), 10);
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let mut unproven = Unproven::new(3);
        unproven.enter(0, "2001:db8::1".parse().unwrap(), 0);
        unproven.enter(1, "2001:db8::ffff:2".parse().unwrap(), 0);
        unproven.enter(2, "2001:db8:0:1::1".parse().unwrap(), 0);
        for dice in 0..10 {
            assert!(matches!(unproven.loser(dice), Some(0 | 1)));
        }
    }
}
