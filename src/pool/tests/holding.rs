//! Searches that are held, on real threads.

use super::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// How far searches are, by their seed.
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
        let deadline = Instant::now() + PATIENCE;
        while !reached(self.of(seed)) {
            assert!(Instant::now() < deadline, "search {seed} stays at {:?}", self.of(seed));
            std::thread::yield_now();
        }
    }

    /// Waits until a search that goes on is further than it is.
    fn wait_for_more(&self, seed: u64) {
        let before = self.of(seed).polls;
        self.wait(seed, |seen| seen.polls > before);
    }
}

/// Ends when the search whose seed differs in the last bit runs at the same time.
const MEETS: u64 = 3;

/// Searches whose progress is seen. Their owner is their seed, too.
fn watched(workers: usize, searches: usize) -> (Stand, Progress) {
    let progress = Progress::default();
    let noted = progress.clone();
    let stand = Stand::with(workers, searches, move |request, gate, _| {
        noted.note(request.seed, |seen| seen.calls += 1);
        let mut polls = 0;
        while gate.poll(polls) == Verdict::Continue && request.salt != SHORT {
            polls += 1;
            noted.note(request.seed, |seen| seen.polls += 1);
            if request.salt == MEETS {
                noted.wait(request.seed ^ 1, |seen| seen.polls > 0);
                break;
            }
        }
        noted.note(request.seed, |seen| seen.returns += 1);
        Done { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes: polls, elapsed: gate.elapsed() }
    });
    (stand, progress)
}

/// A search with a token of one runs only if the others have given theirs back.
fn run_another(stand: &Stand, owner: u64) {
    let other = stand.start(owner, SHORT, Class::Analysis, None);
    assert_eq!(stand.done(), other);
}

#[test]
fn a_held_search_rests_while_others_run_and_then_goes_on_in_the_same_call() {
    let (stand, progress) = watched(1, 4);
    let held = stand.start(1, ENDLESS, Class::Clock, None);
    progress.wait_for_more(1);
    stand.pool.hold(held);
    run_another(&stand, 2);
    let before = progress.of(1);
    for owner in 3..20 {
        run_another(&stand, owner);
    }
    assert_eq!(progress.of(1), before);

    stand.pool.resume(held, terms(Class::Clock, None));
    progress.wait_for_more(1);
    stand.pool.retime(held, terms(Class::Clock, Some(0)));
    let (ended, done) = stand.result();
    assert_eq!((ended, done.nodes), (held, progress.of(1).polls));
    assert_eq!(progress.of(1).calls, 1);
}

#[test]
fn a_held_search_does_not_end_by_its_maximum_until_it_is_resumed() {
    let (stand, progress) = watched(1, 4);
    let held = stand.start(1, ENDLESS, Class::Clock, None);
    progress.wait_for_more(1);
    stand.pool.hold(held);
    stand.pool.retime(held, terms(Class::Clock, Some(0)));
    let other = stand.start(2, ENDLESS, Class::Analysis, Some(100));
    assert_eq!(stand.done(), other);
    assert_eq!(stand.pool.searches(), 1);
    stand.pool.resume(held, terms(Class::Clock, Some(0)));
    assert_eq!(stand.done(), held);
}

#[test]
fn a_held_search_ends_at_once_when_it_is_stopped() {
    let (stand, progress) = watched(1, 4);
    let held = stand.start(1, ENDLESS, Class::Clock, None);
    progress.wait_for_more(1);
    stand.pool.hold(held);
    run_another(&stand, 2);
    stand.pool.stop(held);
    assert_eq!(stand.pool.searches(), 0);
    progress.wait(1, |seen| seen.returns == 1);
    // Nothing is left of it that a further search of that name would meet.
    stand.pool.resume(held, terms(Class::Clock, None));
    let again = stand.start(1, SHORT, Class::Clock, None);
    assert_eq!(stand.done(), again);
}

#[test]
fn a_search_that_is_held_before_it_begins_does_not_begin_until_it_is_resumed() {
    let (stand, progress) = watched(1, 4);
    let running = stand.start(1, ENDLESS, Class::Clock, None);
    let held = stand.start(2, ENDLESS, Class::Analysis, None);
    stand.pool.hold(held);
    stand.pool.stop(running);
    for owner in 3..20 {
        run_another(&stand, owner);
    }
    assert_eq!(progress.of(2).calls, 0);
    stand.pool.resume(held, terms(Class::Clock, None));
    progress.wait_for_more(2);
    assert_eq!(progress.of(2).calls, 1);
}

#[test]
fn a_dropped_pool_ends_held_searches() {
    let (stand, progress) = watched(2, 4);
    for owner in 1..=4 {
        let held = stand.start(owner, ENDLESS, Class::Analysis, None);
        progress.wait_for_more(owner);
        stand.pool.hold(held);
    }
    drop(stand);
    (1..=4).for_each(|owner| assert_eq!(progress.of(owner).returns, 1));
}

#[test]
fn no_token_is_lost_by_holding_and_resuming_at_random() {
    const COUNT: u64 = 12;
    let (stand, progress) = watched(2, COUNT as usize);
    let jobs: Vec<JobId> =
        (0..COUNT).map(|owner| stand.start(owner, ENDLESS, Class::Analysis, None)).collect();
    let mut random = 1_u64;
    for _ in 0..20_000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let job = jobs[(random >> 33) as usize % jobs.len()];
        let class = if random >> 60 & 1 == 0 { Class::Clock } else { Class::Analysis };
        match random >> 61 {
            0..=3 => stand.pool.hold(job),
            4 => stand.pool.retime(job, terms(class, None)),
            _ => stand.pool.resume(job, terms(class, None)),
        }
    }
    jobs.iter().for_each(|&job| stand.pool.hold(job));
    let pair = [COUNT, COUNT + 1].map(|owner| stand.start(owner, MEETS, Class::Clock, None));
    for _ in pair {
        let (ended, done) = stand.result();
        assert!(pair.contains(&ended) && done.nodes == 1, "{ended:?} was alone");
    }
    for (&job, owner) in jobs.iter().zip(0..) {
        stand.pool.resume(job, terms(Class::Analysis, None));
        progress.wait_for_more(owner);
        assert_eq!(progress.of(owner).calls, 1);
        stand.pool.hold(job);
    }
    jobs.iter().for_each(|&job| stand.pool.resume(job, terms(Class::Analysis, Some(0))));
    let ended: BTreeSet<JobId> = jobs.iter().map(|_| stand.done()).collect();
    assert_eq!(ended, jobs.into_iter().collect());
}
