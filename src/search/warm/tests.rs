use super::BestLine;
use super::pack::{About, Branch, HEADER, capacity, pack, unpack};
use crate::chess::{AnyPosition, Variant};
use crate::draughts;
use crate::search::bench::OpenGate;
use crate::search::root_position::with_searchable;
use crate::search::worker::Worker;
use crate::search::{
    Bound, Done, Gate, Limits, Report, Request, Resumption, RootPosition, Style, Table, TableUse, Verdict,
    search,
};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;

const FEN: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";
const WITH_DROPS: &str = "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[Pp] b KQkq - 0 1";

/// A clock that counts each node as a millisecond.
#[derive(Default)]
struct NodeClock(u64);

impl Gate for NodeClock {
    fn poll(&mut self, nodes: u64) -> Verdict {
        self.0 = nodes;
        Verdict::Continue
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0)
    }

    fn past_optimum(&self, _: f32) -> bool {
        false
    }
}

fn chess() -> RootPosition {
    AnyPosition::from_fen(Variant::NORMAL, FEN).unwrap().into()
}

/// A position of each kind, with a depth that is soon reached.
fn positions() -> [(RootPosition, u8); 3] {
    let crazyhouse = Variant::from_name("crazyhouse").unwrap();
    [
        (chess(), 14),
        (AnyPosition::from_fen(crazyhouse, WITH_DROPS).unwrap().into(), 12),
        (draughts::Position::start().into(), 17),
    ]
}

fn to(position: RootPosition, depth: u8) -> Request {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    Request { limits, resumption: reporting(64 << 10), ..Request::of(position) }
}

/// Warm parts of at most `warm_limit` bytes.
fn reporting(warm_limit: usize) -> Resumption {
    Resumption { from_table: true, warm: None, warm_limit }
}

/// Continues from a warm part, and reports others.
fn from(warm: impl Into<Arc<[u8]>>) -> Resumption {
    Resumption { warm: Some(warm.into()), ..reporting(64 << 10) }
}

/// Runs a search with its own table. Returns its result, the depths it showed, and its warm parts.
fn run(request: &Request) -> (Done, Vec<u8>, Vec<Arc<[u8]>>) {
    let table = Table::private(16).unwrap();
    let (mut depths, mut warm) = (Vec::new(), Vec::new());
    let done = search(request, &table, &mut NodeClock::default(), &mut |report| match report {
        Report::Info(info) => {
            depths.push(info.depth);
        }
        Report::Warm(bytes) => warm.push(bytes.into()),
        Report::Known(_) | Report::Progress(_) | Report::SavingDrops(_) | Report::Notice(_) => {}
    });
    (done, depths, warm)
}

/// Returns the last warm part of a search.
fn last_of(request: &Request) -> Arc<[u8]> {
    run(request).2.pop().expect("a warm part")
}

#[test]
fn an_analysis_reaches_its_old_depth_in_fewer_nodes() {
    for (position, depth) in positions() {
        let request = to(position, depth);
        let (cold, _, mut warm) = run(&request);
        let (again, depths, _) =
            run(&Request { resumption: from(warm.pop().unwrap()), table: TableUse::salted(5), ..request });
        assert_eq!((depths.first(), again.depth), (Some(&depth), depth));
        assert!(again.nodes < cold.nodes / 4, "{position:?}: {} nodes, then {}", cold.nodes, again.nodes);
    }
}

#[test]
fn what_was_taken_in_can_be_collected_again() {
    for (position, depth) in positions() {
        let warm = last_of(&to(position, depth));
        let request = Request {
            resumption: from(Arc::clone(&warm)),
            table: TableUse::salted(5),
            ..to(position, depth)
        };
        let (table, mut gate) = (Table::private(16).unwrap(), OpenGate::new());
        let mut reports = |_| {};
        let mut worker = Worker::new(&request, &table, &mut gate, &mut reports);
        let again = with_searchable!(request, position => {
            worker.take_warm(position);
            let root = table.region(5, None, false).probe(worker.root_key(position)).unwrap();
            worker.recall_line(position, &root, 0);
            let moves = worker.scratch.lines.of(0).collect();
            let best = BestLine { depth: root.depth, score: root.score, moves };
            worker.collect_warm(position, &best).expect("the gate is open")
        });
        assert!(warm.len() > 1000, "{}", warm.len());
        assert_eq!(*again, *warm, "{position:?}");
    }
}

#[test]
fn the_recalled_line_is_shown_whole() {
    let request = to(chess(), 14);
    let (_, _, mut warm) = run(&request);
    let (table, mut first) = (Table::private(16).unwrap(), None);
    search(
        &Request { resumption: from(warm.pop().unwrap()), ..request },
        &table,
        &mut NodeClock::default(),
        &mut |report| {
            if let Report::Info(info) = report {
                first.get_or_insert(info);
            }
        },
    );
    let line = first.expect("a line").pv;
    assert!(line.len() > 5, "{line:?}");
    let mut position = chess();
    for mv in line {
        assert!(position.is_legal(mv), "{mv:?}");
        position.play(mv);
    }
}

#[test]
fn warm_parts_are_no_longer_than_wanted() {
    for limit in [0, HEADER, HEADER + 5, HEADER + 6, 1000, 64 << 10] {
        let (_, _, warm) = run(&Request { resumption: reporting(limit), ..to(chess(), 10) });
        assert_eq!(warm.is_empty(), capacity(limit) == 0, "{limit} bytes");
        assert!(warm.iter().all(|bytes| bytes.len() <= limit), "{limit} bytes");
    }
}

#[test]
fn warm_parts_change_nothing_and_come_seldom() {
    let request = to(chess(), 13);
    let (done, depths, warm) = run(&request);
    let (without, same, _) = run(&Request { resumption: reporting(0), ..request });
    assert_eq!((done.best, done.nodes, depths), (without.best, without.nodes, same));
    let most = 2 + done.nodes / 10_000;
    assert!((2..=most).contains(&(warm.len() as u64)), "{} in {} nodes", warm.len(), done.nodes);
}

#[test]
fn a_game_that_has_its_move_reports_no_last_warm_part() {
    let analysis = run(&to(chess(), 10)).2.len();
    let game = run(&Request { game: true, ..to(chess(), 10) }).2.len();
    assert_eq!(game + 1, analysis);
}

#[test]
fn a_warm_part_of_something_else_is_ignored() {
    let warm = last_of(&to(chess(), 10));
    let cold = run(&to(chess(), 8)).0.nodes;
    let nodes = |bytes: &[u8], request: Request| run(&Request { resumption: from(bytes), ..request }).0.nodes;
    assert!(nodes(&warm, to(chess(), 8)) < cold);
    let mut other_version = warm.to_vec();
    other_version[0] += 1;
    assert_eq!(nodes(&other_version, to(chess(), 8)), cold);
    let contempt = Request { style: Style { contempt: 30, ..Style::default() }, ..to(chess(), 8) };
    assert_eq!(nodes(&warm, contempt.clone()), run(&contempt).0.nodes);
    for len in 0..HEADER {
        assert_eq!(nodes(&warm[..len], to(chess(), 8)), cold);
    }
}

fn branches() -> impl Strategy<Value = Branch> {
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let best = proptest::option::of(0..Branch::MOVES);
    (0..4_u8, 0..40_u8, best, any::<i16>(), 0..128_u8, bound, any::<bool>()).prop_map(
        |(ply, by, best, score, depth, bound, pv)| Branch { ply, by, best, score, depth, bound, pv },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_packed_comes_out(subject: u64, nodes: u64, tree in proptest::collection::vec(branches(), 0..20)) {
        let about = About { subject, nodes };
        let bytes = pack(about, tree.iter().copied());
        let (found, branches) = unpack(&bytes).unwrap();
        prop_assert_eq!((found, branches.collect::<Vec<_>>()), (about, tree));
    }

    #[test]
    fn no_bytes_from_outside_do_harm(
        which in 0..3_usize,
        noise in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..20),
        tree in proptest::collection::vec(branches(), 0..60),
        raw: bool,
    ) {
        let (position, _) = positions()[which];
        let mut bytes = last_of(&Request { resumption: reporting(1000), ..to(position, 9) }).to_vec();
        if raw {
            let (about, _) = unpack(&bytes).unwrap();
            bytes = pack(about, tree.into_iter()).into();
        }
        for (index, byte) in noise {
            let place = HEADER + index.index(bytes.len());
            bytes.get_mut(place).into_iter().for_each(|old| *old = byte);
        }
        let limits = Limits { nodes: Some(5000), ..Limits::default() };
        let (done, _, _) = run(&Request { limits, resumption: from(bytes), ..to(position, 9) });
        prop_assert!(done.best.is_some_and(|mv| position.is_legal(mv)));
    }
}
