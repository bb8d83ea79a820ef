//! Static evaluation of English draughts by a small network, fitted to games of the engine, unless
//! a net of `farboard train` is in use. `network.txt` names the games that made `network.bin`.

mod network;

use super::net::{Domain, net_of};
use crate::draughts::Position;
use crate::random::mix;
use network::Network;

static BYTES: &[u8; network::BYTES] = include_bytes!("network.bin");
static NETWORK: Network = Network::read(BYTES);

/// Returns the value of a position in centipawns, about a hundred for a man, from the view of the
/// side on move. Never near a mate score.
pub(in crate::search) fn evaluate(position: &Position) -> i32 {
    match net_of(Domain::Draughts) {
        Some(net) => net.evaluate(position),
        None => NETWORK.evaluate(position).clamp(-20_000, 20_000),
    }
}

/// Returns a hash of the network.
pub fn network_hash() -> u32 {
    (BYTES.iter().fold(0, |hash, &byte| mix(hash ^ u64::from(byte))) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extra_man_counts_and_the_start_is_nearly_level() {
        assert!(evaluate(&Position::start()).abs() < 40, "{}", evaluate(&Position::start()));
        let less = Position::from_fen("B:W21-31:B1-12").unwrap();
        assert!((40..400).contains(&evaluate(&less)), "{}", evaluate(&less));
    }
}
