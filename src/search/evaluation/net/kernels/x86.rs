//! Kernels for x86-64. A block of columns is summed up in registers over all inputs.

use super::{FULL, LANES, Lanes, Layer};
use std::arch::x86_64::*;

/// Makes a kernel of the instructions for one width of vectors.
macro_rules! kernel {
    (
        $name:ident, $block:ident, $features:literal, $vector:ty, $parts:literal, blocks of $($blocks:literal),+;
        load $load:ident, adds $adds:ident, set $set:ident, zero $zero:ident, max $max:ident, min $min:ident,
        mullo $mullo:ident, madd $madd:ident, add $add:ident
    ) => {
        #[target_feature(enable = $features)]
        #[allow(clippy::int_plus_one, reason = "some blocks have one column")]
        pub(super) fn $name(layer: Layer<'_>, inputs: &[[u16; 2]], side: usize) -> i64 {
            let (mut column, mut total) = (0, 0);
            $(while column + $blocks <= layer.columns {
                total += $block::<$blocks>(layer, inputs, side, column);
                column += $blocks;
            })+
            total
        }

        /// Returns the sum of `N` columns.
        #[target_feature(enable = $features)]
        fn $block<const N: usize>(layer: Layer<'_>, inputs: &[[u16; 2]], side: usize, column: usize) -> i64 {
            #[inline]
            #[target_feature(enable = $features)]
            fn part(lanes: &Lanes, part: usize) -> $vector {
                let weights = &lanes.0[part * (LANES / $parts)..][..LANES / $parts];
                // SAFETY: the slice is as long as the vector, and a part of `Lanes` is as aligned.
                unsafe { $load(weights.as_ptr().cast()) }
            }
            let mut sums = [[$zero(); $parts]; N];
            for index in 0..N {
                for half in 0..$parts {
                    sums[index][half] = part(&layer.biases[column + index], half);
                }
            }
            for input in inputs {
                let row = &layer.rows[usize::from(input[side]) * layer.columns + column..][..N];
                for index in 0..N {
                    for half in 0..$parts {
                        sums[index][half] = $adds(sums[index][half], part(&row[index], half));
                    }
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
    load _mm256_load_si256, adds _mm256_adds_epi16, set _mm256_set1_epi16, zero _mm256_setzero_si256,
    max _mm256_max_epi16, min _mm256_min_epi16, mullo _mm256_mullo_epi16, madd _mm256_madd_epi16,
    add _mm256_add_epi32
);

kernel!(
    avx512, avx512_block, "avx512f,avx512bw", __m512i, 1, blocks of 8, 4, 2, 1;
    load _mm512_load_si512, adds _mm512_adds_epi16, set _mm512_set1_epi16, zero _mm512_setzero_si512,
    max _mm512_max_epi16, min _mm512_min_epi16, mullo _mm512_mullo_epi16, madd _mm512_madd_epi16,
    add _mm512_add_epi32
);
