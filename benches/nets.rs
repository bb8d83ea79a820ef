//! Time of an evaluation by nets of several sizes, with every kernel that this processor can
//! execute, next to the built-in evaluation.
//!
//!     cargo bench --bench nets

use farboard::chess::{AnyPosition, Variant};
use farboard::search::bench::positions;
use farboard::search::net::{Domain, Kernel, LANES, Lanes, Net, NetFile};
use farboard::search::static_evaluation;
use farboard::with_position;
use std::hint::black_box;
use std::time::Instant;

/// Repetitions, of which the fastest counts.
const REPETITIONS: usize = 9;
/// Evaluations of all positions in a repetition.
const ROUNDS: usize = 100;
const BUCKETS: usize = 8;

fn main() {
    let positions = with_moves();
    println!("{} positions, nanoseconds for each evaluation", positions.len());
    println!("built in        {:7.1}", nanoseconds(&positions, static_evaluation));
    for hidden in [64, 128, 256] {
        for kernel in Kernel::available() {
            let net = net(hidden).with_kernel(kernel);
            let evaluate =
                |position: &AnyPosition| with_position!(position, position => net.evaluate(position));
            println!("{hidden:4} {:10} {:7.1}", format!("{kernel:?}"), nanoseconds(&positions, evaluate));
        }
    }
}

/// Returns the positions of the benchmark and those after each of their moves, as a search would
/// see them.
fn with_moves() -> Vec<AnyPosition> {
    let mut all = Vec::new();
    for position in positions().filter(|position| position.variant() == Variant::NORMAL) {
        for mv in position.legal_moves() {
            let mut after = position;
            after.play(mv);
            all.push(after);
        }
    }
    all
}

fn nanoseconds(positions: &[AnyPosition], evaluate: impl Fn(&AnyPosition) -> i32) -> f64 {
    let repetition = |_| {
        let started = Instant::now();
        for position in (0..ROUNDS).flat_map(|_| positions) {
            black_box(evaluate(black_box(position)));
        }
        started.elapsed().as_secs_f64() * 1e9 / (ROUNDS * positions.len()) as f64
    };
    (0..REPETITIONS).map(repetition).fold(f64::INFINITY, f64::min)
}

/// Returns a net with any weights.
fn net(hidden: usize) -> Net {
    let count = (Domain::Chess.inputs() + 1 + 2 * BUCKETS) * hidden / LANES;
    let weight = |row: usize, lane: usize| ((row * 31 + lane * 17) % 253) as i16 - 126;
    let rows = (0..count).map(|row| Lanes(std::array::from_fn(|lane| weight(row, lane)))).collect();
    let (origin, output_biases) = (String::new(), vec![0; BUCKETS]);
    Net::new(NetFile { domain: Domain::Chess, hidden, buckets: BUCKETS, origin, rows, output_biases })
}
