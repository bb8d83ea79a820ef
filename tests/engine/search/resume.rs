//! Searches that continue where an earlier search of the position ended.

use super::{Impatient, request};
use farboard::chess::{Move, START_FEN};
use farboard::search::bench::OpenGate;
use farboard::search::{
    Done, FirstMoves, Info, Knowledge, KnownScore, Limits, Report, Request, Resumption, Score, Strength,
    Style, Table, TableUse, search,
};

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";
/// A depth that tests reach quickly, well beyond the repeated iteration.
const DEEP: u8 = 12;

fn to(depth: u8) -> Request {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    Request {
        limits,
        resumption: Resumption { from_table: true, ..Resumption::default() },
        ..request(MIDDLEGAME)
    }
}

fn run(request: &Request, table: &Table) -> (Done, Vec<Info>, Option<Move>) {
    let (mut infos, mut known) = (Vec::new(), None);
    let done = search(request, table, &mut OpenGate::new(), &mut |report| match report {
        Report::Info(info) => infos.push(info),
        Report::Known(mv) => known = Some(mv),
        Report::Progress(_) | Report::SavingDrops(_) | Report::Notice(_) | Report::Warm(_) => {}
    });
    (done, infos, known)
}

fn table() -> Table {
    Table::private(16).unwrap()
}

/// The depth of the first variation reported for this line.
fn first(infos: &[Info], line: u8) -> u8 {
    infos.iter().find(|info| info.line == line).expect("a variation").depth
}

#[test]
fn the_same_search_resumes_where_it_stopped() {
    let table = table();
    let (before, shallow, known) = run(&to(DEEP), &table);
    assert_eq!((first(&shallow, 1), known), (1, None), "nothing was known");
    let (after, infos, known) = run(&to(DEEP), &table);
    assert_eq!((after.depth, first(&infos, 1), known), (DEEP, DEEP, before.best));
    assert!(after.nodes < before.nodes / 2, "{} nodes, then {}", before.nodes, after.nodes);
    let (deeper, infos, _) = run(&to(DEEP + 1), &table);
    assert_eq!((deeper.depth, first(&infos, 1)), (DEEP + 1, DEEP));
}

#[test]
fn a_stopped_search_resumes_from_its_last_iteration() {
    for nodes in [20_000, 30_000, 50_000] {
        let table = table();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (broken, _, _) = run(&Request { limits, ..to(DEEP) }, &table);
        let (_, infos, _) = run(&to(DEEP + 3), &table);
        assert_eq!(first(&infos, 1), broken.depth, "{nodes} nodes");
    }
}

#[test]
fn without_earlier_results_it_begins_at_depth_1() {
    let table = table();
    let (before, ..) = run(&to(DEEP), &table);
    let begins = |request: &Request| {
        let (_, infos, known) = run(request, &table);
        (first(&infos, 1), known)
    };
    assert_eq!(begins(&Request { table: TableUse::salted(2), ..to(6) }), (1, None), "the table was cleared");
    assert_eq!(begins(&Request { position: request(START_FEN).position, ..to(6) }), (1, None));
    assert_eq!(
        begins(&Request { resumption: Resumption::default(), ..to(6) }),
        (1, None),
        "it does not resume"
    );
    assert_eq!(
        begins(&Request { style: Style { contempt: 30, ..Style::default() }, ..to(6) }),
        (1, None),
        "scores are not comparable"
    );
    let known = KnownScore { key: request(MIDDLEGAME).position.key(), score: Score(300), depth: 4 };
    assert_eq!(
        begins(&Request { knowledge: Knowledge { scores: vec![known], endgames: None }, ..to(6) }),
        (1, None),
        "the score was supplied"
    );
    let weak =
        Request { style: Style { strength: Some(Strength::of_elo(1500)), ..Style::default() }, ..to(6) };
    run(&weak, &table);
    assert_eq!(begins(&weak), (1, None), "a weak player does not think for long");
    assert_eq!(begins(&to(6)), (6, before.best), "the first one is undisturbed");
}

#[test]
fn limits_apply_without_discarding_deeper_results() {
    let table = table();
    run(&to(DEEP), &table);
    let (done, infos, _) = run(&to(6), &table);
    assert_eq!((done.depth, first(&infos, 1)), (6, 6));
    let (_, infos, _) = run(&to(DEEP), &table);
    assert_eq!(first(&infos, 1), DEEP);
}

#[test]
fn the_position_after_the_best_move_is_known_and_so_is_the_one_before() {
    let table = table();
    let (before, ..) = run(&to(DEEP), &table);
    let mut next = to(DEEP);
    next.position.play(before.best.unwrap());
    let (_, infos, _) = run(&next, &table);
    assert_eq!(first(&infos, 1), DEEP - 1);
    let (_, infos, _) = run(&to(DEEP), &table);
    assert_eq!(first(&infos, 1), DEEP);
}

#[test]
fn excluded_moves_have_results_of_their_own() {
    let table = table();
    let (all, ..) = run(&to(DEEP), &table);
    let without =
        Request { first_moves: FirstMoves { lines: 1, excluded: all.best.into_iter().collect() }, ..to(8) };
    let (done, infos, known) = run(&without, &table);
    assert_eq!((first(&infos, 1), known), (1, None));
    assert!(done.best != all.best && infos.iter().all(|info| Some(info.pv[0]) != all.best));
    let (again, infos, known) = run(&without, &table);
    assert_eq!((first(&infos, 1), known), (8, done.best));
    assert!(again.best != all.best && infos.iter().all(|info| Some(info.pv[0]) != all.best));
    let (_, infos, known) = run(&to(DEEP), &table);
    assert_eq!((first(&infos, 1), known), (DEEP, all.best), "included again");
}

#[test]
fn additional_lines_begin_at_depth_1() {
    // A line that takes few nodes at its depth is not searched from 1.
    const DEEPER: u8 = DEEP + 2;
    let table = table();
    run(&to(DEEPER), &table);
    let three = Request { first_moves: FirstMoves { lines: 3, excluded: Vec::new() }, ..to(DEEPER) };
    let (_, infos, _) = run(&three, &table);
    assert_eq!(first(&infos, 1), DEEPER);
    assert_eq!([2, 3].map(|line| first(&infos, line)), [1, 1]);
    let (_, infos, _) = run(&three, &table);
    assert_eq!([1, 2, 3].map(|line| first(&infos, line)), [DEEPER; 3], "the lines are known now");
    let last = [1, 2, 3].map(|line| infos.iter().rfind(|info| info.line == line).unwrap());
    assert!(last.is_sorted_by(|better, worse| better.score >= worse.score && better.pv[0] != worse.pv[0]));
}

#[test]
fn whenever_it_is_stopped_it_has_the_earlier_move() {
    for polls in 1..5 {
        let table = table();
        let (before, ..) = run(&to(DEEP), &table);
        let mut infos = 0;
        let done = search(&to(DEEP), &table, &mut Impatient(polls), &mut |report| {
            infos += u32::from(matches!(report, Report::Info(_)));
        });
        assert!(done.best.is_some_and(|mv| request(MIDDLEGAME).position.is_legal(mv)));
        assert!(infos > 0 || done.best == before.best, "unsearched moves are played without output");
    }
}
