//! Sources: the units that share the server as equals.
//!
//! An address, or an IPv6 /64 network ([`address_block`]), is one source, whatever the number of
//! its sessions. Connections from loopback addresses are local programs, or come through a tunnel
//! shared by many users, so each of their sessions is a source unless configured otherwise.

use crate::auth::User;
use crate::config::{Config, ShareBy, SourceNetwork};
use crate::pool::Source;
use crate::server::admission::address_block;
use crate::server::connection::Connection;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::Arc;

/// Most weights that administrators may have set at one time.
const MAX_WEIGHTS: usize = 10_000;

/// Determines the source of each connection.
#[derive(Clone, Default, Debug)]
pub struct Sources {
    share_by: ShareBy,
    networks: Arc<[SourceNetwork]>,
    /// Hashes addresses with a random key, so that no client can choose one with another's id.
    names: RandomState,
    weights: HashMap<u64, u32>,
}

impl Sources {
    /// Takes the sources from a configuration.
    pub fn new(config: &Config) -> Sources {
        let networks = config.sources.clone().into();
        Sources { share_by: config.share_by, networks, names: RandomState::new(), weights: HashMap::new() }
    }

    /// Adopts another configuration. Ids stay the same.
    pub(in crate::server) fn adopt(&mut self, others: Sources) {
        let weights = std::mem::take(&mut self.weights);
        *self = Sources { names: self.names.clone(), weights, ..others };
    }

    /// Returns the source of a session from this address. `session`: its owner number in the pool.
    pub fn of(&self, peer: IpAddr, session: u64) -> Source {
        let by_address = match self.share_by {
            ShareBy::Auto => !peer.to_canonical().is_loopback(),
            ShareBy::Address => true,
            ShareBy::Session => false,
        };
        if by_address {
            let weight = self.settings_of(peer).map_or(1, |network| network.weight);
            self.weighted(Source { id: self.names.hash_one(address_block(peer)), weight })
        } else {
            self.weighted(Source::of(session))
        }
    }

    /// Returns the source of a connection, with its current weight.
    pub(in crate::server) fn of_connection(&self, connection: &Connection) -> Source {
        match &connection.user {
            Some(user) => self.of_user(user),
            None => self.of(connection.peer.ip(), connection.owner),
        }
    }

    /// Applies the weight set by an administrator, if any.
    fn weighted(&self, source: Source) -> Source {
        Source { weight: self.weights.get(&source.id).copied().unwrap_or(source.weight), ..source }
    }

    /// Sets the weight of a source; `None` for the configured one. Returns false beyond the limit.
    pub(in crate::server) fn set_weight(&mut self, source: u64, weight: Option<u32>) -> bool {
        match weight {
            None => drop(self.weights.remove(&source)),
            Some(_) if self.weights.len() >= MAX_WEIGHTS && !self.weights.contains_key(&source) => {
                return false;
            }
            Some(weight) => drop(self.weights.insert(source, weight)),
        }
        true
    }

    /// Returns the source of all sessions of a user, from any address.
    pub(in crate::server) fn of_user(&self, user: &User) -> Source {
        // The word keeps user names apart from addresses.
        self.weighted(Source { id: self.names.hash_one(("user", &user.name)), weight: user.weight })
    }

    /// Returns the configured limit of sessions per address of a network, if any.
    pub(in crate::server) fn max_sessions_of(&self, peer: IpAddr) -> Option<usize> {
        self.settings_of(peer)?.max_sessions
    }

    /// Returns the configured settings of an address's network, if any.
    pub fn settings_of(&self, peer: IpAddr) -> Option<&SourceNetwork> {
        SourceNetwork::of(&self.networks, peer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use std::path::Path;

    fn sources(text: &str) -> Sources {
        let settings = Settings::parse(text, Path::new("farboard.toml")).expect("it is right");
        Sources::new(&settings.resolve().expect("it is right"))
    }

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn an_address_is_one_source_and_so_is_an_ipv6_network() {
        let sources = sources("");
        let same = |one: &str, other: &str| sources.of(address(one), 1) == sources.of(address(other), 2);
        assert!(same("192.0.2.1", "192.0.2.1"));
        assert!(same("192.0.2.1", "::ffff:192.0.2.1"));
        assert!(!same("192.0.2.1", "192.0.2.2"));
        assert!(same("2001:db8::1", "2001:db8::ffff:1:2:3"));
        assert!(!same("2001:db8::1", "2001:db8:0:1::1"));
        assert_eq!(sources.of(address("192.0.2.1"), 1).weight, 1);
    }

    #[test]
    fn on_loopback_addresses_each_session_is_a_source_unless_configured_otherwise() {
        for loopback in ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"].map(address) {
            assert_eq!(sources("").of(loopback, 7), Source::of(7));
            let by_address = sources("share_by = \"address\"");
            assert_eq!(by_address.of(loopback, 7), by_address.of(loopback, 8));
        }
        let by_session = sources("share_by = \"session\"");
        assert_eq!(by_session.of(address("192.0.2.1"), 7), Source::of(7));
    }

    #[test]
    fn the_narrowest_network_takes_precedence() {
        let text = "[[source]]\nnetwork = \"203.0.113.9\"\nweight = 20\nmax_sessions = 500\n\
                    [[source]]\nnetwork = \"203.0.113.0/24\"\nweight = 3\n\
                    [[source]]\nnetwork = \"2001:db8::/32\"\nmax_sessions = 9\n";
        let sources = sources(text);
        let weight = |text| sources.of(address(text), 0).weight;
        assert_eq!(
            [weight("203.0.113.9"), weight("203.0.113.8"), weight("192.0.2.1"), weight("2001:db8::1")],
            [20, 3, 1, 1]
        );
        let most = |text| sources.settings_of(address(text)).and_then(|network| network.max_sessions);
        assert_eq!(
            [most("::ffff:203.0.113.9"), most("203.0.113.8"), most("2001:db8::1")],
            [Some(500), None, Some(9)]
        );
    }

    #[test]
    fn a_user_is_one_source_from_every_address() {
        let sources = sources("");
        let user = |name: &str, weight| User { weight, ..User::of_certificate(name) };
        let alice = sources.of_user(&user("alice", 3));
        assert_eq!((alice, alice.weight), (sources.of_user(&user("alice", 3)), 3));
        assert_ne!(alice.id, sources.of_user(&user("bob", 3)).id);
        assert_ne!(alice.id, sources.of(address("192.0.2.1"), 1).id);
    }

    #[test]
    fn a_weight_that_was_set_outlives_a_reload() {
        let mut sources = sources("");
        let alice = User::of_certificate("alice");
        let (user, there) = (sources.of_user(&alice), sources.of(address("192.0.2.1"), 1));
        assert!(sources.set_weight(user.id, Some(7)) && sources.set_weight(there.id, Some(5)));
        sources.adopt(super::tests::sources("[[source]]\nnetwork = \"192.0.2.1\"\nweight = 2\n"));
        assert_eq!(sources.of_user(&alice), Source { weight: 7, ..user });
        assert_eq!(sources.of(address("192.0.2.1"), 2), Source { weight: 5, ..there });
        sources.set_weight(there.id, None);
        assert_eq!(sources.of(address("192.0.2.1"), 2).weight, 2, "the configured one");
        assert_eq!(sources.of(address("192.0.2.2"), 2).weight, 1);
    }

    #[test]
    fn a_reload_keeps_the_ids_of_sources() {
        let mut sources = sources("");
        let before = sources.of(address("192.0.2.1"), 1);
        sources.adopt(super::tests::sources("[[source]]\nnetwork = \"192.0.2.1\"\nweight = 5\n"));
        assert_eq!(sources.of(address("192.0.2.1"), 1), Source { weight: 5, ..before });
    }
}
