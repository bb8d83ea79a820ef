//! Local addresses for connections: an address has 65,536 ports, and a closed port cannot be used
//! for a minute.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Connections from one address before the next one is used. The system hands out some 28,000
/// ports.
const CONNECTIONS_PER_ADDRESS: usize = 20_000;
/// Number of addresses before the first is used again. Its ports are free at that point.
const ADDRESSES: usize = 200;

/// The local addresses of connections.
pub(super) struct SourceAddresses {
    /// Whether the server is at an IPv4 loopback address, so that all of 127.0.0.0/8 can be used.
    many: bool,
    opened: usize,
}

impl SourceAddresses {
    /// Addresses for connections to this server.
    pub(super) fn of(server: SocketAddr) -> SourceAddresses {
        let many = matches!(server.ip(), IpAddr::V4(address) if address.is_loopback());
        SourceAddresses { many, opened: 0 }
    }

    /// Switches to another address for the next connection. Returns whether there is one.
    pub(super) fn use_next(&mut self) -> bool {
        self.opened = self.opened.next_multiple_of(CONNECTIONS_PER_ADDRESS).max(CONNECTIONS_PER_ADDRESS);
        self.many
    }

    /// The local address of the next connection; `None` for the choice of the system.
    pub(super) fn next(&mut self) -> Option<SocketAddr> {
        let index = self.opened / CONNECTIONS_PER_ADDRESS % ADDRESSES;
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
        let mut sources = SourceAddresses::of(server.parse().unwrap());
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
        assert!(counts.values().all(|&count| count == CONNECTIONS_PER_ADDRESS));
        assert!(counts.contains_key(&None) && counts.contains_key(&Some("127.0.0.5:0".parse().unwrap())));
    }

    #[test]
    fn another_address_is_used_at_once() {
        let mut sources = SourceAddresses::of("127.0.0.1:5254".parse().unwrap());
        for expected in [None, Some("127.0.0.2:0".parse().unwrap()), Some("127.0.0.3:0".parse().unwrap())] {
            assert_eq!((sources.next(), sources.next()), (expected, expected));
            assert!(sources.use_next());
        }
        let mut fresh = SourceAddresses::of("127.0.0.1:5254".parse().unwrap());
        fresh.use_next();
        assert!(fresh.next().is_some());
        assert!(!SourceAddresses::of("[::1]:5254".parse().unwrap()).use_next());
    }

    #[test]
    fn elsewhere_the_system_chooses_the_address() {
        for server in ["192.0.2.1:5254", "[::1]:5254"] {
            assert_eq!(counts(server).len(), 1);
        }
    }
}
