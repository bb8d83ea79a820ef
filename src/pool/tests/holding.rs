//! Held searches, on real threads.

use super::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Progress of searches by their seed.
#[derive(Clone, Default)]
struct Progress(Arc<Mutex<BTreeMap<u64, Seen>>>);

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Seen {
    calls: u64,
    polls: u64,
    returns: u64,
}

impl Progress {
    fn note(&self, seed: u64, write: impl FnOnce(&mut Seen)) {
        write(self.0.lock().unwrap().entry(seed).or_default());
    }

    fn of(&self, seed: u64) -> Seen {
        self.0.lock().unwrap().get(&seed).copied().unwrap_or_default()
    }

    fn wait(&self, seed: u64, reached: impl Fn(Seen) -> bool) {
        let deadline = Instant::now() + TIMEOUT;
        while !reached(self.of(seed)) {
            assert!(Instant::now() < deadline, "search {seed} stays at {:?}", self.of(seed));
            std::thread::yield_now();
        }
    }

    /// Waits until a running search has made progress.
    fn wait_for_more(&self, seed: u64) {
        let before = self.of(seed).polls;
        self.wait(seed, |seen| seen.polls > before);
    }
}

/// Ends when the search whose seed differs in the last bit runs at the same time.
const MEETS: u64 = 3;

/// Searches whose progress is observed. The owner is also the seed.
fn watched(workers: usize, searches: usize) -> (Harness, Progress) {
    let progress = Progress::default();
    let noted = progress.clone();
    let harness = Harness::with(workers, searches, move |request, gate, _| {
        noted.note(request.style.seed, |seen| seen.calls += 1);
        let mut polls = 0;
        while gate.poll(polls) == Verdict::Continue && request.table.salt != SHORT {
            polls += 1;
            noted.note(request.style.seed, |seen| seen.polls += 1);
            if request.table.salt == MEETS {
                noted.wait(request.style.seed ^ 1, |seen| seen.polls > 0);
                break;
            }
        }
        noted.note(request.style.seed, |seen| seen.returns += 1);
        Done { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes: polls, elapsed: gate.elapsed() }
    });
    (harness, progress)
}

/// A search with a token of one runs only if the others have given theirs back.
fn run_another(harness: &Harness, owner: u64) {
    let other = harness.start(owner, SHORT, Class::Analysis, None);
    assert_eq!(harness.done(), other);
}

#[test]
fn a_held_search_rests_while_others_run_and_then_goes_on_in_the_same_call() {
    let (harness, progress) = watched(1, 4);
    let held = harness.start(1, ENDLESS, Class::Clock, None);
    progress.wait_for_more(1);
    harness.pool.hold(held);
    run_another(&harness, 2);
    let before = progress.of(1);
    for owner in 3..20 {
        run_another(&harness, owner);
    }
    assert_eq!(progress.of(1), before);

    harness.pool.resume(held, budget(Class::Clock, None));
    progress.wait_for_more(1);
    harness.pool.retime(held, budget(Class::Clock, Some(0)));
    let (ended, done) = harness.result();
    assert_eq!((ended, done.nodes), (held, progress.of(1).polls));
    assert_eq!(progress.of(1).calls, 1);
}

#[test]
fn a_held_search_does_not_end_by_its_maximum_until_it_is_resumed() {
    let (harness, progress) = watched(1, 4);
    let held = harness.start(1, ENDLESS, Class::Clock, None);
    progress.wait_for_more(1);
    harness.pool.hold(held);
    harness.pool.retime(held, budget(Class::Clock, Some(0)));
    let other = harness.start(2, ENDLESS, Class::Analysis, Some(100));
    assert_eq!(harness.done(), other);
    assert_eq!(harness.pool.searches(), 1);
    harness.pool.resume(held, budget(Class::Clock, Some(0)));
    assert_eq!(harness.done(), held);
}

#[test]
fn a_held_search_ends_at_once_when_it_is_stopped() {
    let (harness, progress) = watched(1, 4);
    let held = harness.start(1, ENDLESS, Class::Clock, None);
    progress.wait_for_more(1);
    harness.pool.hold(held);
    run_another(&harness, 2);
    harness.pool.stop(held);
    assert_eq!(harness.pool.searches(), 0);
    progress.wait(1, |seen| seen.returns == 1);
    // Nothing is left that a further search of this id would meet.
    harness.pool.resume(held, budget(Class::Clock, None));
    let again = harness.start(1, SHORT, Class::Clock, None);
    assert_eq!(harness.done(), again);
}

#[test]
fn a_search_that_is_held_before_it_begins_does_not_begin_until_it_is_resumed() {
    let (harness, progress) = watched(1, 4);
    let running = harness.start(1, ENDLESS, Class::Clock, None);
    let held = harness.start(2, ENDLESS, Class::Analysis, None);
    harness.pool.hold(held);
    harness.pool.stop(running);
    for owner in 3..20 {
        run_another(&harness, owner);
    }
    assert_eq!(progress.of(2).calls, 0);
    harness.pool.resume(held, budget(Class::Clock, None));
    progress.wait_for_more(2);
    assert_eq!(progress.of(2).calls, 1);
}

#[test]
fn a_dropped_pool_ends_held_searches() {
    let (harness, progress) = watched(2, 4);
    for owner in 1..=4 {
        let held = harness.start(owner, ENDLESS, Class::Analysis, None);
        progress.wait_for_more(owner);
        harness.pool.hold(held);
    }
    drop(harness);
    (1..=4).for_each(|owner| assert_eq!(progress.of(owner).returns, 1));
}

#[test]
fn no_token_is_lost_by_holding_and_resuming_at_random() {
    const COUNT: u64 = 12;
    let (harness, progress) = watched(2, COUNT as usize);
    let jobs: Vec<JobId> =
        (0..COUNT).map(|owner| harness.start(owner, ENDLESS, Class::Analysis, None)).collect();
    let mut random = 1_u64;
    for _ in 0..20_000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let job = jobs[(random >> 33) as usize % jobs.len()];
        let class = if random >> 60 & 1 == 0 { Class::Clock } else { Class::Analysis };
        match random >> 61 {
            0..=3 => harness.pool.hold(job),
            4 => harness.pool.retime(job, budget(class, None)),
            _ => harness.pool.resume(job, budget(class, None)),
        }
    }
    jobs.iter().for_each(|&job| harness.pool.hold(job));
    let pair = [COUNT, COUNT + 1].map(|owner| harness.start(owner, MEETS, Class::Clock, None));
    for _ in pair {
        let (ended, done) = harness.result();
        assert!(pair.contains(&ended) && done.nodes == 1, "{ended:?} was alone");
    }
    for (&job, owner) in jobs.iter().zip(0..) {
        harness.pool.resume(job, budget(Class::Analysis, None));
        progress.wait_for_more(owner);
        assert_eq!(progress.of(owner).calls, 1);
        harness.pool.hold(job);
    }
    jobs.iter().for_each(|&job| harness.pool.resume(job, budget(Class::Analysis, Some(0))));
    let ended: BTreeSet<JobId> = jobs.iter().map(|_| harness.done()).collect();
    assert_eq!(ended, jobs.into_iter().collect());
}
