//! Weights during training, in rows of one number for each neuron.

use crate::random::mix;
use crate::search::net::{
    Domain, FULL, LANES, Lanes, MOST_INPUT_WEIGHT, MOST_OUTPUT_WEIGHT, NetFile, UNIT, bucket,
};

/// The size of a net.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub domain: Domain,
    /// Neurons of each side.
    pub hidden: usize,
    /// Outputs.
    pub buckets: usize,
}

impl Shape {
    /// The size of this net.
    pub(super) fn of(net: &NetFile) -> Shape {
        Shape { domain: net.domain, hidden: net.hidden, buckets: net.buckets }
    }

    /// Returns the row of the neurons' biases, after the rows of the inputs.
    pub(super) fn biases(self) -> usize {
        self.domain.inputs()
    }

    /// Returns the first of two rows of an output: for the side on move's neurons, and the
    /// opponent's.
    pub(super) fn output(self, bucket: usize) -> usize {
        self.biases() + 1 + 2 * bucket
    }

    /// Returns the row of the outputs' biases, the last one; it is not full.
    pub(super) fn output_biases(self) -> usize {
        self.output(self.buckets)
    }

    /// Returns the number of rows.
    pub(super) fn rows(self) -> usize {
        self.output_biases() + 1
    }

    /// Returns the output for this number of men.
    pub(super) fn bucket(self, men: usize) -> usize {
        bucket(self.domain, self.buckets, men)
    }

    /// Returns the maximum absolute weight in a row.
    pub(super) fn most(self, row: usize) -> f32 {
        if row <= self.biases() {
            f32::from(MOST_INPUT_WEIGHT) / FULL as f32
        } else {
            f32::from(MOST_OUTPUT_WEIGHT) / UNIT as f32
        }
    }
}

/// All weights of a net, one row after another, in units of a full neuron.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Weights(pub Vec<f32>);

impl Weights {
    /// Small random weights: equal neurons would stay equal, and larger weights of inputs that are
    /// seldom on would stay as noise. Biases are such that some neurons are on in most positions.
    pub(super) fn random(shape: Shape, seed: u64) -> Weights {
        let weight = |index: usize| {
            let random = (mix(seed ^ mix(index as u64)) >> 40) as f32 / (1 << 23) as f32 - 1.0;
            match index / shape.hidden {
                row if row < shape.biases() => random * 0.02,
                row if row == shape.biases() => 0.25 + random * 0.25,
                row if row < shape.output_biases() => random * 0.1,
                _ => 0.0,
            }
        };
        Weights((0..shape.rows() * shape.hidden).map(weight).collect())
    }

    /// The weights of a net in integers.
    pub(super) fn of(net: &NetFile) -> Weights {
        let inputs = (net.domain.inputs() + 1) * net.hidden;
        let integers = net.rows.iter().flat_map(|lanes| lanes.0).enumerate();
        let weight = |(index, integer): (usize, i16)| {
            f32::from(integer) / if index < inputs { FULL } else { UNIT } as f32
        };
        let bias = |&integer: &i16| f32::from(integer) / (FULL * UNIT) as f32;
        let mut biases: Vec<f32> = net.output_biases.iter().map(bias).collect();
        biases.resize(net.hidden, 0.0);
        Weights(integers.map(weight).chain(biases).collect())
    }

    /// Returns the net in integers.
    pub(super) fn rounded(&self, shape: Shape, origin: &str) -> NetFile {
        let Shape { domain, hidden, buckets } = shape;
        let (weights, biases) = self.0.split_at(shape.output_biases() * hidden);
        let integer = |(index, weight): (usize, &f32)| {
            let (unit, most) = match index / hidden <= shape.biases() {
                true => (FULL, MOST_INPUT_WEIGHT),
                false => (UNIT, MOST_OUTPUT_WEIGHT),
            };
            ((weight * unit as f32).round() as i16).clamp(-most, most)
        };
        let integers: Vec<i16> = weights.iter().enumerate().map(integer).collect();
        let rows = integers.as_chunks::<LANES>().0.iter().copied().map(Lanes).collect();
        let bias = |bias: &f32| (bias * (FULL * UNIT) as f32).round() as i16;
        let output_biases = biases[..buckets].iter().map(bias).collect();
        NetFile { domain, hidden, buckets, origin: origin.to_owned(), rows, output_biases }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_in_integers_has_the_weights_that_it_is_read_with() {
        let shape = Shape { domain: Domain::Draughts, hidden: LANES, buckets: 4 };
        let mut weights = Weights::random(shape, 3);
        weights.0[shape.output_biases() * LANES + 2] = -0.7;
        let net = weights.rounded(shape, "games");
        assert_eq!(Weights::of(&net).rounded(shape, "games"), net);
        let is_negative = |lanes: &Lanes| lanes.0.iter().any(|&weight| weight < 0);
        assert!(net.output_biases[2] < 0 && net.rows.iter().any(is_negative));
    }
}
