//! Numbering of the positions of a slice, without gaps: numbers below [`Index::len`] are positions.

use super::material::Material;
use super::pieces::Pieces;
use super::subsets::{around, by_rank, choose, rank, without};

/// The last row of the side on move. Its men may stand there, the opponent's may not.
const LAST_ROW: u32 = 0xf000_0000;
/// Number of squares where men of both sides may stand: six rows of four, after the first row.
const SHARED: usize = 24;
const FIRST_ROW: usize = 4;
/// Number of squares where men of a side may stand.
const FOR_MEN: usize = 28;
const SQUARES: usize = 32;
/// A side has zero to four men on its last row.
const BLOCKS: usize = 5;

/// The numbering of the positions with some material.
///
/// Own men come first, in blocks by the number on the last row: only the others take squares from
/// the opponent's men. These come second, then the opponent's kings, and own kings last, each on
/// the squares left. Steps of own kings, the most frequent moves, change only the last of these
/// digits.
#[derive(Clone, Debug)]
pub(super) struct Index {
    material: Material,
    blocks: [Block; BLOCKS],
    opponent_kings: usize,
    own_kings: usize,
    len: usize,
}

/// The positions with a given number of own men on the last row.
#[derive(Clone, Copy, Default, Debug)]
struct Block {
    /// Number of its first position.
    start: usize,
    /// Number of ways to place own men elsewhere.
    own_men: usize,
    /// Number of ways to place the opponent's men.
    opponent_men: usize,
}

/// The number of a position without its own kings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    start: usize,
    occupied: u32,
}

impl Base {
    /// Returns the number with own kings on these squares, as many as the material has.
    #[inline]
    pub(super) fn with_own_kings(self, own_kings: u32) -> usize {
        self.start + rank(without(own_kings, self.occupied))
    }
}

impl Index {
    /// The numbering for this material.
    pub(super) fn new(material: Material) -> Index {
        let [own_men, own_kings, opponent_men, opponent_kings] = material.counts().map(usize::from);
        let left = SQUARES - own_men - opponent_men;
        let mut index = Index {
            material,
            blocks: [Block::default(); BLOCKS],
            opponent_kings: choose(left, opponent_kings),
            own_kings: choose(left - opponent_kings, own_kings),
            len: 0,
        };
        for on_last_row in 0..BLOCKS {
            let Some(elsewhere) = own_men.checked_sub(on_last_row) else { continue };
            let block = Block {
                start: index.len,
                own_men: choose(SHARED, elsewhere),
                opponent_men: choose(FOR_MEN - elsewhere, opponent_men),
            };
            index.blocks[on_last_row] = block;
            let men = choose(4, on_last_row) * block.own_men * block.opponent_men;
            index.len += men * index.opponent_kings * index.own_kings;
        }
        index
    }

    /// Returns the material.
    pub(super) fn material(&self) -> Material {
        self.material
    }

    /// Returns the number of positions.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of a position with this material.
    #[inline]
    pub(super) fn encode(&self, pieces: &Pieces) -> usize {
        self.base(pieces).with_own_kings(pieces.own_kings)
    }

    /// Returns the number of a position without its own kings.
    #[inline]
    pub(super) fn base(&self, pieces: &Pieces) -> Base {
        let Pieces { own_men, opponent_men, opponent_kings, .. } = *pieces;
        let mut number = 0;
        let mut start = 0;
        if own_men != 0 {
            let last_row = own_men >> (SQUARES - 4);
            let elsewhere = (own_men & !LAST_ROW) >> FIRST_ROW;
            let block = &self.blocks[(last_row.count_ones() as usize).min(BLOCKS - 1)];
            start = block.start;
            number = (rank(last_row) * block.own_men + rank(elsewhere)) * block.opponent_men;
        }
        if opponent_men != 0 {
            number += rank(without(opponent_men, own_men & !LAST_ROW));
        }
        let men = own_men | opponent_men;
        let kings = rank(without(opponent_kings, men));
        number = (number * self.opponent_kings + kings) * self.own_kings;
        Base { start: start + number, occupied: men | opponent_kings }
    }

    /// Returns the position with this number, which must be below [`Index::len`].
    #[inline]
    pub(super) fn decode(&self, number: usize) -> Pieces {
        let [own_men_count, own_kings, opponent_men, opponent_kings] =
            self.material.counts().map(usize::from);
        let used = own_men_count.min(BLOCKS - 1);
        let on_last_row = (1..=used).rev().find(|&count| self.blocks[count].start <= number).unwrap_or(0);
        let block = &self.blocks[on_last_row];
        // A slice has less than 2^32 positions, and 32-bit divisions are faster.
        let mut rest = (number - block.start) as u32;
        let mut digit = |base: usize| {
            let digit = rest % base as u32;
            rest /= base as u32;
            digit as usize
        };
        let own_kings = by_rank(own_kings)[digit(self.own_kings)];
        let opponent_kings = by_rank(opponent_kings)[digit(self.opponent_kings)];
        let opponent_men = by_rank(opponent_men)[digit(block.opponent_men)];
        let elsewhere = by_rank(own_men_count - on_last_row)[digit(block.own_men)] << FIRST_ROW;
        let last_row = by_rank(on_last_row)[rest as usize] << (SQUARES - 4);
        let own_men = last_row | elsewhere;
        let opponent_men = around(opponent_men, elsewhere);
        let men = own_men | opponent_men;
        let opponent_kings = around(opponent_kings, men);
        let own_kings = around(own_kings, men | opponent_kings);
        Pieces { own_men, own_kings, opponent_men, opponent_kings }
    }
}

#[cfg(test)]
mod tests {
    use super::super::material::MAX_PIECES;
    use super::*;
    use proptest::prelude::*;

    fn all(pieces: u32) -> Vec<Index> {
        let pairs = Material::pairs(pieces);
        let mut all: Vec<Material> =
            pairs.iter().flat_map(|&material| [material, material.passed()]).collect();
        all.sort();
        all.dedup();
        all.into_iter().map(Index::new).collect()
    }

    fn check(index: &Index, number: usize) {
        let pieces = index.decode(number);
        assert_eq!(index.encode(&pieces), number, "{} {pieces:?}", index.material());
        assert_eq!(Material::identify(&pieces), Some(index.material().identifier()));
        let Pieces { own_men, own_kings, opponent_men, opponent_kings } = pieces;
        let together = own_men | own_kings | opponent_men | opponent_kings;
        assert_eq!(together.count_ones(), index.material().pieces(), "{pieces:?}: two pieces on a square");
        assert_eq!((own_men & 0xf, opponent_men & LAST_ROW), (0, 0), "{pieces:?}: a man on its crown row");
    }

    #[test]
    fn totals_match_published_ones() {
        // The published totals include positions in which one side has nothing.
        let alone = |pieces: usize| -> usize {
            (0..=pieces).map(|men| choose(28, men) * choose(32 - men, pieces - men)).sum()
        };
        let mut smaller = 0;
        for (pieces, total) in [(2, 6_972), (3, 261_224), (4, 7_092_774), (5, 148_688_232)] {
            let up_to: usize = all(pieces).iter().map(Index::len).sum();
            assert_eq!(up_to - smaller + 2 * alone(pieces as usize), total, "{pieces} pieces");
            smaller = up_to;
        }
        assert!(all(MAX_PIECES).iter().all(|index| index.len() < u32::MAX as usize));
    }

    #[test]
    fn small_slices_are_numbered_without_gaps() {
        for index in all(3) {
            (0..index.len()).for_each(|number| check(&index, number));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn numbers_survive_a_round_trip(slice: prop::sample::Index, number: prop::sample::Index) {
            let all = all(MAX_PIECES);
            let index = slice.get(&all);
            check(index, number.index(index.len()));
        }
    }
}
