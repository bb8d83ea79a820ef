//! An order of numbers that looks random and takes no memory.

use crate::random::mix;

const ROUNDS: u64 = 4;

/// A permutation of the numbers below `count`: a Feistel network over a power of four, applied
/// until the number is in range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Permutation {
    count: u64,
    /// Bits of a half.
    half: u32,
    key: u64,
}

impl Permutation {
    /// The permutation of this key.
    pub(super) fn new(count: usize, key: u64) -> Permutation {
        let count = count as u64;
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        Permutation { count, half: bits.div_ceil(2).max(1), key }
    }

    /// Returns the number at this place below `count`.
    #[inline]
    pub(super) fn at(&self, place: usize) -> usize {
        debug_assert!((place as u64) < self.count);
        let mut number = place as u64;
        loop {
            number = self.once(number);
            if number < self.count {
                return number as usize;
            }
        }
    }

    #[inline]
    fn once(&self, number: u64) -> u64 {
        let mask = (1 << self.half) - 1;
        let (mut left, mut right) = (number >> self.half, number & mask);
        for round in 0..ROUNDS {
            (left, right) = (right, left ^ mix(self.key ^ round << 56 ^ right) & mask);
        }
        left << self.half | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for count in [1, 2, 3, 4, 5, 16, 17, 1000, 4097] {
            let order = |key| {
                let permutation = Permutation::new(count, key);
                (0..count).map(|place| permutation.at(place)).collect::<Vec<_>>()
            };
            let (one, other) = (order(1), order(2));
            let mut sorted = one.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..count).collect::<Vec<_>>());
            assert!(count < 16 || one != other && one != sorted);
        }
    }
}
