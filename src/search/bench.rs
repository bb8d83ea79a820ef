//! A fixed amount of work. Its node count is the checksum of the engine's behaviour, its speed that
//! of the machine.

use super::{Gate, Limits, Report, Request, Table, TableUse, Verdict, search};
use crate::chess::{AnyPosition, Variant};
use std::io;
use std::time::{Duration, Instant};

/// Search depth in plies.
pub const DEPTH: u8 = 12;
/// Size of the private table in MiB.
pub const TABLE: usize = 16;

/// Openings, middlegames and endings of orthodox chess, two positions of Chess960, and a middlegame
/// of each other variant.
const POSITIONS: &str = include_str!("bench.epd");

/// Returns the positions of orthodox chess and Chess960.
pub fn positions() -> impl Iterator<Item = AnyPosition> {
    read(|variant| matches!(variant, Variant::NORMAL | Variant::FISCHERANDOM))
}

/// Returns a position of each other variant.
pub fn positions_of_variants() -> impl Iterator<Item = AnyPosition> {
    read(|variant| !matches!(variant, Variant::NORMAL | Variant::FISCHERANDOM))
}

fn read(wanted: impl Fn(Variant) -> bool) -> impl Iterator<Item = AnyPosition> {
    let fields = POSITIONS.lines().filter_map(|line| line.split_once(';'));
    let known = fields.map(|(name, fen)| (Variant::from_name(name).expect("a known variant"), fen));
    let wanted = known.filter(move |&(variant, _)| wanted(variant));
    wanted.map(|(variant, fen)| AnyPosition::from_fen(variant, fen).expect("bench positions are legal"))
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
    for (number, position) in positions.enumerate() {
        let table = Table::private(TABLE)?;
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let request = Request { limits, table: TableUse::salted(number as u64), ..Request::of(position) };
        let done = search(&request, &table, &mut OpenGate::new(), &mut |_: Report| {});
        each(&position, done.nodes);
        nodes += done.nodes;
    }
    Ok(Figures { nodes, elapsed: started.elapsed() })
}
