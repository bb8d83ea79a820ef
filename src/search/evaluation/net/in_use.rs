//! Which net evaluates which game: one that `--net` gives, or else the built-in one.

use super::{Domain, Net, hash};
use std::sync::OnceLock;

macro_rules! nets {
    ($($name:literal),*) => {
        &[$(($name, include_bytes!(concat!("../nets/", $name, ".net")))),*]
    };
}

/// The built-in nets by the names of their games. The header of each names the games that it was
/// trained on.
const BUILT_IN: &[(&str, &[u8])] =
    nets!["3check", "crazyhouse", "draughts", "giveaway", "horde", "normal", "racingkings"];

static NETS: [OnceLock<Option<Net>>; Domain::COUNT] = [const { OnceLock::new() }; Domain::COUNT];

/// Returns the net for a game, if there is one.
#[inline]
pub fn net_of(domain: Domain) -> Option<&'static Net> {
    NETS[domain.index()].get_or_init(|| built_in(domain)).as_ref()
}

/// Uses a net from now on for its game, in the whole process. Searches must not have begun.
///
/// # Errors
/// Returns the net if another one is in use.
pub fn use_net(net: Net) -> Result<(), Box<Net>> {
    let domain = net.file().domain;
    NETS[domain.index()].set(Some(net)).map_err(|refused| Box::new(refused.expect("it was given")))
}

/// Returns a hash of the net for a game, if there is one.
pub fn net_hash(domain: Domain) -> Option<u64> {
    net_of(domain).map(|net| hash(&net.file().bytes()))
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
}
