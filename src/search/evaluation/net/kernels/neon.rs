//! The kernel for NEON. A column is summed up in registers over all inputs.

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

/// Returns the sum over all neurons.
pub(super) fn sum(layer: Layer<'_>, inputs: &[[u16; 2]], side: usize) -> i64 {
    let mut total = 0;
    for column in 0..layer.columns {
        let mut sums: [int16x8_t; PARTS] = std::array::from_fn(|part| load(&layer.biases[column], part));
        for input in inputs {
            let row = &layer.rows[usize::from(input[side]) * layer.columns + column];
            for (part, sum) in sums.iter_mut().enumerate() {
                // SAFETY: NEON is part of the architecture.
                *sum = unsafe { vqaddq_s16(*sum, load(row, part)) };
            }
        }
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
