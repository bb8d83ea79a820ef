//! Ranks of fixed-size sets of squares (combinatorial number system), and sets compressed to the
//! squares that others leave free.

use std::sync::LazyLock;

/// Maximum number of squares of a set.
pub(super) const MAX_SIZE: usize = 5;

/// `CHOOSE[k][n]`: the number of sets of `k` out of `n` squares.
static CHOOSE: [[u32; 33]; MAX_SIZE + 1] = pascal();

/// All sets of 0, 1, … [`MAX_SIZE`] out of 32 squares, by rank: sets out of fewer squares come
/// first.
static SUBSETS: LazyLock<[Vec<u32>; MAX_SIZE + 1]> = LazyLock::new(|| std::array::from_fn(subsets));

const fn pascal() -> [[u32; 33]; MAX_SIZE + 1] {
    let mut table = [[0; 33]; MAX_SIZE + 1];
    let mut n = 0;
    while n <= 32 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MAX_SIZE && n > 0 {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// Returns all sets of one size in the order of their values, also the order of their ranks, by
/// Gosper's hack.
fn subsets(size: usize) -> Vec<u32> {
    let mut next = (1u64 << size) - 1;
    let mut sets = Vec::with_capacity(choose(32, size));
    for _ in 0..choose(32, size) {
        sets.push(next as u32);
        let lowest = next & next.wrapping_neg();
        let carried = next + lowest;
        next = ((next ^ carried).checked_div(lowest).unwrap_or(0) >> 2) | carried;
    }
    sets
}

/// Returns the number of sets of `size` (at most [`MAX_SIZE`]) out of `squares` (at most 32).
pub(super) const fn choose(squares: usize, size: usize) -> usize {
    CHOOSE[size][squares] as usize
}

/// Returns the rank of a set of at most [`MAX_SIZE`] squares among all sets of its size, from 0. It
/// is below `choose(n, size)` if the set is within the first `n` squares.
#[inline]
pub(super) fn rank(mut set: u32) -> usize {
    let (mut rank, mut size) = (0, 1);
    while set != 0 && size <= MAX_SIZE {
        rank += CHOOSE[size][set.trailing_zeros() as usize & 31];
        set &= set - 1;
        size += 1;
    }
    rank as usize
}

/// Returns all sets of a size, by rank.
pub(super) fn by_rank(size: usize) -> &'static [u32] {
    &SUBSETS[size]
}

/// Compresses a set to the squares not in `occupied`, which must be disjoint.
#[inline]
pub(super) const fn without(mut set: u32, mut occupied: u32) -> u32 {
    while occupied != 0 {
        let highest = 31 - occupied.leading_zeros();
        let below = (1u32 << highest) - 1;
        set = set & below | set >> 1 & !below;
        occupied ^= 1 << highest;
    }
    set
}

/// Reverses [`without`].
#[inline]
pub(super) const fn around(mut set: u32, mut occupied: u32) -> u32 {
    while occupied != 0 {
        let below = (occupied & occupied.wrapping_neg()) - 1;
        set = set & below | (set & !below) << 1;
        occupied &= occupied - 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sets_and_ranks_correspond() {
        for size in 0..=MAX_SIZE {
            assert_eq!(by_rank(size).len(), choose(32, size));
            for (number, &set) in by_rank(size).iter().enumerate() {
                assert_eq!((rank(set), set.count_ones() as usize), (number, size));
            }
        }
        assert_eq!((choose(32, 5), choose(28, 2), choose(3, 4), choose(0, 0)), (201_376, 378, 0, 1));
    }

    proptest! {
        #[test]
        fn compressed_sets_can_be_expanded(set: u32, occupied: u32) {
            let set = set & !occupied;
            let small = without(set, occupied);
            prop_assert_eq!(around(small, occupied), set);
            prop_assert!(u64::from(small) < 1 << (32 - occupied.count_ones()));
            prop_assert_eq!(small.count_ones(), set.count_ones());
        }
    }
}
