//! Helper threads of a search.

use super::*;
use crate::search::{FirstMoves, Limits, PartnerNeeds, ThreadRole};

/// The number of a helper thread; 0 for the main search.
fn number_of(request: &Request) -> u8 {
    match request.thread {
        ThreadRole::Main { .. } => 0,
        ThreadRole::Helper(number) => number,
    }
}

#[test]
fn helpers_run_on_tokens_to_spare_and_end_with_their_search() {
    let (began, begun) = channel();
    let (ended, ends) = channel();
    let harness = Harness::with(3, 8, move |request, gate, _| {
        let _ = began.send((request.style.seed, number_of(request)));
        let done = act(request, gate);
        let _ = ended.send((request.style.seed, number_of(request)));
        done
    });
    let start = |owner| {
        let job = JobId { owner, search: SearchId(1) };
        let position = AnyPosition::start(Variant::NORMAL);
        // More than there are tokens.
        let request = Request {
            table: TableUse::salted(ENDLESS),
            style: Style { seed: owner, ..Style::default() },
            thread: ThreadRole::Main { helpers: 7 },
            ..Request::of(position)
        };
        harness.pool.start(
            job,
            Box::new(Task::Search(request)),
            budget(Class::Analysis, None),
            Source::of(owner),
        );
        job
    };
    let three = |heard: &Receiver<(u64, u8)>| -> BTreeSet<(u64, u8)> {
        (0..3).map(|_| heard.recv_timeout(TIMEOUT).expect("three of them")).collect()
    };
    let all = |owner| (0..3).map(|helper| (owner, helper)).collect::<BTreeSet<_>>();
    let first = start(1);
    assert_eq!(three(&begun), all(1));
    harness.pool.hold(first);
    let second = start(2);
    assert_eq!(three(&begun), all(2), "those of a held search are held, too");
    harness.pool.stop(second);
    assert_eq!(three(&ends), all(2));
    harness.pool.resume(first, budget(Class::Clock, Some(0)));
    assert_eq!(harness.done(), first);
    assert_eq!((three(&ends), harness.pool.searches()), (all(1), 0));
    let other = harness.start(3, SHORT, Class::Analysis, None);
    assert_eq!(harness.done(), other, "and helpers say nothing of their own");
}

#[test]
fn what_helpers_have_searched_counts_as_their_searchs_own() {
    let (helper_nodes, help) = channel();
    let help = Mutex::new(help);
    let (node_limit, limited) = channel();
    let harness = Harness::with(2, 8, move |request, gate, reports| {
        let mut nodes = 10;
        if number_of(request) > 0 {
            let _ = gate.poll(300);
            nodes = 500;
            let _ = gate.poll(nodes);
            let _ = helper_nodes.send(());
            while gate.poll(nodes) == Verdict::Continue {}
        } else {
            let _ = help.lock().map(|help| help.recv_timeout(TIMEOUT).expect("the helper's word"));
            let _ = node_limit.send(gate.limits(request.limits).nodes);
            let elapsed = gate.elapsed();
            let (depth, moves_left, moves_total, current) = (1, 1, 1, None);
            let progress = Progress { depth, nodes, elapsed, moves_left, moves_total, current };
            reports(Report::Progress(progress).into());
        }
        Done { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes, elapsed: gate.elapsed() }
    });
    let job = JobId { owner: 1, search: SearchId(1) };
    let request = Request {
        thread: ThreadRole::Main { helpers: 1 },
        limits: Limits { nodes: Some(2_000), ..Limits::default() },
        ..Request::of(AnyPosition::start(Variant::NORMAL))
    };
    harness.pool.start(job, Box::new(Task::Search(request)), budget(Class::Analysis, None), Source::of(1));
    assert_eq!(harness.result().1.nodes, 510);
    assert_eq!(limited.recv_timeout(TIMEOUT), Ok(Some(1_500)), "they are taken from its limit");
    assert_eq!(*harness.progress.borrow(), [510], "and while it runs");
}

/// Returns the result of a search for a move whose helper prefers another one, and the variations
/// that its session gets.
fn voted(request: Request) -> (Done, Vec<Info>) {
    let (voted, votes) = channel();
    let votes = Mutex::new(votes);
    let harness = Harness::with(2, 8, move |request, gate, reports| {
        let elapsed = gate.elapsed();
        if number_of(request) == 0 {
            let _ = votes.lock().map(|votes| votes.recv_timeout(TIMEOUT).expect("the helper's vote"));
            return Done { best: Move::from_bits(1), ..Done::without_move(10, 100, elapsed) };
        }
        reports(Report::Info(preferred()).into());
        let _ = voted.send(());
        while gate.poll(0) == Verdict::Continue {}
        Done::without_move(0, 0, elapsed)
    });
    let job = JobId { owner: 1, search: SearchId(1) };
    let request = Request { thread: ThreadRole::Main { helpers: 1 }, ..request };
    harness.pool.start(job, Box::new(Task::Search(request)), budget(Class::Clock, None), Source::of(1));
    let done = harness.result().1;
    (done, harness.variations.take())
}

/// The helper's variation.
fn preferred() -> Info {
    let pv = [2, 3].into_iter().filter_map(Move::from_bits).collect();
    Info { nodes: 7, pv, ..variation(2, 5, 11) }
}

#[test]
fn helpers_vote_on_the_move_to_play() {
    let request = Request { game: true, ..Request::of(AnyPosition::start(Variant::NORMAL)) };
    let (done, variations) = voted(request.clone());
    assert_eq!((done.best, done.ponder), (Move::from_bits(2), Move::from_bits(3)));
    assert_eq!((done.score, done.depth, done.nodes), (Score(5), 11, 100));
    let shown: Vec<_> = variations.iter().map(|info| (info.pv.clone(), info.depth, info.nodes)).collect();
    assert_eq!(shown, [(preferred().pv, 11, 100)], "its variation is shown");

    for own in [
        Request { game: false, ..request.clone() },
        Request { limits: Limits { depth: Some(10), ..Limits::default() }, ..request.clone() },
        Request { limits: Limits { mate: Some(3), ..Limits::default() }, ..request.clone() },
        Request { first_moves: FirstMoves { lines: 2, ..FirstMoves::default() }, ..request.clone() },
        Request { style: Style { partner: Some(PartnerNeeds::default()), ..Style::default() }, ..request },
    ] {
        let (done, variations) = voted(own);
        assert_eq!((done.best, variations.len()), (Move::from_bits(1), 0));
    }
}
