//! Addresses to come from: an address has 65,536 ports, and one that was closed rests for a minute.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Connections from one address before the next is taken. The system gives out some 28,000 ports by itself.
const EACH: usize = 20_000;
/// Addresses, before the first is used again. By then its ports have rested.
const ADDRESSES: usize = 200;

/// Where connections come from.
pub(super) struct Sources {
    /// The server is on this machine, where all addresses that begin with 127 are ours.
    many: bool,
    opened: usize,
}

impl Sources {
    /// For connections to that server.
    pub(super) fn of(server: SocketAddr) -> Sources {
        let many = matches!(server.ip(), IpAddr::V4(address) if address.is_loopback());
        Sources { many, opened: 0 }
    }

    /// Takes another address for the next connection. Whether there is one.
    pub(super) fn move_on(&mut self) -> bool {
        self.opened = self.opened.next_multiple_of(EACH).max(EACH);
        self.many
    }

    /// For the next connection; `None` for whatever the system chooses.
    pub(super) fn next(&mut self) -> Option<SocketAddr> {
        let index = self.opened / EACH % ADDRESSES;
        self.opened += 1;
        let last = u8::try_from(index + 1).ok()?;
        (self.many && index > 0).then(|| (Ipv4Addr::new(127, 0, 0, last), 0).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn counts(server: &str) -> HashMap<Option<SocketAddr>, usize> {
        let mut sources = Sources::of(server.parse().unwrap());
        let mut counts = HashMap::new();
        for _ in 0..100_000 {
            *counts.entry(sources.next()).or_default() += 1;
        }
        counts
    }

    #[test]
    fn no_address_has_more_connections_than_ports() {
        let counts = counts("127.0.0.1:5254");
        assert_eq!(counts.len(), 5);
        assert!(counts.values().all(|&count| count == EACH));
        assert!(counts.contains_key(&None) && counts.contains_key(&Some("127.0.0.5:0".parse().unwrap())));
    }

    #[test]
    fn another_address_is_taken_at_once() {
        let mut sources = Sources::of("127.0.0.1:5254".parse().unwrap());
        for expected in [None, Some("127.0.0.2:0".parse().unwrap()), Some("127.0.0.3:0".parse().unwrap())] {
            assert_eq!((sources.next(), sources.next()), (expected, expected));
            assert!(sources.move_on());
        }
        let mut fresh = Sources::of("127.0.0.1:5254".parse().unwrap());
        fresh.move_on();
        assert!(fresh.next().is_some());
        assert!(!Sources::of("[::1]:5254".parse().unwrap()).move_on());
    }

    #[test]
    fn elsewhere_only_the_system_knows_our_addresses() {
        for server in ["192.0.2.1:5254", "[::1]:5254"] {
            assert_eq!(counts(server).len(), 1);
        }
    }
}
