//! Time until an analysis that moves to another server is back at its depth, by the size of its
//! warm part. Each position is analysed for a minute of CPU time, then again with a new table and
//! the last reported warm part. Prints the time and nodes until the old depth is reached again, as
//! shares of the first search.
//!
//! ```sh
//! cargo bench --bench warm_takeover                  # up to two hours
//! cargo bench --bench warm_takeover -- 6 20 64       # seconds, positions, sizes in KiB
//! ```
//!
//! With fewer seconds the search's clock runs faster, so that warm parts are as frequent as in a
//! minute.

use farboard::chess::{AnyPosition, Variant};
use farboard::search::{Bound, Gate, Limits, Report, Request, Resumption, Table, Verdict, search};
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;
use std::time::Duration;

/// Default table size.
const TABLE_MIB: usize = 256;
const MINUTE: Duration = Duration::from_secs(60);

const POSITIONS: [&str; 20] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbqkb1r/pp2pp1p/3p1np1/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "r1bqk2r/2ppbppp/p1n2n2/1p2p3/4P3/1B3N2/PPPP1PPP/RNBQR1K1 b kq - 1 7",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1PN1PN2/PB2BPPP/R2Q1RK1 w - - 0 10",
    "2rq1rk1/pb2bppp/1pn1pn2/8/2BP4/P1N2N2/1P2QPPP/R1BR2K1 b - - 0 13",
    "r1b2rk1/ppq1bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 b - - 3 10",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w - - 0 1",
    "r2qr1k1/1b1nbppp/pp1ppn2/8/2PNPP2/1PN3P1/P2Q2BP/1RB1R1K1 w - - 0 16",
    "2r3k1/pp3ppp/4p3/3pP3/3n4/2N5/PP3PPP/R5K1 w - - 0 22",
    "8/5pk1/4p1p1/3pP2p/p2P1P1P/P1r3P1/5RK1/8 w - - 0 40",
    "r4rk1/pp2qppp/2n1p3/3pP3/3P4/P2B1N2/1P3PPP/R2Q1RK1 b - - 0 15",
    "3r2k1/1q3ppp/p1n1p3/1p6/3P4/P3BN2/1P1Q1PPP/4R1K1 w - - 0 24",
    "8/1p3k2/p1p1bpp1/P1P1p3/1P2P1P1/3K1P2/3N4/8 w - - 0 44",
    "r1b1r1k1/1p1n1ppp/p1pq1n2/3p4/3P4/P1NBPN2/1PQ2PPP/R4RK1 w - - 0 14",
    "2kr3r/ppqn1pp1/2pbpn1p/8/2PP3B/3B1N2/PPQ2PPP/R3R1K1 w - - 0 15",
];

/// A clock that shows a minute after this many seconds of the thread's CPU time, so that other load
/// does not matter.
struct Watch {
    began: Duration,
    seconds: f64,
}

impl Watch {
    fn start(seconds: f64) -> Watch {
        Watch { began: cpu_time(), seconds }
    }

    fn elapsed(&self) -> Duration {
        MINUTE.mul_f64((cpu_time() - self.began).as_secs_f64() / self.seconds)
    }
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

struct UntilEnd<'a>(&'a Watch, Duration);

impl Gate for UntilEnd<'_> {
    fn poll(&mut self, _: u64) -> Verdict {
        if self.0.elapsed() < self.1 { Verdict::Continue } else { Verdict::Stop }
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn past_optimum(&self, _: f32) -> bool {
        false
    }
}

/// Time and nodes at which a search first showed a depth.
#[derive(Clone, Copy)]
struct Reached {
    depth: u8,
    time: Duration,
    nodes: u64,
}

/// Runs a search with its own table for `most` or until its depth limit. Returns the depths in the
/// order in which they were reached, and the last warm part.
fn run(request: &Request, seconds: f64, most: Duration) -> (Vec<Reached>, Option<Arc<[u8]>>) {
    let table = Table::private(TABLE_MIB).expect("memory for a table");
    let watch = Watch::start(seconds);
    let (mut reached, mut warm): (Vec<Reached>, _) = (Vec::new(), None);
    search(request, &table, &mut UntilEnd(&watch, most), &mut |report| match report {
        Report::Info(info) => {
            let is_new = reached.last().is_none_or(|last| last.depth < info.depth);
            if is_new && info.bound == Bound::Exact {
                reached.push(Reached { depth: info.depth, time: watch.elapsed(), nodes: info.nodes });
            }
        }
        Report::Warm(bytes) => warm = Some(bytes.into()),
        Report::Known(_) | Report::Progress(_) | Report::SavingDrops(_) | Report::Notice(_) => {}
    });
    (reached, warm)
}

/// Analyses a position twice, with a warm part of at most `kib` in between. Returns the second
/// analysis's shares of time and nodes, and the warm part's size in bytes.
fn taken_over(fen: &str, seconds: f64, kib: usize) -> [f64; 3] {
    let position = AnyPosition::from_fen(Variant::NORMAL, fen).expect("a legal position");
    let first = Request {
        resumption: Resumption { from_table: true, warm: None, warm_limit: kib << 10 },
        ..Request::of(position)
    };
    let (reached, warm) = run(&first, seconds, MINUTE);
    let old = reached.last().expect("a depth was reached");
    let size = warm.as_ref().map_or(0, |warm| warm.len());
    let limits = Limits { depth: Some(old.depth), ..Limits::default() };
    let (again, _) = run(
        &Request { limits, resumption: Resumption { from_table: true, warm, warm_limit: 0 }, ..first },
        seconds,
        10 * MINUTE,
    );
    let back = again.iter().find(|now| now.depth >= old.depth).expect("its depth is within reach");
    let shares = [back.time.as_secs_f64() / old.time.as_secs_f64(), back.nodes as f64 / old.nodes as f64];
    println!(
        "{kib:4} KiB  depth {:2}: {:5.1} s, then {:5.1} s ({:6.1} %)  {:9} nodes, then {:9} ({:6.1} %)  {size:6} bytes  {fen}",
        old.depth,
        old.time.as_secs_f64(),
        back.time.as_secs_f64(),
        shares[0] * 100.0,
        old.nodes,
        back.nodes,
        shares[1] * 100.0,
    );
    [shares[0], shares[1], size as f64]
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

fn main() {
    // Cargo adds `--bench`.
    let numbers: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let seconds = numbers.first().copied().unwrap_or(60) as f64;
    let positions = numbers.get(1).copied().unwrap_or(POSITIONS.len()).clamp(1, POSITIONS.len());
    let sizes = numbers.get(2..).filter(|sizes| !sizes.is_empty()).unwrap_or(&[0, 16, 64, 256]);
    let medians: Vec<[f64; 3]> = sizes
        .iter()
        .map(|&kib| {
            let all: Vec<[f64; 3]> =
                POSITIONS[..positions].iter().map(|fen| taken_over(fen, seconds, kib)).collect();
            [0, 1, 2].map(|column| median(all.iter().map(|shares| shares[column]).collect()))
        })
        .collect();
    println!("\nmedians of {positions} positions, {seconds} s each");
    for (kib, [time, nodes, size]) in sizes.iter().zip(medians) {
        println!(
            "{kib:4} KiB: {:6.1} % of the time, {:6.1} % of the nodes, {size} bytes",
            time * 100.0,
            nodes * 100.0
        );
    }
}
