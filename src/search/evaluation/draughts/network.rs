//! A network with one hidden layer. Its inputs are the pieces on their squares, as the side on move
//! sees the board; it has several outputs, one of which is selected by the number of pieces. All
//! numbers are integers, so results are the same on every machine.

use crate::chess::Color;
use crate::draughts::{Position, Square};

/// Inputs: men and kings of the side on move and of the opponent, on 32 squares each.
const INPUTS: usize = 4 * 32;
/// Neurons of the hidden layer.
const HIDDEN: usize = 128;
/// Outputs: for 1 to 6 pieces, 7 to 12, 13 to 18, 19 to 24.
const OUTPUTS: usize = 4;
/// Maximum of a hidden neuron, in units of its weights: it is clamped to 0 and this.
const FULL: i32 = 255;
/// Unit of the output weights.
const UNIT: i32 = 64;
/// Value in centipawns of a full neuron with a weight of one [`UNIT`].
const WORTH: i32 = 400;

/// Size of a network file in bytes.
pub(super) const BYTES: usize = 2 * (INPUTS * HIDDEN + HIDDEN + OUTPUTS * HIDDEN + OUTPUTS);

/// The weights.
#[derive(Debug)]
pub(super) struct Network {
    /// Weights from inputs to neurons.
    inputs: [[i16; HIDDEN]; INPUTS],
    /// Biases of neurons.
    biases: [i16; HIDDEN],
    /// Weights from neurons to outputs, in [`UNIT`]s.
    outputs: [[i16; HIDDEN]; OUTPUTS],
    /// Biases of outputs, in [`UNIT`]s.
    output_biases: [i16; OUTPUTS],
}

impl Network {
    /// Reads a network: the fields in order, as 16-bit little-endian numbers.
    pub(super) const fn read(bytes: &[u8; BYTES]) -> Network {
        let mut network = Network {
            inputs: [[0; HIDDEN]; INPUTS],
            biases: [0; HIDDEN],
            outputs: [[0; HIDDEN]; OUTPUTS],
            output_biases: [0; OUTPUTS],
        };
        let mut at = 0;
        let mut row = 0;
        while row < INPUTS {
            (network.inputs[row], at) = numbers(bytes, at);
            row += 1;
        }
        (network.biases, at) = numbers(bytes, at);
        row = 0;
        while row < OUTPUTS {
            (network.outputs[row], at) = numbers(bytes, at);
            row += 1;
        }
        (network.output_biases, _) = numbers(bytes, at);
        network
    }

    /// Returns the value for the side on move in centipawns.
    pub(super) fn evaluate(&self, position: &Position) -> i32 {
        let mut hidden = self.biases;
        for_each_input(position, |input| {
            for (sum, weight) in hidden.iter_mut().zip(&self.inputs[input]) {
                *sum = sum.wrapping_add(*weight);
            }
        });
        let output = output(position);
        let weights = &self.outputs[output];
        let each = hidden.iter().zip(weights).map(|(&sum, &weight)| {
            let said = sum.clamp(0, FULL as i16);
            i32::from(said) * i32::from(weight)
        });
        let sum = i64::from(each.sum::<i32>()) + i64::from(self.output_biases[output]) * i64::from(FULL);
        (sum * i64::from(WORTH) / i64::from(FULL * UNIT)) as i32
    }
}

const fn numbers<const N: usize>(bytes: &[u8; BYTES], mut at: usize) -> ([i16; N], usize) {
    let mut numbers = [0; N];
    let mut index = 0;
    while index < N {
        numbers[index] = i16::from_le_bytes([bytes[at], bytes[at + 1]]);
        at += 2;
        index += 1;
    }
    (numbers, at)
}

/// Calls `each` with the inputs that are on.
#[inline]
fn for_each_input(position: &Position, mut each: impl FnMut(usize)) {
    let us = position.turn();
    // Own men move down the board.
    let seen = |square: Square| if us == Color::Black { square.index() } else { 31 - square.index() };
    for (side, first) in [(us, 0), (!us, 64)] {
        for square in position.side(side) {
            let king = if position.kings().has(square) { 32 } else { 0 };
            each(first + king + seen(square));
        }
    }
}

/// Returns the output for a position.
#[inline]
fn output(position: &Position) -> usize {
    let pieces = (position.side(Color::White) | position.side(Color::Black)).count() as usize;
    (pieces.saturating_sub(1) / 6).min(OUTPUTS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Box<Network> {
        let bytes: Vec<u8> = (0..BYTES).map(|index| (index * index % 251) as u8 / 8).collect();
        Box::new(Network::read(bytes.as_slice().try_into().unwrap()))
    }

    #[test]
    fn both_sides_see_the_same_board() {
        let network = some();
        for (black, white) in [
            ("B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29", "W:W21,17,13,K11,K8,K4:B15,9,6,5,K23,K18"),
            ("B:WK1:BK32,5", "W:WK1,28:BK32"),
        ] {
            let [black, white] = [black, white].map(|fen| Position::from_fen(fen).unwrap());
            assert_eq!(network.evaluate(&black), network.evaluate(&white));
        }
    }

    #[test]
    fn every_input_and_output_is_used() {
        let position = Position::from_fen("B:WK1,32:BK29,4").unwrap();
        let mut inputs = Vec::new();
        for_each_input(&position, |input| inputs.push(input));
        inputs.sort_unstable();
        assert_eq!(inputs, [3, 32 + 28, 64 + 31, 96]);
        assert_eq!((output(&position), output(&Position::start())), (0, OUTPUTS - 1));
    }
}
