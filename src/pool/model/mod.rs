//! The pool compiled a second time, on the threads and locks of `shuttle`, which runs it under one
//! interleaving after another. The code that hands over tokens is the same source; only `sync`
//! differs. A thread that waits in vain is reported as a deadlock.
//!
//! Time advances with every reading of the clock, so that slices end.

#![allow(dead_code, reason = "the model needs less of the pool than the server")]
#![allow(clippy::duplicate_mod, reason = "once with the threads of the system, once with those of the model")]

#[path = "../gate.rs"]
mod gate;
#[path = "../job.rs"]
mod job;
#[path = "../lazy_smp.rs"]
mod lazy_smp;
#[path = "../shared.rs"]
mod shared;
#[path = "../threads.rs"]
mod threads;
#[path = "../worker.rs"]
mod worker;
#[path = "../worker_pool.rs"]
mod worker_pool;

use super::{
    Class, JobId, Mailbox, Metrics, RefusalCause, SearchBudget, SearchEvent, SearchId, SearchOrder, Shortage,
    Source, Task, Timebase, scheduler, stopwatch, votes,
};

mod sync {
    pub(super) use shuttle::sync::{Arc, Condvar, Mutex, MutexGuard};
    pub(super) use shuttle::thread::{JoinHandle, ThreadId, current};
    pub(super) use std::sync::PoisonError;

    /// All threads of a model run on one thread of the system.
    pub(super) use crate::pool::affinity::no_affinity::CoreAffinity;

    use crate::pool::stopwatch::Reading;
    use std::cell::Cell;
    use std::io::{self, ErrorKind};
    use std::time::{Duration, Instant};

    /// A stack size for which no thread can be spawned.
    pub(super) const TOO_BIG: usize = usize::MAX;

    /// Builds threads.
    pub(super) struct Builder {
        inner: shuttle::thread::Builder,
        stack: usize,
    }

    impl Builder {
        pub(super) fn new() -> Builder {
            Builder { inner: shuttle::thread::Builder::new(), stack: 0 }
        }

        pub(super) fn name(self, name: String) -> Builder {
            Builder { inner: self.inner.name(name), ..self }
        }

        pub(super) fn stack_size(self, stack: usize) -> Builder {
            Builder { stack, ..self }
        }

        pub(super) fn spawn<T: Send + 'static>(
            self,
            body: impl FnOnce() -> T + Send + 'static,
        ) -> io::Result<JoinHandle<T>> {
            if self.stack == TOO_BIG {
                return Err(ErrorKind::WouldBlock.into());
            }
            self.inner.spawn(body)
        }
    }

    thread_local! {
        /// All threads of a model run on one thread of the system.
        static NOW: Cell<Instant> = Cell::new(Instant::now());
    }

    /// Each reading advances the clock by a millisecond.
    pub(super) fn now() -> Instant {
        NOW.set(NOW.get() + Duration::from_millis(1));
        NOW.get()
    }

    pub(super) fn reading() -> Reading {
        Reading { wall: now(), processor: Duration::ZERO }
    }
}

use crate::chess::{AnyPosition, Variant};
use crate::search::{Done, Request, Score, Style, TableUse, ThreadRole, Verdict};
use shuttle::sync::Arc;
use shuttle::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use worker_pool::{Pool, Size};

/// Interleavings to try.
const INTERLEAVINGS: usize = 300;

/// Observations of all searches of a pool.
#[derive(Default)]
struct Seen {
    running: AtomicUsize,
    returned: AtomicUsize,
}

struct Model {
    pool: Pool,
    mailbox: Arc<Mailbox>,
    seen: Arc<Seen>,
}

impl Model {
    /// A pool whose searches end after as many polls as their salt says, or when they are stopped.
    fn new(tokens: usize) -> Model {
        let seen = Arc::new(Seen::default());
        let mailbox = Arc::new(Mailbox::new(|| ()));
        let noted = Arc::clone(&seen);
        let search = move |task: &Task, gate: &mut dyn crate::search::Gate, _: &mut dyn FnMut(_)| {
            let request = task.search().expect("a search");
            let mut polls = 0;
            while polls < request.style.seed && gate.poll(polls) == Verdict::Continue {
                polls += 1;
                let others = noted.running.fetch_add(1, Ordering::SeqCst);
                shuttle::thread::yield_now();
                noted.running.fetch_sub(1, Ordering::SeqCst);
                // A search that was stopped runs on to its next poll, and does not count as the
                // holder of a token.
                assert!(others < tokens + request.table.salt as usize, "more run than there are tokens");
            }
            noted.returned.fetch_add(1, Ordering::SeqCst);
            let elapsed = Duration::ZERO;
            Done { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes: polls, elapsed }
        };
        let size = Size { workers: tokens, searches: 16, niceness: 0 };
        let pool = Pool::new(size, Box::new(search), Arc::clone(&mailbox));
        Model { pool, mailbox, seen }
    }

    /// Starts a search of `polls` polls while up to `stopped` other searches may still run without
    /// a token.
    fn start(&self, owner: u64, class: Class, polls: u64, stopped: u64) -> JobId {
        let job = JobId { owner, search: SearchId(1) };
        let position = AnyPosition::start(Variant::NORMAL);
        let request = Request {
            style: Style { seed: polls, ..Style::default() },
            table: TableUse::salted(stopped),
            ..Request::of(position)
        };
        self.pool.start(job, Box::new(Task::Search(request)), budget(class), Source::of(owner));
        job
    }

    /// Waits until `count` searches have ended by themselves; returns the polls of each (0 if
    /// refused).
    fn ends(&self, count: usize) -> Vec<(JobId, u64)> {
        let mut ends = Vec::new();
        while ends.len() < count {
            let mut events = Vec::new();
            self.mailbox.take(&mut events);
            ends.extend(events.into_iter().filter_map(|(job, event)| match event {
                SearchEvent::Done(done) => Some((job, done.nodes)),
                SearchEvent::Refused(Shortage::Threads) => Some((job, 0)),
                _ => None,
            }));
            shuttle::thread::yield_now();
        }
        ends.sort_unstable();
        ends
    }
}

fn budget(class: Class) -> SearchBudget {
    SearchBudget { class, since: sync::now(), allotment: None, timebase: Timebase::Wall, limits: None }
}

fn check(model: impl Fn() + Send + Sync + 'static) {
    shuttle::check_random(model, INTERLEAVINGS);
}

#[test]
fn tokens_go_from_search_to_search_and_none_is_lost() {
    check(|| {
        let model = Model::new(2);
        let classes = [Class::Analysis, Class::Ponder, Class::Clock, Class::Reply];
        let jobs: Vec<JobId> =
            classes.into_iter().zip(1..).map(|(class, owner)| model.start(owner, class, 4, 0)).collect();
        assert_eq!(model.ends(4), jobs.into_iter().map(|job| (job, 4)).collect::<Vec<_>>());
        drop(model.pool);
        assert_eq!(model.seen.returned.load(Ordering::SeqCst), 4);
    });
}

#[test]
fn a_search_is_stopped_at_any_moment_and_its_token_goes_on() {
    check(|| {
        let model = Model::new(1);
        let endless = model.start(1, Class::Analysis, u64::MAX, 1);
        let other = model.start(2, Class::Analysis, 3, 1);
        let clock = model.start(3, Class::Clock, 2, 1);
        model.pool.stop(endless);
        assert_eq!(model.ends(2), [(other, 3), (clock, 2)]);
        drop(model.pool);
    });
}

#[test]
fn a_search_is_held_and_resumed_at_any_moment() {
    check(|| {
        let model = Model::new(1);
        let held = model.start(1, Class::Ponder, 4, 0);
        let other = model.start(2, Class::Analysis, 2, 0);
        model.pool.hold(held);
        // The search may have ended before.
        let ended = model.ends(1).len();
        model.pool.retime(held, budget(Class::Clock));
        model.pool.resume(held, budget(Class::Clock));
        let ends = model.ends(2 - ended);
        assert!(ended == 2 || ends[0].0 == held || ends[0].0 == other);
        drop(model.pool);
    });
}

#[test]
fn a_pool_ends_at_any_moment() {
    check(|| {
        let model = Model::new(1);
        for owner in 1..=3 {
            model.start(owner, Class::Analysis, u64::MAX, 3);
        }
        drop(model.pool);
        assert_eq!(Arc::strong_count(&model.seen), 1, "a thread is left, or a search");
    });
}

#[test]
fn helpers_end_with_their_search_at_any_moment() {
    check(|| {
        let model = Model::new(2);
        let job = JobId { owner: 1, search: SearchId(1) };
        let position = AnyPosition::start(Variant::NORMAL);
        let request = Request {
            style: Style { seed: 3, ..Style::default() },
            table: TableUse::salted(1),
            thread: ThreadRole::Main { helpers: 1 },
            ..Request::of(position)
        };
        model.pool.start(job, Box::new(Task::Search(request)), budget(Class::Clock), Source::of(1));
        model.start(2, Class::Analysis, 3, 1);
        assert_eq!(model.ends(2).len(), 2);
        drop(model.pool);
        assert_eq!(Arc::strong_count(&model.seen), 1, "a helper is left");
    });
}

#[test]
fn threads_become_few_at_any_moment_and_every_search_ends_or_is_refused() {
    check(|| {
        let model = Model::new(2);
        let start = |owner| model.start(owner, Class::Analysis, 3, 0);
        let mut jobs = vec![start(1), start(2)];
        model.pool.shared.lock().threads.stack_size = sync::TOO_BIG;
        jobs.extend([start(3), start(4)]);
        let ends = model.ends(4);
        assert_eq!(ends.iter().map(|&(job, _)| job).collect::<Vec<_>>(), jobs);
        assert!(ends.iter().all(|&(_, polls)| polls == 3 || polls == 0));
        model.pool.shared.lock().threads.stack_size = 0;
        assert_eq!(model.start(5, Class::Clock, 2, 0), model.ends(1)[0].0);
        drop(model.pool);
    });
}
