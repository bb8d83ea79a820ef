//! Which client loses its slot to a new one when all are taken.
//!
//! It is a client of the address that holds most slots. So an address that floods the listener, or
//! keeps connections open, takes slots from itself.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Time for which a client that is not idle keeps the only slot of its address.
const FAIR_TIME: Duration = Duration::from_millis(250);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Holder {
    pub(super) key: usize,
    /// Its address, or the network that counts as one.
    pub(super) source: IpAddr,
    pub(super) is_idle: bool,
    pub(super) since: Instant,
}

pub(super) struct Crowd {
    holders: Vec<Holder>,
    by_source: HashMap<IpAddr, usize>,
}

impl Crowd {
    pub(super) fn new(holders: Vec<Holder>) -> Crowd {
        let mut by_source = HashMap::new();
        for holder in &holders {
            *by_source.entry(holder.source).or_default() += 1;
        }
        Crowd { holders, by_source }
    }

    /// Returns when a new client of any address may have a slot; `None` for at once.
    pub(super) fn free_from(&self) -> Option<Instant> {
        let is_shared = self.by_source.values().any(|&slots| slots > 1);
        if is_shared || self.holders.iter().any(|holder| holder.is_idle) {
            return None;
        }
        self.holders.iter().map(|holder| holder.since + FAIR_TIME).min()
    }

    /// Returns the client that loses its slot to one of this address: an idle one, or the slowest.
    pub(super) fn victim(&self, new_client: IpAddr) -> Option<usize> {
        let slots = |source| self.by_source.get(&source).copied().unwrap_or(0);
        let with_new = |source| slots(source) + usize::from(source == new_client);
        let most = self.holders.iter().map(|holder| with_new(holder.source)).max()?;
        let crowd = self.holders.iter().filter(|holder| with_new(holder.source) == most);
        crowd.min_by_key(|holder| (!holder.is_idle, holder.since)).map(|holder| holder.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn an_address_that_connects_all_the_time_takes_slots_from_itself() {
        let now = Instant::now();
        let at = |milliseconds| now + Duration::from_millis(milliseconds);
        let holder = |key, source, since| Holder { key, source: address(source), is_idle: false, since };
        let mut holders: Vec<Holder> = (1..63).map(|key| holder(key, 1, at(key as u64))).collect();
        holders.extend([holder(0, 2, now), Holder { is_idle: true, ..holder(63, 3, now) }]);
        let crowd = Crowd::new(holders);
        assert_eq!(crowd.free_from(), None);
        for new_client in [1, 2, 3, 4] {
            assert_eq!(crowd.victim(address(new_client)), Some(1), "the oldest of the crowd");
        }
    }

    #[test]
    fn the_new_client_counts_and_idle_clients_go_first() {
        let now = Instant::now();
        let holder = |key, source, is_idle| Holder { key, source: address(source), is_idle, since: now };
        let crowd = Crowd::new(vec![
            holder(0, 1, false),
            holder(1, 2, false),
            holder(2, 1, true),
            holder(3, 2, true),
        ]);
        assert_eq!(crowd.victim(address(1)), Some(2));
        assert_eq!(crowd.victim(address(2)), Some(3));
        assert!(matches!(crowd.victim(address(3)), Some(2 | 3)));
    }

    #[test]
    fn clients_of_different_addresses_keep_their_slots_for_some_time() {
        let now = Instant::now();
        let later = now + Duration::from_millis(1);
        let holder = |key, since| Holder { key, source: address(key as u8), is_idle: false, since };
        let crowd = Crowd::new(vec![holder(0, later), holder(1, now), holder(2, later)]);
        assert_eq!(crowd.free_from(), Some(now + FAIR_TIME));
        assert_eq!(crowd.victim(address(9)), Some(1));
        let idle = Holder { is_idle: true, ..holder(1, now) };
        assert_eq!(Crowd::new(vec![holder(0, later), idle]).free_from(), None);
    }
}
