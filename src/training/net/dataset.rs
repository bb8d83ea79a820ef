//! Positions with their targets, packed: about 30 bytes each in chess.
//!
//! A record has both flips of the squares, the target in 16 bits, the occupied squares, four bits
//! for each man in the order of squares, and in variants the counters; it is padded to a multiple
//! of four bytes.

use crate::random::mix;
use crate::search::net::{Counters, Domain, Man, Seen};

/// Bytes before the men.
const HEAD: usize = 12;
/// Bytes of the counters.
const COUNTERS: usize = 12;
/// Bit of a man of the opponent; the lower ones are its kind.
const ENEMY: u8 = 8;
/// Target of a certain win.
const WIN: f32 = 65_535.0;

/// Positions of one game with their targets.
#[derive(Debug)]
pub(super) struct Dataset {
    domain: Domain,
    /// Offset of each record, in units of four bytes.
    offsets: Vec<u32>,
    bytes: Vec<u8>,
}

/// A record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed<'a> {
    domain: Domain,
    flips: [u8; 2],
    /// Expected result for the side on move.
    pub target: f32,
    occupied: u64,
    /// Men and counters.
    rest: &'a [u8],
}

impl Dataset {
    /// No positions.
    pub(super) fn new(domain: Domain) -> Dataset {
        Dataset { domain, offsets: Vec::new(), bytes: Vec::new() }
    }

    /// Returns the game.
    pub(super) fn domain(&self) -> Domain {
        self.domain
    }

    /// Returns the number of positions.
    pub(super) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Adds a position with its expected result for the side on move. Returns false if there is no
    /// room for more.
    pub(super) fn push(&mut self, position: &impl Seen, target: f32) -> bool {
        let Ok(offset) = u32::try_from(self.bytes.len() / 4) else { return false };
        self.offsets.push(offset);
        let (mut occupied, mut squares) = (0u64, [0; 64]);
        for Man { is_own, kind, square } in position.men() {
            occupied |= 1 << square;
            squares[usize::from(square)] = if is_own { kind } else { ENEMY | kind };
        }
        self.bytes.extend(position.flips());
        self.bytes.extend(((target * WIN).round() as u16).to_le_bytes());
        self.bytes.extend(occupied.to_le_bytes());
        let mut men = (0..64).filter(|square| occupied >> square & 1 != 0).map(|square| squares[square]);
        while let Some(man) = men.next() {
            self.bytes.push(man | men.next().unwrap_or(0) << 4);
        }
        if has_counters(self.domain) {
            let Counters { hands, checks } = position.counters();
            self.bytes.extend(hands.as_flattened().iter().chain(&checks));
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        true
    }

    /// Returns a position by its number below [`Dataset::len`].
    #[inline]
    pub(super) fn get(&self, number: usize) -> Packed<'_> {
        let bytes = &self.bytes[self.offsets[number] as usize * 4..];
        let (head, rest) = bytes.split_first_chunk::<HEAD>().expect("a whole record");
        let [own, other, low, high, occupied @ ..] = *head;
        Packed {
            domain: self.domain,
            flips: [own, other],
            target: f32::from(u16::from_le_bytes([low, high])) / WIN,
            occupied: u64::from_le_bytes(occupied),
            rest,
        }
    }

    /// Returns a hash of all positions and targets.
    pub(super) fn hash(&self) -> u64 {
        self.bytes.chunks_exact(4).fold(self.len() as u64, |hash, word| {
            mix(hash ^ u64::from(u32::from_le_bytes([word[0], word[1], word[2], word[3]])))
        })
    }
}

fn has_counters(domain: Domain) -> bool {
    matches!(domain, Domain::Variant(_))
}

impl Seen for Packed<'_> {
    fn domain(&self) -> Domain {
        self.domain
    }

    fn flips(&self) -> [u8; 2] {
        self.flips
    }

    #[inline]
    fn men(&self) -> impl Iterator<Item = Man> {
        let mut left = self.occupied;
        (0..self.count()).map(move |index| {
            let man = self.rest[index / 2] >> (index % 2 * 4) & 15;
            let square = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
            Man { is_own: man & ENEMY == 0, kind: man & !ENEMY, square }
        })
    }

    fn counters(&self) -> Counters {
        if !has_counters(self.domain) {
            return Counters::default();
        }
        let bytes = &self.rest[self.count().div_ceil(2)..][..COUNTERS];
        let (hands, checks) = bytes.as_chunks::<5>();
        Counters { hands: [hands[0], hands[1]], checks: [checks[0], checks[1]] }
    }

    #[inline]
    fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Variant};
    use crate::draughts;
    use crate::search::net::{Inputs, inputs};
    use crate::with_position;

    fn assert_same(packed: &Packed<'_>, position: &impl Seen) {
        let sorted = |mut inputs: Inputs| {
            inputs.sort_unstable();
            inputs
        };
        assert_eq!(sorted(inputs(packed.domain(), packed)), sorted(inputs(position.domain(), position)));
    }

    #[test]
    fn packed_positions_look_the_same() {
        for variant in Variant::known() {
            let mut position = AnyPosition::start(variant);
            let mut dataset = Dataset::new(with_position!(&position, position => position.domain()));
            let mut positions = Vec::new();
            for ply in 0..60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[mix(ply) as usize % moves.len()]);
                positions.push(position);
                with_position!(&position, position => assert!(dataset.push(position, ply as f32 / 60.0)));
            }
            for (number, position) in positions.iter().enumerate() {
                let packed = dataset.get(number);
                with_position!(position, position => assert_same(&packed, position));
                assert!((packed.target - number as f32 / 60.0).abs() < 1e-4);
            }
        }
        let mut dataset = Dataset::new(Domain::Draughts);
        for fen in ["W:WK1,32:BK29,4", "B:W21-32:B1-12"] {
            let position = draughts::Position::from_fen(fen).unwrap();
            assert!(dataset.push(&position, 1.0));
            assert_same(&dataset.get(dataset.len() - 1), &position);
        }
    }
}
