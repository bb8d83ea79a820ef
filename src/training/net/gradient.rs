//! The gradient of the cross entropy for one position. All sums have a fixed order.

use super::dataset::Packed;
use super::portable;
use super::weights::Shape;
use crate::search::net::{Inputs, Seen, WORTH, inputs};

/// Sums of a row that are added up separately.
const WIDTH: usize = 8;

/// The weights of a net, by rows.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub shape: Shape,
    pub rows: &'a [&'a [f32]],
}

/// Memory for the computation of one position.
pub(super) struct Workspace {
    /// Sums of each side's neurons, then their slopes.
    sums: [Vec<f32>; 2],
}

impl Workspace {
    /// For this number of neurons.
    pub(super) fn new(hidden: usize) -> Workspace {
        Workspace { sums: [vec![0.0; hidden], vec![0.0; hidden]] }
    }
}

impl Rows<'_> {
    /// Returns the expected result of a position.
    pub(super) fn expected(&self, position: &Packed<'_>, workspace: &mut Workspace) -> f32 {
        self.forward(&inputs(position.domain(), position), position.count(), workspace)
    }

    /// Adds the gradient of a position.
    pub(super) fn descend(&self, position: &Packed<'_>, gradient: &mut [f32], workspace: &mut Workspace) {
        let Shape { hidden, .. } = self.shape;
        let inputs = inputs(position.domain(), position);
        let error = self.forward(&inputs, position.count(), workspace) - position.target;
        let bucket = self.shape.bucket(position.count());
        gradient[self.shape.output_biases() * hidden + bucket] += error;
        let output = self.shape.output(bucket);
        for (side, sums) in workspace.sums.iter_mut().enumerate() {
            let row = output + side;
            back(sums, self.rows[row], error, &mut gradient[row * hidden..][..hidden]);
        }
        let biases = self.shape.biases() as u16;
        for (side, slopes) in workspace.sums.iter().enumerate() {
            for row in inputs.iter().map(|input| input[side]).chain([biases]) {
                let row = &mut gradient[usize::from(row) * hidden..][..hidden];
                row.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
            }
        }
    }

    /// Computes the sums of the neurons and returns the expected result.
    fn forward(&self, inputs: &Inputs, men: usize, workspace: &mut Workspace) -> f32 {
        let bucket = self.shape.bucket(men);
        let output = self.shape.output(bucket);
        let mut value = self.rows[self.shape.output_biases()][bucket];
        for (side, sums) in workspace.sums.iter_mut().enumerate() {
            sums.copy_from_slice(self.rows[self.shape.biases()]);
            add_rows(self.rows, inputs, side, sums);
            value += weighted(sums, self.rows[output + side]);
        }
        portable::expected(value * WORTH as f32)
    }
}

/// Adds the rows of the inputs to the sums, four at a time.
#[inline]
fn add_rows(rows: &[&[f32]], inputs: &[[u16; 2]], side: usize, sums: &mut [f32]) {
    let (fours, rest) = inputs.as_chunks::<4>();
    for four in fours {
        let [a, b, c, d] = four.map(|input| &rows[usize::from(input[side])][..sums.len()]);
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum += (a[index] + b[index]) + (c[index] + d[index]);
        }
    }
    for input in rest {
        sums.iter_mut().zip(rows[usize::from(input[side])]).for_each(|(sum, weight)| *sum += weight);
    }
}

/// Returns the sum of the weighted squares of the neurons.
#[inline]
fn weighted(sums: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0; WIDTH];
    for (sums, weights) in sums.as_chunks::<WIDTH>().0.iter().zip(weights.as_chunks::<WIDTH>().0) {
        for lane in 0..WIDTH {
            let neuron = clamped(sums[lane]);
            lanes[lane] += neuron * neuron * weights[lane];
        }
    }
    lanes.iter().sum()
}

/// Replaces the sums of neurons by their slopes, and adds the slopes of their output weights.
#[inline]
fn back(sums: &mut [f32], weights: &[f32], error: f32, gradient: &mut [f32]) {
    for ((sum, weight), slope) in sums.iter_mut().zip(weights).zip(gradient) {
        let neuron = clamped(*sum);
        *slope += error * (neuron * neuron);
        let is_between = f32::from(u8::from(neuron == *sum));
        *sum = error * weight * (2.0 * neuron) * is_between;
    }
}

/// Returns a neuron.
#[inline]
#[expect(clippy::manual_clamp, reason = "vectors have one instruction for each")]
fn clamped(sum: f32) -> f32 {
    sum.max(0.0).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::dataset::Dataset;
    use super::super::weights::Weights;
    use super::*;
    use crate::draughts;
    use crate::search::net::{Domain, LANES, Net};

    const SHAPE: Shape = Shape { domain: Domain::Draughts, hidden: LANES, buckets: 4 };

    fn position(fen: &str, target: f32) -> Dataset {
        let mut positions = Dataset::new(Domain::Draughts);
        assert!(positions.push(&draughts::Position::from_fen(fen).unwrap(), target));
        positions
    }

    fn with_rows<T>(weights: &Weights, act: impl FnOnce(Rows<'_>) -> T) -> T {
        let rows: Vec<&[f32]> = weights.0.chunks_exact(LANES).collect();
        act(Rows { shape: SHAPE, rows: &rows })
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let positions = position("W:W21,22,30,K15:B5,6,K9", 0.7);
        let mut weights = Weights::random(SHAPE, 5);
        let mut workspace = Workspace::new(LANES);
        let mut gradient = vec![0.0; weights.0.len()];
        with_rows(&weights, |rows| rows.descend(&positions.get(0), &mut gradient, &mut workspace));
        let loss = |weights: &Weights, workspace: &mut Workspace| {
            let position = positions.get(0);
            with_rows(weights, |rows| {
                portable::cross_entropy(position.target, rows.expected(&position, workspace))
            })
        };
        let mut steep = 0;
        for (index, &found) in gradient.iter().enumerate() {
            let before = weights.0[index];
            let mut at = |weight| {
                weights.0[index] = weight;
                loss(&weights, &mut workspace)
            };
            let slope = (at(before + 1e-3) - at(before - 1e-3)) / 2e-3;
            weights.0[index] = before;
            // The value is a tenfold chance for each unit.
            let expected = f64::from(found) * std::f64::consts::LN_10;
            assert!((slope - expected).abs() < 1e-3, "weight {index}: {slope} {expected}");
            steep += usize::from(expected.abs() > 1e-3);
        }
        assert!(steep > 50, "{steep}");
    }

    #[test]
    fn integers_change_little() {
        let weights = Weights::random(SHAPE, 7);
        let net = Net::new(weights.rounded(SHAPE, ""));
        for fen in ["W:W21,22,30,K15:B5,6,K9", "B:W21-32:B1-12", "B:WK1:BK32,5"] {
            let positions = position(fen, 0.5);
            let position = positions.get(0);
            let exact = with_rows(&weights, |rows| rows.expected(&position, &mut Workspace::new(LANES)));
            let rounded = portable::expected(net.evaluate(&position) as f32);
            assert!((exact - rounded).abs() < 0.01, "{fen} {exact} {rounded}");
        }
    }
}
