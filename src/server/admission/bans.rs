//! Bans of kicked clients. Without them a shim would reconnect at once and continue the session.

use crate::server::admission::address_block;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Most users and addresses that are remembered; further ones are not banned.
const MAX: usize = 10_000;

/// A user, or the clients of an address that are not users.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::server) enum Banned {
    User(String),
    /// An address, or an IPv6 /64 network.
    Address(IpAddr),
}

impl Banned {
    pub(in crate::server) fn address(address: IpAddr) -> Banned {
        Banned::Address(address_block(address))
    }
}

/// Bans; clones share them.
#[derive(Clone, Default)]
pub(in crate::server) struct Bans {
    until: Arc<Mutex<HashMap<Banned, Instant>>>,
}

impl Bans {
    /// Bans a client for a time; a later ban replaces an earlier one.
    pub(in crate::server) fn add(&self, client: Banned, time: Duration, now: Instant) {
        let mut until = self.until();
        if until.len() >= MAX {
            until.retain(|_, end| *end > now);
        }
        if let Some(end) = now.checked_add(time)
            && (until.len() < MAX || until.contains_key(&client))
        {
            until.insert(client, end);
        }
    }

    /// Returns the seconds left of a ban, rounded up; `None` if there is none.
    pub(in crate::server) fn seconds_left(&self, client: &Banned, now: Instant) -> Option<u64> {
        let left = self.until().get(client)?.saturating_duration_since(now);
        (!left.is_zero()).then(|| left.as_millis().div_ceil(1000) as u64)
    }

    pub(in crate::server) fn is_empty(&self) -> bool {
        self.until().is_empty()
    }

    fn until(&self) -> MutexGuard<'_, HashMap<Banned, Instant>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ban_ends_in_time_and_a_later_one_replaces_it() {
        let (bans, now) = (Bans::default(), Instant::now());
        let alice = Banned::User("alice".to_owned());
        let network = |text: &str| Banned::address(text.parse().expect("an address"));
        bans.add(alice.clone(), Duration::from_secs(60), now);
        bans.add(network("2001:db8::1"), Duration::from_secs(5), now);
        let at = |seconds| now + Duration::from_millis(seconds);
        assert_eq!(bans.seconds_left(&alice, at(0)), Some(60));
        assert_eq!(bans.seconds_left(&alice, at(59_001)), Some(1));
        assert_eq!(bans.seconds_left(&alice, at(60_000)), None);
        assert_eq!(bans.seconds_left(&Banned::User("bob".to_owned()), now), None);
        assert_eq!(bans.seconds_left(&network("2001:db8::2"), at(1)), Some(5), "the same network");
        assert_eq!(bans.seconds_left(&network("192.0.2.1"), now), None);
        bans.add(alice.clone(), Duration::ZERO, at(10));
        assert_eq!(bans.seconds_left(&alice, at(10)), None, "replaced");
        assert!(!bans.is_empty());
    }

    #[test]
    fn the_number_of_bans_is_bounded() {
        let (bans, now) = (Bans::default(), Instant::now());
        for number in 0..MAX + 10 {
            bans.add(Banned::User(number.to_string()), Duration::from_secs(1), now);
        }
        assert_eq!(bans.until().len(), MAX);
        bans.add(Banned::User("1".to_owned()), Duration::ZERO, now);
        assert_eq!(bans.seconds_left(&Banned::User("1".to_owned()), now), None);
        let later = now + Duration::from_secs(2);
        bans.add(Banned::User("alice".to_owned()), Duration::from_secs(1), later);
        assert_eq!(bans.until().len(), 1);
    }
}
