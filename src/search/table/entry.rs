//! Table entries, packed into 64 bits.

use crate::chess::Move;
use crate::search::Bound;

/// A table entry for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or one that caused a cutoff.
    pub mv: Option<Move>,
    /// The score, with mates counted from this position. Fits 16 bits.
    pub score: i32,
    /// The static evaluation. Fits 16 bits.
    pub evaluation: i32,
    /// Depth of the search in plies, [`DEEPEST`] at most.
    pub depth: u8,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Whether the position was on a principal variation.
    pub pv: bool,
}

/// Number of distinct epochs; ages are modulo this.
pub(super) const EPOCHS: u8 = 32;
/// Maximum stored depth.
pub(crate) const DEEPEST: u8 = 127;

impl Entry {
    /// Packs the entry: move 16 bits, score 16, evaluation 16, depth 7, game 1, bound 2, pv 1,
    /// epoch 5. Never 0, since no bound is 0. `game` is whether a game rather than an analysis
    /// writes it.
    pub fn pack(&self, epoch: u8, game: bool) -> u64 {
        u64::from(self.mv.map_or(0, Move::bits))
            | u64::from(self.score as i16 as u16) << 16
            | u64::from(self.evaluation as i16 as u16) << 32
            | u64::from(self.depth.min(DEEPEST)) << 48
            | u64::from(game) << 55
            | u64::from(self.bound.bits()) << 56
            | u64::from(self.pv) << 58
            | u64::from(epoch % EPOCHS) << 59
    }

    /// Unpacks an entry; `None` if nothing was packed.
    pub fn unpack(data: u64) -> Option<Entry> {
        let bound = Bound::from_bits((data >> 56) as u8)?;
        Some(Entry {
            mv: Move::from_bits(data as u16),
            score: i32::from((data >> 16) as u16 as i16),
            evaluation: i32::from((data >> 32) as u16 as i16),
            depth: depth(data),
            bound,
            pv: data >> 58 & 1 != 0,
        })
    }
}

/// Returns the replacement priority of packed data: deep and young entries stay.
pub(super) fn worth(data: u64, epoch: u8) -> i32 {
    if data == 0 {
        return i32::MIN;
    }
    i32::from(depth(data)) - 4 * i32::from(age(data, epoch))
}

/// Returns true if packed data was written by a game.
pub(super) fn is_of_game(data: u64) -> bool {
    data >> 55 & 1 != 0
}

/// Returns the number of epochs since packed data was written, modulo [`EPOCHS`].
pub(super) fn age(data: u64, epoch: u8) -> u8 {
    (epoch % EPOCHS + EPOCHS - (data >> 59) as u8) % EPOCHS
}

/// Returns packed data with this epoch.
pub(super) fn renewed(data: u64, epoch: u8) -> u64 {
    data & !(u64::MAX << 59) | u64::from(epoch % EPOCHS) << 59
}

fn depth(data: u64) -> u8 {
    (data >> 48) as u8 & DEEPEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_survive_a_round_trip(
            bits: u16, score: i16, evaluation: i16, depth in 0..=DEEPEST, bound in 0usize..3, pv: bool,
            epoch: u8, game: bool,
        ) {
            let entry = Entry {
                mv: Move::from_bits(bits),
                score: score.into(),
                evaluation: evaluation.into(),
                depth,
                bound: [Bound::Exact, Bound::Lower, Bound::Upper][bound],
                pv,
            };
            let data = entry.pack(epoch, game);
            prop_assert_eq!(Entry::unpack(data), Some(entry));
            prop_assert_eq!(is_of_game(data), game);
            prop_assert_eq!(age(data, epoch), 0);
            let later = epoch.wrapping_add(7);
            prop_assert_eq!(renewed(data, later), entry.pack(later, game));
        }
    }

    #[test]
    fn age_counts_against_depth() {
        let entry = Entry { mv: None, score: 0, evaluation: 0, depth: 10, bound: Bound::Exact, pv: false };
        let packed = |epoch| entry.pack(epoch, false);
        assert!(worth(packed(3), 3) > worth(packed(2), 3));
        assert!(worth(packed(31), 0) > worth(packed(20), 0), "epochs wrap around");
        assert!(worth(0, 0) < worth(packed(5), 4));
    }
}
