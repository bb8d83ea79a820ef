//! Evaluation by nets: one hidden layer that both sides share, each with its view of the board,
//! and an output chosen by the number of men. All numbers are integers, so results are the same on
//! every machine.
//!
//! * `domain`: the games that nets are made for; `features`: what a net sees of a position.
//! * `format`: the file of a net; `kernels`: the arithmetic, for different processors.
//! * `accumulator`: sums that follow a search; `in_use`: which net evaluates which game.

mod accumulator;
mod domain;
mod features;
mod format;
mod in_use;
mod kernels;

pub use domain::Domain;
pub use features::{Counters, Inputs, Man, Seen, inputs};
pub use format::{MOST_BUCKETS, NetError, NetFile, hash, is_hidden_size};
pub use in_use::{net_hash, net_of, use_net};
pub use kernels::{FULL, Kernel, LANES, Lanes, MOST_INPUT_WEIGHT, MOST_OUTPUT_WEIGHT};

use arrayvec::ArrayVec;
use features::MOST as MOST_INPUTS;
use kernels::{Layer, MOST_HIDDEN};
use std::sync::atomic::{AtomicU64, Ordering};

/// Unit of the weights of the output.
pub const UNIT: i32 = 64;
/// Value in centipawns of a full neuron with an output weight of one [`UNIT`].
pub const WORTH: i32 = 400;
/// Maximum absolute value of a position in centipawns.
const MOST: i64 = 20_000;

/// A net.
#[derive(Clone, Debug)]
pub struct Net {
    file: NetFile,
    kernel: Kernel,
    /// A number from 1 that nets with other weights do not have.
    number: u64,
}

impl Net {
    /// Makes a net from a file, for the fastest instructions of this processor.
    pub fn new(file: NetFile) -> Net {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let kernel = Kernel::available().pop().unwrap_or(Kernel::Scalar);
        Net { file, kernel, number: MADE.fetch_add(1, Ordering::Relaxed) + 1 }
    }

    /// Returns the same net with another kernel, which must be one of [`Kernel::available`].
    pub fn with_kernel(self, kernel: Kernel) -> Net {
        assert!(Kernel::available().contains(&kernel), "this processor lacks {kernel:?}");
        Net { kernel, ..self }
    }

    /// Reads a net.
    ///
    /// # Errors
    /// The bytes are not a net.
    pub fn parse(bytes: &[u8]) -> Result<Net, NetError> {
        NetFile::parse(bytes).map(Net::new)
    }

    /// Returns the file.
    pub fn file(&self) -> &NetFile {
        &self.file
    }

    /// Returns the value of a position in centipawns for the side on move. Never near a mate score.
    /// The position is of the net's game or of a similar one ([`net_of`]).
    pub fn evaluate(&self, position: &impl Seen) -> i32 {
        let inputs = inputs(self.file.domain, position);
        self.output(position.count(), |side, layer| {
            let mut sums = [Lanes([0; LANES]); MOST_HIDDEN / LANES];
            sums[..layer.columns].copy_from_slice(self.biases());
            let rows: ArrayVec<u16, MOST_INPUTS> = inputs.iter().map(|input| input[side]).collect();
            self.kernel.sum(layer, &mut sums, &rows, &[])
        })
    }

    /// Returns the biases of the neurons.
    #[inline]
    fn biases(&self) -> &[Lanes] {
        let end = self.file.hidden_lanes();
        &self.file.rows[end - self.file.hidden / LANES..end]
    }

    /// Returns the value of a position with this number of men. `sum` sums up the neurons of the
    /// side on move (0) and of its opponent (1).
    #[inline]
    fn output(&self, men: usize, mut sum: impl FnMut(usize, Layer<'_>) -> i64) -> i32 {
        let NetFile { domain, hidden, buckets, rows, output_biases, .. } = &self.file;
        let columns = hidden / LANES;
        let (rows, outputs) = rows.split_at(self.file.hidden_lanes());
        let bucket = bucket(*domain, *buckets, men);
        let (own, other) = outputs[bucket * 2 * columns..][..2 * columns].split_at(columns);
        let sum =
            sum(0, Layer { columns, rows, outputs: own }) + sum(1, Layer { columns, rows, outputs: other });
        let sum = sum + i64::from(output_biases[bucket]) * i64::from(FULL);
        (sum * i64::from(WORTH) / i64::from(FULL * FULL * UNIT)).clamp(-MOST, MOST) as i32
    }
}

/// Returns the output for a position with this number of men.
#[inline]
pub fn bucket(domain: Domain, buckets: usize, men: usize) -> usize {
    let share = men.saturating_sub(1) * buckets;
    // Divisions by constants.
    let bucket = match domain {
        Domain::Chess | Domain::Variant(_) => share / const { Domain::Chess.men() },
        Domain::Draughts => share / const { Domain::Draughts.men() },
    };
    bucket.min(buckets - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Variant};
    use crate::draughts;
    use crate::random::mix;
    use crate::with_position;

    fn random_net(domain: Domain, hidden: usize, buckets: usize) -> Net {
        let lanes = (domain.inputs() + 1 + 2 * buckets) * hidden / LANES;
        let weight = |row: usize, lane: usize| (mix((row * LANES + lane) as u64) % 253) as i16 - 126;
        Net::new(NetFile {
            domain,
            hidden,
            buckets,
            origin: String::new(),
            rows: (0..lanes).map(|row| Lanes(std::array::from_fn(|lane| weight(row, lane)))).collect(),
            output_biases: (0..buckets).map(|bucket| bucket as i16 * 1000).collect(),
        })
    }

    #[test]
    fn kernels_agree_in_games_of_every_variant() {
        for variant in Variant::known() {
            let start = AnyPosition::start(variant);
            let net = random_net(with_position!(&start, position => position.domain()), 96, 8);
            let nets: Vec<Net> =
                Kernel::available().into_iter().map(|kernel| net.clone().with_kernel(kernel)).collect();
            let mut position = start;
            for ply in 0..60 {
                let values: Vec<i32> = nets
                    .iter()
                    .map(|net| with_position!(&position, position => net.evaluate(position)))
                    .collect();
                assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[mix(ply) as usize % moves.len()]);
            }
        }
    }

    #[test]
    fn values_do_not_depend_on_the_position_before() {
        for variant in Variant::known() {
            let start = AnyPosition::start(variant);
            let domain = with_position!(&start, position => position.domain());
            let nets = [random_net(domain, 96, 8), random_net(domain, 32, 1)];
            let mut line = vec![start];
            for ply in 0..150 {
                let number = mix(ply) as usize;
                let position = line[line.len() - 1];
                let moves = position.legal_moves();
                if moves.is_empty() || number.is_multiple_of(7) {
                    // Another line, some plies earlier.
                    line.truncate((line.len() - number / 7 % 5).max(1).min(line.len()));
                } else {
                    line.push(position);
                    line.last_mut().unwrap().play(moves[number % moves.len()]);
                }
                with_position!(&line[line.len() - 1], position => {
                    let net = &nets[number / 11 % 2];
                    assert_eq!(net.evaluate_incrementally(position), net.evaluate(position), "{position:?}");
                });
            }
        }
    }

    #[test]
    fn an_output_weighs_each_sides_neurons() {
        // One neuron counts own men, and one output its square.
        let mut net = random_net(Domain::Draughts, 32, 1).file;
        net.rows.iter_mut().for_each(|lanes| lanes.0.fill(0));
        net.rows[..64].iter_mut().for_each(|lanes| lanes.0[5] = 51);
        let outputs = net.hidden_lanes();
        net.rows[outputs].0[5] = 64;
        net.rows[outputs + 1].0[5] = -64;
        net.output_biases[0] = 64;
        let net = Net::new(net);
        let says = |fen| net.evaluate(&draughts::Position::from_fen(fen).unwrap());
        // A bias of 1 / 255; two fifths squared less one fifth squared.
        let expected =
            |own: f64, other: f64| (400.0 * (own * own - other * other) / 25.0 + 400.0 / 255.0) as i32;
        assert_eq!(says("W:W21,22:B1"), expected(2.0, 1.0));
        assert_eq!(says("B:W21,22:B1"), expected(1.0, 2.0));
        assert_eq!(says("W:W21,22,23,24,25,26:B1"), expected(5.0, 1.0), "a neuron is at most full");
    }

    #[test]
    fn buckets_divide_the_men() {
        let of = |domain, buckets, men: &[usize]| {
            men.iter().map(|&men| bucket(domain, buckets, men)).collect::<Vec<_>>()
        };
        assert_eq!(of(Domain::Chess, 8, &[0, 2, 4, 5, 28, 29, 32, 64]), [0, 0, 0, 1, 6, 7, 7, 7]);
        assert_eq!(of(Domain::Draughts, 4, &[1, 6, 7, 18, 19, 24]), [0, 0, 1, 2, 3, 3]);
        assert_eq!(of(Domain::Chess, 1, &[1, 32]), [0, 0]);
    }
}
