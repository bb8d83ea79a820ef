//! Which net evaluates which game: one that `--net` gives, or else the built-in one.

use super::{Domain, Net, hash};
use crate::chess::Variant;
use std::sync::OnceLock;

macro_rules! nets {
    ($($name:literal),*) => {
        &[$(($name, include_bytes!(concat!("../nets/", $name, ".net")))),*]
    };
}

/// The built-in nets by the names of their games. The header of each names the games that it was
/// trained on.
const BUILT_IN: &[(&str, &[u8])] = nets![
    "3check",
    "atomic",
    "crazyhouse",
    "draughts",
    "giveaway",
    "horde",
    "kingofthehill",
    "losers",
    "normal",
    "racingkings",
    "suicide",
    "twokings"
];

/// The nets in use, once they are asked for. Several games may share one.
static NETS: [OnceLock<&Net>; Domain::COUNT] = [const { OnceLock::new() }; Domain::COUNT];

/// Returns the net for a game.
#[inline]
pub fn net_of(domain: Domain) -> &'static Net {
    NETS[domain.index()].get_or_init(|| match built_in(domain) {
        Some(net) => Box::leak(Box::new(net)),
        None => net_of(similar(domain)),
    })
}

/// Uses a net from now on for its game, in the whole process. Searches must not have begun.
///
/// # Errors
/// Another net of this game is in use.
pub fn use_net(net: Net) -> Result<(), NetInUse> {
    let domain = net.file().domain;
    NETS[domain.index()].set(Box::leak(Box::new(net))).map_err(|_| NetInUse)
}

/// A net of the same game has been used already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("another net of this game is in use")]
pub struct NetInUse;

/// Returns a hash of the net for a game.
pub fn net_hash(domain: Domain) -> u64 {
    hash(&net_of(domain).file().bytes())
}

/// Returns the game whose net evaluates one without a net of its own.
fn similar(domain: Domain) -> Domain {
    match domain {
        Domain::Variant(Variant::BUGHOUSE) => Domain::Variant(Variant::CRAZYHOUSE),
        Domain::Variant(Variant::ATOMIC_ICC) => Domain::Variant(Variant::ATOMIC),
        Domain::Variant(variant) => variant.without_chess960().map_or(Domain::Chess, Domain::of),
        Domain::Chess | Domain::Draughts => Domain::Chess,
    }
}

fn built_in(domain: Domain) -> Option<Net> {
    let (_, bytes) = BUILT_IN.iter().find(|(game, _)| *game == domain.name())?;
    Some(Net::parse(bytes).expect("built-in nets are tested"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_nets_can_be_read_and_are_of_their_games() {
        for (name, bytes) in BUILT_IN {
            let domain = Domain::from_name(name).expect("a game");
            let net = built_in(domain).expect("it is built in");
            assert_eq!(net.file().domain, domain);
            assert_eq!(net.file().bytes(), *bytes);
            assert!(net.file().origin.contains("positions"), "{}", net.file().origin);
        }
    }

    #[test]
    fn a_variant_with_the_castling_of_chess960_has_the_net_of_the_variant() {
        let atomic = net_of(Domain::Variant(Variant::ATOMIC));
        let atomic960 = net_of(Domain::from_name("atomic960").expect("a game"));
        assert!(std::ptr::eq(atomic, atomic960));
        assert!(!std::ptr::eq(atomic, net_of(Domain::Chess)));
    }
}
