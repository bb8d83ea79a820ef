//! The kernel for NEON. A column is kept in registers while rows change it.

use super::{FULL, LANES, Lanes, Layer};
use std::arch::aarch64::*;

/// Vectors in [`Lanes`].
const PARTS: usize = 4;
const WIDTH: usize = LANES / PARTS;

fn load(lanes: &Lanes, part: usize) -> int16x8_t {
    let weights = &lanes.0[part * WIDTH..][..WIDTH];
    // SAFETY: the slice is as long as the vector; NEON is part of the architecture.
    unsafe { vld1q_s16(weights.as_ptr()) }
}

fn store(lanes: &mut Lanes, part: usize, vector: int16x8_t) {
    let weights = &mut lanes.0[part * WIDTH..][..WIDTH];
    // SAFETY: as for loading.
    unsafe { vst1q_s16(weights.as_mut_ptr(), vector) }
}

/// Changes the sums, and returns the sum over all neurons.
pub(super) fn sum(layer: Layer<'_>, kept: &mut [Lanes], added: &[u16], removed: &[u16]) -> i64 {
    let mut total = 0;
    for (column, kept) in kept.iter_mut().enumerate().take(layer.columns) {
        let mut sums: [int16x8_t; PARTS] = std::array::from_fn(|part| load(kept, part));
        let row = |row: &u16| &layer.rows[usize::from(*row) * layer.columns + column];
        for row in added.iter().map(row) {
            for (part, sum) in sums.iter_mut().enumerate() {
                // SAFETY: NEON is part of the architecture.
                *sum = unsafe { vaddq_s16(*sum, load(row, part)) };
            }
        }
        for row in removed.iter().map(row) {
            for (part, sum) in sums.iter_mut().enumerate() {
                // SAFETY: NEON is part of the architecture.
                *sum = unsafe { vsubq_s16(*sum, load(row, part)) };
            }
        }
        sums.iter().enumerate().for_each(|(part, &sum)| store(kept, part, sum));
        for (part, sum) in sums.into_iter().enumerate() {
            let weights = load(&layer.outputs[column], part);
            // SAFETY: NEON is part of the architecture.
            total += unsafe {
                let neurons = vminq_s16(vmaxq_s16(sum, vdupq_n_s16(0)), vdupq_n_s16(FULL as i16));
                let weighted = vmulq_s16(neurons, weights);
                let low = vmull_s16(vget_low_s16(weighted), vget_low_s16(neurons));
                vaddlvq_s32(vmlal_high_s16(low, weighted, neurons))
            };
        }
    }
    total
}
