//! A fixed amount of work. Its node count is the checksum of the engine's behaviour, its speed that
//! of the machine.

use super::{Contexts, Gate, Limits, Report, Request, Table, Verdict, search_in};
use crate::chess::{AnyPosition, Variant};
use std::io;
use std::time::{Duration, Instant};

/// Search depth in plies.
pub const DEPTH: u8 = 12;
/// Size of the private table in MiB.
pub const TABLE: usize = 16;

/// Openings, middlegames, endings, and two of Chess960.
const POSITIONS: [(Variant, &str); 18] = [
    (Variant::NORMAL, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    (Variant::NORMAL, "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"),
    (Variant::NORMAL, "rnbqkb1r/pp2pp1p/3p1np1/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"),
    (Variant::NORMAL, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    (Variant::NORMAL, "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"),
    (Variant::NORMAL, "r2q1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1PN1PN2/PB2BPPP/R2Q1RK1 w - - 0 10"),
    (Variant::NORMAL, "2rq1rk1/pb2bppp/1pn1pn2/8/2BP4/P1N2N2/1P2QPPP/R1BR2K1 b - - 0 13"),
    (Variant::NORMAL, "r1b2rk1/ppq1bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 b - - 3 10"),
    (Variant::NORMAL, "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w - - 0 1"),
    (Variant::NORMAL, "2r3k1/pp3ppp/4p3/3pP3/3n4/2N5/PP3PPP/R5K1 w - - 0 22"),
    (Variant::NORMAL, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    (Variant::NORMAL, "8/5pk1/4p1p1/3pP2p/p2P1P1P/P1r3P1/5RK1/8 w - - 0 40"),
    (Variant::NORMAL, "8/8/1p1k4/p1p2p1p/P1P2P1P/1P1K4/8/8 w - - 0 50"),
    (Variant::NORMAL, "6k1/5ppp/8/3Q4/8/2q5/5PPP/6K1 w - - 0 1"),
    (Variant::NORMAL, "8/8/8/4k3/8/3BN3/4K3/8 w - - 0 1"),
    (Variant::NORMAL, "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47"),
    (Variant::FISCHERANDOM, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
    (Variant::FISCHERANDOM, "nrbkqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRBN w FBfb - 0 1"),
];

/// A middlegame of each other variant, by the variant's name in files.
const OF_VARIANTS: [(&str, &str); 14] = [
    ("nocastle", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1"),
    ("wildcastle", "r2k3r/1bpqpp1p/1pnp2n1/3NP3/3P2p1/p1Q2N2/PPPBBPPP/R2K3R w KQkq - 0 1"),
    ("crazyhouse", "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq - 0 1"),
    ("bughouse", "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[Pn] b KQkq - 0 1"),
    ("losers", "r3k2r/p1pp1p1p/np5P/4N3/4P3/5P2/P2K2P1/R2Q1BNR b kq - 0 1"),
    ("suicide", "rnb1kbnr/p1pp1ppp/1p6/4p3/8/1P4P1/P1PPPP1P/RNBQKBNR w - - 0 1"),
    ("giveaway", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    ("twokings", "r3kk1r/pppqbppp/2np1n2/4p1b1/4P1B1/2NP1N2/PPPQBPPP/R3KK1R w KQkq - 0 1"),
    ("atomic", "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1"),
    ("atomic-icc", "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1"),
    ("3check", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+1 0 1"),
    ("kingofthehill", "rnbqkbnr/1pp1pppp/p7/8/1P1pP3/2N4N/P1PP1PPP/R1BQKB1R b KQkq e3 0 1"),
    ("racingkings", "7B/1r1r3b/8/8/8/2R4K/k3N1R1/q1bnNn1Q b - - 0 1"),
    ("horde", "rnbqkbnr/1p1pPp2/2P3p1/pPP3Pp/PPP1PPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq a6 0 1"),
];

/// Returns the positions of orthodox chess and Chess960.
pub fn positions() -> impl Iterator<Item = AnyPosition> {
    POSITIONS.into_iter().map(|(variant, fen)| legal(variant, fen))
}

/// Returns a position of each other variant.
pub fn positions_of_variants() -> impl Iterator<Item = AnyPosition> {
    let variant = |name| Variant::from_name(name).expect("a known variant");
    OF_VARIANTS.into_iter().map(move |(name, fen)| legal(variant(name), fen))
}

fn legal(variant: Variant, fen: &str) -> AnyPosition {
    AnyPosition::from_fen(variant, fen).expect("bench positions are legal")
}

/// The result of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    /// Total nodes: equal on every machine for the same version.
    pub nodes: u64,
    /// Wall time.
    pub elapsed: Duration,
}

/// A gate that never stops a search.
pub struct OpenGate {
    started: Instant,
}

impl OpenGate {
    /// A gate whose time begins now.
    pub fn new() -> OpenGate {
        OpenGate { started: Instant::now() }
    }
}

impl Default for OpenGate {
    fn default() -> OpenGate {
        OpenGate::new()
    }
}

impl Gate for OpenGate {
    fn poll(&mut self, _: u64) -> Verdict {
        Verdict::Continue
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn past_optimum(&self, _: f32) -> bool {
        false
    }
}

/// Searches each position `depth` plies deep with an empty private table, and calls `each` with the
/// position and its nodes.
///
/// # Errors
/// There is no memory for the table.
pub fn run(
    positions: impl Iterator<Item = AnyPosition>,
    depth: u8,
    mut each: impl FnMut(&AnyPosition, u64),
) -> io::Result<Figures> {
    let started = Instant::now();
    let mut nodes = 0;
    let contexts = Contexts::default();
    for (number, position) in positions.enumerate() {
        let table = Table::private(TABLE)?;
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let request = Request { limits, salt: number as u64, ..Request::of(position) };
        let done = search_in(&contexts, &request, &table, &mut OpenGate::new(), &mut |_: Report| {});
        each(&position, done.nodes);
        nodes += done.nodes;
    }
    Ok(Figures { nodes, elapsed: started.elapsed() })
}
