//! Kernels for x86-64. A block of columns is kept in registers while rows change it.

use super::{FULL, LANES, Lanes, Layer};
use std::arch::x86_64::*;

/// Makes a kernel of the instructions for one width of vectors.
macro_rules! kernel {
    (
        $name:ident, $block:ident, $features:literal, $vector:ty, $parts:literal, blocks of $($blocks:literal),+;
        load $load:ident, store $store:ident, plus $plus:ident, sub $sub:ident, set $set:ident,
        zero $zero:ident, max $max:ident, min $min:ident,
        mullo $mullo:ident, madd $madd:ident, add $add:ident
    ) => {
        #[target_feature(enable = $features)]
        #[allow(clippy::int_plus_one, reason = "some blocks have one column")]
        pub(super) fn $name(layer: Layer<'_>, sums: &mut [Lanes], added: &[u16], removed: &[u16]) -> i64 {
            let (mut column, mut total) = (0, 0);
            $(while column + $blocks <= layer.columns {
                total += $block::<$blocks>(layer, sums, added, removed, column);
                column += $blocks;
            })+
            total
        }

        /// Changes `N` columns, and returns their sum.
        #[target_feature(enable = $features)]
        fn $block<const N: usize>(
            layer: Layer<'_>,
            kept: &mut [Lanes],
            added: &[u16],
            removed: &[u16],
            column: usize,
        ) -> i64 {
            #[inline]
            #[target_feature(enable = $features)]
            fn part(lanes: &Lanes, part: usize) -> $vector {
                let weights = &lanes.0[part * (LANES / $parts)..][..LANES / $parts];
                // SAFETY: the slice is as long as the vector, and a part of `Lanes` is as aligned.
                unsafe { $load(weights.as_ptr().cast()) }
            }
            let kept = &mut kept[column..][..N];
            let mut sums = [[$zero(); $parts]; N];
            for index in 0..N {
                for half in 0..$parts {
                    sums[index][half] = part(&kept[index], half);
                }
            }
            let row = |row: &u16| &layer.rows[usize::from(*row) * layer.columns + column..][..N];
            for row in added.iter().map(row) {
                for index in 0..N {
                    for half in 0..$parts {
                        sums[index][half] = $plus(sums[index][half], part(&row[index], half));
                    }
                }
            }
            for row in removed.iter().map(row) {
                for index in 0..N {
                    for half in 0..$parts {
                        sums[index][half] = $sub(sums[index][half], part(&row[index], half));
                    }
                }
            }
            for index in 0..N {
                for half in 0..$parts {
                    let lanes = &mut kept[index].0[half * (LANES / $parts)..][..LANES / $parts];
                    // SAFETY: as for loading.
                    unsafe { $store(lanes.as_mut_ptr().cast(), sums[index][half]) };
                }
            }
            let outputs = &layer.outputs[column..][..N];
            let (zero, full) = ($zero(), $set(FULL as i16));
            let mut lanes = $zero();
            for index in 0..N {
                for half in 0..$parts {
                    let neurons = $min($max(sums[index][half], zero), full);
                    let weighted = $mullo(neurons, part(&outputs[index], half));
                    lanes = $add(lanes, $madd(weighted, neurons));
                }
            }
            // SAFETY: a vector is nothing but its lanes.
            let lanes: [i32; LANES / $parts / 2] = unsafe { std::mem::transmute(lanes) };
            lanes.into_iter().map(i64::from).sum()
        }
    };
}

kernel!(
    avx2, avx2_block, "avx2", __m256i, 2, blocks of 4, 2, 1;
    load _mm256_load_si256, store _mm256_store_si256, plus _mm256_add_epi16, sub _mm256_sub_epi16,
    set _mm256_set1_epi16, zero _mm256_setzero_si256,
    max _mm256_max_epi16, min _mm256_min_epi16, mullo _mm256_mullo_epi16, madd _mm256_madd_epi16,
    add _mm256_add_epi32
);

kernel!(
    avx512, avx512_block, "avx512f,avx512bw", __m512i, 1, blocks of 8, 4, 2, 1;
    load _mm512_load_si512, store _mm512_store_si512, plus _mm512_add_epi16, sub _mm512_sub_epi16,
    set _mm512_set1_epi16, zero _mm512_setzero_si512,
    max _mm512_max_epi16, min _mm512_min_epi16, mullo _mm512_mullo_epi16, madd _mm512_madd_epi16,
    add _mm512_add_epi32
);
