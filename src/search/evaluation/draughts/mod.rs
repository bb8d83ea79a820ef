//! Static evaluation of English draughts: a small network, fitted to games of our own (`farboard generate --draughts`,
//! `farboard tune --draughts`). `network.txt` says which games made `network.bin`.

pub mod network;

use crate::draughts::Position;
use crate::random::mix;
use network::Network;

static BYTES: &[u8; network::BYTES] = include_bytes!("network.bin");
static NETWORK: Network = Network::read(BYTES);

/// The worth of a position in centipawns, a man being about a hundred, from the view of the side on move. Never near a mate
/// score.
pub fn evaluate(position: &Position) -> i32 {
    NETWORK.evaluate(position).clamp(-20_000, 20_000)
}

/// A number that differs where the network does.
pub fn network_hash() -> u32 {
    (BYTES.iter().fold(0, |hash, &byte| mix(hash ^ u64::from(byte))) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_man_more_counts_and_the_start_is_nearly_level() {
        assert!(evaluate(&Position::start()).abs() < 40, "{}", evaluate(&Position::start()));
        let less = Position::from_fen("B:W21-31:B1-12").unwrap();
        assert!((40..400).contains(&evaluate(&less)), "{}", evaluate(&less));
    }
}
