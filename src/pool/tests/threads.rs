//! The number of threads of a pool, and that no search is lost for lack of one.

use super::*;
use crate::pool::threads::SPARE_THREADS;
use std::sync::{Condvar, Mutex};

const TOKENS: usize = 2;
const ALLOWED: usize = TOKENS + SPARE_THREADS;

/// Searches that do not end, even when stopped, until they are let.
struct Slow {
    harness: Harness,
    /// One message for each search that runs.
    running: Receiver<()>,
    door: Arc<(Mutex<bool>, Condvar)>,
}

impl Slow {
    fn new() -> Slow {
        let (sender, running) = channel();
        let door = Arc::new((Mutex::new(false), Condvar::new()));
        let (sender, inner) = (Mutex::new(sender), Arc::clone(&door));
        let harness = Harness::with(TOKENS, 16, move |request, gate, _| {
            let _ = sender.lock().unwrap().send(());
            let done = act(request, gate);
            let (open, opened) = &*inner;
            drop(opened.wait_while(open.lock().unwrap(), |open| !*open).unwrap());
            done
        });
        Slow { harness, running, door }
    }

    /// Starts a search and stops it when it runs; its thread stays with it.
    fn start_and_stop(&self, owner: u64) {
        let job = self.harness.start(owner, ENDLESS, Class::Clock, None);
        self.running.recv_timeout(TIMEOUT).expect("it has a thread");
        self.harness.pool.stop(job);
    }

    fn open(&self) {
        *self.door.0.lock().unwrap() = true;
        self.door.1.notify_all();
    }
}

fn wait_for_threads(harness: &Harness, wanted: usize) {
    let deadline = Instant::now() + TIMEOUT;
    while harness.pool.threads() != wanted {
        assert!(Instant::now() < deadline, "{} threads instead of {wanted}", harness.pool.threads());
        std::thread::yield_now();
    }
}

#[test]
fn starting_and_stopping_in_a_row_needs_few_threads() {
    let harness = Harness::new(TOKENS, 64);
    for owner in 1..=20_000 {
        let class = if owner % 2 == 0 { Class::Clock } else { Class::Analysis };
        let job = harness.start(owner, ENDLESS, class, None);
        assert!(harness.pool.threads() <= 1 + ALLOWED, "{}", harness.pool.threads());
        harness.pool.stop(job);
    }
    let last = harness.start(1, SHORT, Class::Clock, None);
    assert_eq!(harness.done(), last);
}

#[test]
fn bursts_of_many_clients_stay_within_the_limits_of_both_classes() {
    let searches = 8;
    let harness = Harness::new(TOKENS, searches);
    for round in 0..300 {
        let jobs: Vec<JobId> = (0..64)
            .map(|owner| {
                let class = if (owner + round) % 3 == 0 { Class::Clock } else { Class::Analysis };
                harness.start(1000 * round + owner, ENDLESS, class, None)
            })
            .collect();
        assert!(harness.pool.threads() <= 2 * searches + ALLOWED, "{}", harness.pool.threads());
        jobs.into_iter().for_each(|job| harness.pool.stop(job));
        assert!(harness.pool.threads() <= 2 * searches + ALLOWED, "{}", harness.pool.threads());
    }
    let last = harness.start(1, SHORT, Class::Clock, None);
    assert_eq!(harness.done(), last);
}

#[test]
fn a_search_waits_for_a_thread_when_too_many_are_about_to_end() {
    let slow = Slow::new();
    for owner in 1..=1 + ALLOWED {
        slow.start_and_stop(owner as u64);
    }
    let waiting = [20, 21].map(|owner| slow.harness.start(owner, SHORT, Class::Clock, None));
    // The second search is allowed a thread, which takes the first in the queue.
    assert_eq!(slow.harness.pool.threads(), 2 + ALLOWED);
    slow.open();
    assert_eq!(BTreeSet::from([slow.harness.done(), slow.harness.done()]), BTreeSet::from(waiting));
    assert_eq!(slow.harness.pool.searches(), 0);
}

#[test]
fn a_search_that_waits_for_a_thread_can_be_stopped() {
    let slow = Slow::new();
    for owner in 1..=1 + ALLOWED {
        slow.start_and_stop(owner as u64);
    }
    let stopped = slow.harness.start(20, SHORT, Class::Clock, None);
    slow.harness.pool.stop(stopped);
    assert!(slow.harness.pool.shared.lock().starting.is_empty());
    let other = slow.harness.start(21, SHORT, Class::Clock, None);
    slow.open();
    assert_eq!(slow.harness.done(), other);
}

#[test]
fn a_search_that_is_held_while_it_waits_for_a_thread_does_not_begin() {
    let slow = Slow::new();
    for owner in 1..=1 + ALLOWED {
        slow.start_and_stop(owner as u64);
    }
    let held = slow.harness.start(20, SHORT, Class::Clock, None);
    slow.harness.pool.hold(held);
    slow.open();
    let deadline = Instant::now() + TIMEOUT;
    while slow.harness.pool.shared.lock().scheduler.running() > 0 {
        assert!(Instant::now() < deadline, "it keeps its token");
        std::thread::yield_now();
    }
    assert!(slow.running.try_recv().is_err(), "it has begun");
    slow.harness.pool.resume(held, budget(Class::Clock, None));
    assert_eq!(slow.harness.done(), held);
}

#[test]
fn without_threads_a_search_waits_for_one_that_ends_and_is_else_refused() {
    let slow = Slow::new();
    slow.start_and_stop(1);
    slow.harness.pool.let_have_threads(false);
    let waits = slow.harness.start(2, SHORT, Class::Clock, None);
    let refused = slow.harness.start(3, SHORT, Class::Clock, None);
    let why = (refused, Shortage::Threads);
    assert_eq!(slow.harness.refused(), why, "there is one thread that will be free, and it is for the other");
    slow.open();
    assert_eq!(slow.harness.done(), waits);
}

#[test]
fn every_search_without_a_thread_is_refused_and_begins_when_there_are_some() {
    let harness = Harness::new(TOKENS, 32);
    harness.pool.let_have_threads(false);
    let start = |owner| harness.start(owner, SHORT, Class::Analysis, None);
    let started: BTreeSet<JobId> = (1..=20).map(start).collect();
    let refused: BTreeSet<JobId> = started.iter().map(|_| harness.refused().0).collect();
    assert_eq!((started, harness.pool.searches(), harness.pool.threads()), (refused, 0, 0));
    harness.pool.let_have_threads(true);
    let again: BTreeSet<JobId> = (1..=20).map(start).collect();
    let ended: BTreeSet<JobId> = again.iter().map(|_| harness.done()).collect();
    assert_eq!(again, ended);
}

#[test]
fn threads_that_have_nothing_to_do_leave() {
    let harness = Harness::new(TOKENS, 32);
    harness.pool.shared.lock().threads.idle_timeout = Duration::from_millis(1);
    for round in 0..3_u64 {
        let start = |owner| harness.start(100 * round + owner, ENDLESS, Class::Analysis, None);
        let jobs: Vec<JobId> = (1..=24).map(start).collect();
        // Each has its thread after its first slice.
        let deadline = Instant::now() + TIMEOUT;
        while harness.pool.threads() < 24 {
            assert!(Instant::now() < deadline, "{} threads", harness.pool.threads());
            std::thread::yield_now();
        }
        jobs.into_iter().for_each(|job| harness.pool.stop(job));
        wait_for_threads(&harness, ALLOWED);
    }
    let last = harness.start(1, SHORT, Class::Clock, None);
    assert_eq!(harness.done(), last);
}

#[test]
fn no_search_is_lost_while_threads_come_and_go() {
    let harness = Harness::new(TOKENS, 32);
    {
        let threads = &mut harness.pool.shared.lock().threads;
        (threads.idle_timeout, threads.spare) = (Duration::from_micros(50), 1);
    }
    for round in 0..500_u64 {
        let start = |owner| harness.start(100 * round + owner, SHORT, Class::Clock, None);
        let started: BTreeSet<JobId> = (1..=16).map(start).collect();
        let ended: BTreeSet<JobId> = started.iter().map(|_| harness.done()).collect();
        assert_eq!(started, ended);
    }
}

#[test]
fn a_dropped_pool_has_joined_those_that_left() {
    for _ in 0..200 {
        let harness = Harness::new(TOKENS, 32);
        {
            let threads = &mut harness.pool.shared.lock().threads;
            (threads.idle_timeout, threads.spare) = (Duration::from_micros(1), 0);
        }
        for owner in 1..=8 {
            harness.start(owner, SHORT, Class::Clock, None);
        }
        for _ in 1..=8 {
            harness.done();
        }
        let shared = Arc::downgrade(&harness.pool.shared);
        drop(harness);
        assert_eq!(shared.strong_count(), 0, "a thread is still there");
    }
}
