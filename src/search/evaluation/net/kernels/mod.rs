//! The hidden layer of a net, as one side sees the board: sums of the rows of weights of the inputs
//! that are on, each clamped, squared and weighted for the output.
//!
//! Every kernel gives the same numbers as the scalar one:
//! * Sums of 16 bits wrap around, so the order of additions and subtractions does not matter. With
//!   up to 64 inputs they do not: 65 rows of at most [`MOST_INPUT_WEIGHT`] add up to 32,760. A file
//!   with more inputs is checked for what they can add up to.
//! * A neuron is at most [`FULL`] = 255 and its output weight at most [`MOST_OUTPUT_WEIGHT`] = 126,
//!   so that their product, 32,130, fits into 16 bits, and the product with the neuron once more,
//!   8,193,150, into 32.
//! * A lane of 32 bits adds up at most [`MOST_HIDDEN`] / 4 = 128 of those, which is half of what it
//!   can hold; the lanes are added in 64 bits.

// Only to load vectors, and to call code for instructions that the processor was found to have.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Maximum of a neuron, in units of its weights.
pub const FULL: i32 = 255;
/// Maximum absolute weight from an input to a neuron, and bias: 1.98 × [`FULL`].
pub const MOST_INPUT_WEIGHT: i16 = 504;
/// Maximum absolute weight from a neuron to the output: 1.98 × [`super::UNIT`].
pub const MOST_OUTPUT_WEIGHT: i16 = 126;
/// Maximum number of neurons for each side.
pub(super) const MOST_HIDDEN: usize = 512;
/// Weights in [`Lanes`].
pub const LANES: usize = 32;

/// Neighbouring weights of a row, aligned for the widest vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Lanes(pub [i16; LANES]);

/// A layer for one side: `columns` [`Lanes`] in each row.
#[derive(Clone, Copy)]
pub(super) struct Layer<'a> {
    /// The number of neurons divided by [`LANES`].
    pub columns: usize,
    /// The rows of all inputs.
    pub rows: &'a [Lanes],
    /// The weights of the neurons for the output.
    pub outputs: &'a [Lanes],
}

/// The instructions to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// Plain Rust.
    Scalar,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with instructions for 16 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// NEON, which every such processor has.
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Kernel {
    /// Returns all that this processor can execute, the fastest last.
    pub fn available() -> Vec<Kernel> {
        let mut kernels = vec![Kernel::Scalar];
        #[cfg(target_arch = "x86_64")]
        {
            kernels.extend(is_x86_feature_detected!("avx2").then_some(Kernel::Avx2));
            kernels.extend(is_x86_feature_detected!("avx512bw").then_some(Kernel::Avx512));
        }
        #[cfg(target_arch = "aarch64")]
        kernels.push(Kernel::Neon);
        kernels
    }

    /// Adds rows to the sums of the neurons, and subtracts others. Returns the sum over all neurons
    /// of the square times the weight for the output. A kernel must be one of
    /// [`Kernel::available`].
    #[inline]
    pub(super) fn sum(self, layer: Layer<'_>, sums: &mut [Lanes], added: &[u16], removed: &[u16]) -> i64 {
        match self {
            Kernel::Scalar => scalar(layer, sums, added, removed),
            // SAFETY: the kernel is available, so the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { x86::avx2(layer, sums, added, removed) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => unsafe { x86::avx512(layer, sums, added, removed) },
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => neon::sum(layer, sums, added, removed),
        }
    }
}

/// The kernel that defines the result.
fn scalar(layer: Layer<'_>, sums: &mut [Lanes], added: &[u16], removed: &[u16]) -> i64 {
    let mut total = 0;
    for (column, Lanes(sums)) in sums.iter_mut().enumerate().take(layer.columns) {
        let row = |&row: &u16| &layer.rows[usize::from(row) * layer.columns + column].0;
        for row in added.iter().map(row) {
            sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
        }
        for row in removed.iter().map(row) {
            sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_sub(weight));
        }
        let Lanes(outputs) = &layer.outputs[column];
        let mut lanes = 0;
        for (&mut sum, &weight) in sums.iter_mut().zip(outputs) {
            let neuron = sum.clamp(0, FULL as i16);
            lanes += i32::from(neuron * weight) * i32::from(neuron);
        }
        total += i64::from(lanes);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ROWS: usize = 200;

    /// Returns weights from numbers, made small by `shift` bits.
    fn lanes(count: usize, seed: u64, most: i16, extreme: bool) -> Vec<Lanes> {
        let weight = |index: usize| {
            let random = crate::random::mix(seed ^ index as u64);
            let span = 2 * i64::from(most) + 1;
            match random % 4 {
                0 if extreme => most,
                1 if extreme => -most,
                _ => ((random >> 8) as i64 % span - i64::from(most)) as i16,
            }
        };
        (0..count).map(|row| Lanes(std::array::from_fn(|lane| weight(row * LANES + lane)))).collect()
    }

    fn assert_equal(layer: Layer<'_>, biases: &[Lanes], added: &[u16], removed: &[u16]) {
        let mut expected = biases.to_vec();
        let total = scalar(layer, &mut expected, added, removed);
        for kernel in Kernel::available() {
            let mut sums = biases.to_vec();
            assert_eq!(
                kernel.sum(layer, &mut sums, added, removed),
                total,
                "{kernel:?}, {} columns",
                layer.columns
            );
            assert_eq!(sums, expected, "{kernel:?}");
            // What was added can be taken back.
            kernel.sum(layer, &mut sums, removed, added);
            assert_eq!(sums, biases, "{kernel:?}");
        }
    }

    proptest! {
        #[test]
        fn all_kernels_give_the_same_sums(
            columns in 1usize..=16,
            seed: u64,
            extreme: bool,
            added in prop::collection::vec(0..ROWS as u16, 0..160),
            removed in prop::collection::vec(0..ROWS as u16, 0..160),
        ) {
            let rows = lanes(ROWS * columns, seed, MOST_INPUT_WEIGHT, extreme);
            let biases = lanes(columns, seed ^ 1, MOST_INPUT_WEIGHT, extreme);
            let outputs = lanes(columns, seed ^ 2, MOST_OUTPUT_WEIGHT, extreme);
            assert_equal(Layer { columns, rows: &rows, outputs: &outputs }, &biases, &added, &removed);
        }
    }

    #[test]
    fn the_largest_weights_do_not_overflow() {
        for (weight, output) in [(MOST_INPUT_WEIGHT, 1), (MOST_INPUT_WEIGHT, -1), (-MOST_INPUT_WEIGHT, 1)] {
            let columns = MOST_HIDDEN / LANES;
            let filled = |weight: i16, count: usize| vec![Lanes([weight; LANES]); count];
            let (rows, biases) = (filled(weight, columns), filled(weight, columns));
            let outputs = filled(output * MOST_OUTPUT_WEIGHT, columns);
            let layer = Layer { columns, rows: &rows, outputs: &outputs };
            for count in [0, 1, 64] {
                assert_equal(layer, &biases, &vec![0; count], &[]);
            }
            let neuron = i64::from(weight.max(0).min(FULL as i16));
            let expected = MOST_HIDDEN as i64 * neuron * neuron * i64::from(output * MOST_OUTPUT_WEIGHT);
            assert_eq!(scalar(layer, &mut biases.clone(), &[0; 64], &[]), expected);
        }
    }
}
