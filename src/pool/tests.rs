//! Pools with stand-ins for the engine. Nothing here sleeps; every wait has a deadline.

mod holding;
mod lazy_smp;
mod processor;
mod slices;
mod threads;

use super::*;
use crate::chess::{AnyPosition, Move, Variant};
use crate::search::{
    Allotment, Bound, Done, Gate, Info, Progress, Report, Request, Score, Style, TableUse, Verdict,
};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(super) const TIMEOUT: Duration = Duration::from_secs(20);

/// A pool and its events. The salt of a request selects the behaviour of its search.
pub(super) struct Harness {
    pub(super) pool: Pool,
    mailbox: Arc<Mailbox>,
    woken: Receiver<()>,
    ended: RefCell<VecDeque<(JobId, Done)>>,
    refused: RefCell<VecDeque<(JobId, Shortage)>>,
    failed: RefCell<VecDeque<JobId>>,
    /// Nodes of all progress reports.
    progress: RefCell<Vec<u64>>,
    variations: RefCell<Vec<Info>>,
}

impl Pool {
    /// Lets the system give threads for searches, or none.
    pub(crate) fn let_have_threads(&self, given: bool) {
        // More than the system has room for.
        self.shared.lock().threads.stack_size = if given { 1 << 20 } else { 1 << 60 };
    }
}

/// Searches until it is stopped.
pub(super) const ENDLESS: u64 = 0;
const PANICS: u64 = 1;
/// Ends at its first poll.
pub(super) const SHORT: u64 = 2;

impl Harness {
    pub(super) fn new(workers: usize, searches: usize) -> Harness {
        Harness::with(workers, searches, |request, gate, _| act(request, gate))
    }

    pub(super) fn with(
        workers: usize,
        searches: usize,
        search: impl Fn(&Request, &mut dyn Gate, &mut dyn FnMut(SearchEvent)) -> Done + Send + Sync + 'static,
    ) -> Harness {
        let (sender, woken) = channel();
        let mailbox = Arc::new(Mailbox::new(move || {
            let _ = sender.send(());
        }));
        let size = Size { workers, searches, niceness: 0 };
        let run = move |task: &Task, gate: &mut dyn Gate, reports: &mut dyn FnMut(SearchEvent)| {
            search(task.search().expect("a search"), gate, reports)
        };
        let pool = Pool::new(size, Box::new(run), Arc::clone(&mailbox));
        Harness {
            pool,
            mailbox,
            woken,
            ended: RefCell::default(),
            refused: RefCell::default(),
            failed: RefCell::default(),
            progress: RefCell::default(),
            variations: RefCell::default(),
        }
    }

    pub(super) fn start(&self, owner: u64, what: u64, class: Class, maximum: Option<u64>) -> JobId {
        self.start_on(owner, what, budget(class, maximum))
    }

    fn start_on(&self, owner: u64, what: u64, budget: SearchBudget) -> JobId {
        self.start_of(Source::of(owner), owner, what, budget)
    }

    pub(super) fn start_of(&self, source: Source, owner: u64, what: u64, budget: SearchBudget) -> JobId {
        let job = JobId { owner, search: SearchId(1) };
        let position = AnyPosition::start(Variant::NORMAL);
        let request = Request {
            table: TableUse::salted(what),
            style: Style { seed: owner, ..Style::default() },
            ..Request::of(position)
        };
        self.pool.start(job, Box::new(Task::Search(request)), budget, source);
        job
    }

    /// The next search that ends.
    pub(super) fn done(&self) -> JobId {
        self.result().0
    }

    /// The next search that ends, and its result.
    fn result(&self) -> (JobId, Done) {
        self.next(&self.ended)
    }

    /// The next search that ends by a panic.
    fn failed(&self) -> JobId {
        self.next(&self.failed)
    }

    /// The next search that is refused, and why.
    fn refused(&self) -> (JobId, Shortage) {
        self.next(&self.refused)
    }

    fn next<T>(&self, queue: &RefCell<VecDeque<T>>) -> T {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(end) = queue.borrow_mut().pop_front() {
                return end;
            }
            match self.woken.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) => panic!("nothing of that kind happened in {TIMEOUT:?}"),
                _ => self.read(),
            }
        }
    }

    fn read(&self) {
        let mut events = Vec::new();
        self.mailbox.take(&mut events);
        for (job, event) in events {
            match event {
                SearchEvent::Report(Report::Progress(progress)) => {
                    self.progress.borrow_mut().push(progress.nodes);
                }
                SearchEvent::Report(Report::Info(info)) => self.variations.borrow_mut().push(info),
                SearchEvent::Report(_)
                | SearchEvent::Leaves(..)
                | SearchEvent::Attempts(_)
                | SearchEvent::Warm(_) => {}
                SearchEvent::Done(done) => self.ended.borrow_mut().push_back((job, done)),
                SearchEvent::Refused(shortage) => self.refused.borrow_mut().push_back((job, shortage)),
                SearchEvent::Failed => self.failed.borrow_mut().push_back(job),
            }
        }
    }
}

pub(super) fn budget(class: Class, maximum: Option<u64>) -> SearchBudget {
    let allotment = maximum.map(|milliseconds| {
        let maximum = Duration::from_millis(milliseconds);
        Allotment { optimum: maximum / 2, calm: maximum, maximum, exact: false }
    });
    SearchBudget { class, since: Instant::now(), allotment, timebase: Timebase::Wall, limits: None }
}

/// A variation of one move.
pub(super) fn variation(mv: u16, score: i32, depth: u8) -> Info {
    Info {
        depth,
        selective_depth: depth,
        score: Score(score),
        bound: Bound::Exact,
        elapsed: Duration::ZERO,
        nodes: 1,
        line: 1,
        pv: vec![Move::from_bits(mv).expect("a move")],
        again: false,
        table_usage: None,
    }
}

pub(super) fn act(request: &Request, gate: &mut dyn Gate) -> Done {
    assert_ne!(request.table.salt, PANICS, "this panic is part of a test");
    let mut polls = 0;
    while gate.poll(polls) == Verdict::Continue && request.table.salt != SHORT {
        polls += 1;
        std::hint::spin_loop();
    }
    Done { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes: polls, elapsed: gate.elapsed() }
}

#[test]
fn a_clock_search_ends_although_analyses_hold_every_token() {
    let harness = Harness::new(1, 8);
    for owner in 1..=8 {
        harness.start(owner, ENDLESS, Class::Analysis, None);
    }
    let clock = harness.start(9, SHORT, Class::Clock, None);
    assert_eq!(harness.done(), clock);
    assert_eq!(harness.pool.searches(), 8);
}

#[test]
fn at_its_maximum_a_search_ends_running_or_not() {
    let harness = Harness::new(1, 4);
    harness.start(1, ENDLESS, Class::Analysis, Some(600));
    harness.start(2, ENDLESS, Class::Clock, Some(300));
    // This search takes the token of the first and keeps it.
    harness.start(3, ENDLESS, Class::Clock, None);
    harness.start(4, ENDLESS, Class::Clock, Some(1_000_000));
    let ended = BTreeSet::from([harness.done().owner, harness.done().owner]);
    assert_eq!((ended, harness.pool.searches()), (BTreeSet::from([1, 2]), 2));
}

#[test]
fn a_stopped_search_frees_its_token_and_says_no_more() {
    let harness = Harness::new(1, 4);
    let first = harness.start(1, ENDLESS, Class::Clock, None);
    let second = harness.start(2, ENDLESS, Class::Clock, None);
    harness.start(3, SHORT, Class::Analysis, None);
    harness.pool.stop(first);
    harness.pool.stop(second);
    assert_eq!(harness.done().owner, 3);
    assert_eq!(harness.pool.searches(), 0);
}

#[test]
fn one_search_too_many_is_refused_and_others_do_not_notice() {
    let harness = Harness::new(1, 2);
    let first = harness.start(1, ENDLESS, Class::Analysis, None);
    harness.start(2, ENDLESS, Class::Analysis, None);
    let third = harness.start(3, ENDLESS, Class::Analysis, None);
    let clock = harness.start(4, SHORT, Class::Clock, None);
    assert_eq!(harness.done(), clock);
    assert_eq!((harness.refused(), harness.pool.searches()), ((third, Shortage::Searches(2)), 2));
    // Nothing is left that its owner would have to stop.
    harness.pool.stop(first);
    let again = harness.start(3, SHORT, Class::Analysis, None);
    assert_eq!((harness.done(), harness.refused.take().len()), (again, 0));
}

#[test]
fn a_ponder_hit_gives_a_search_an_end() {
    let harness = Harness::new(1, 4);
    let ponder = harness.start(1, ENDLESS, Class::Analysis, None);
    harness.start(2, ENDLESS, Class::Analysis, None);
    harness.pool.retime(ponder, budget(Class::Clock, Some(100)));
    assert_eq!(harness.done(), ponder);
}

#[test]
fn a_panic_ends_one_search_only() {
    let harness = Harness::new(1, 4);
    for owner in 1..=3 {
        let job = harness.start(owner, PANICS, Class::Clock, None);
        assert_eq!(harness.failed(), job);
    }
    let job = harness.start(4, SHORT, Class::Clock, None);
    assert_eq!(harness.done(), job);
    assert_eq!(harness.pool.searches(), 0);
}

#[test]
fn no_more_run_than_there_are_tokens() {
    let running = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let (counter, highest) = (Arc::clone(&running), Arc::clone(&most));
    let harness = Harness::with(2, 16, move |_, gate, _| {
        let mut polls = 0;
        while gate.poll(polls) == Verdict::Continue {
            let now = counter.fetch_add(1, Ordering::SeqCst) + 1;
            highest.fetch_max(now, Ordering::SeqCst);
            (0..10_000).for_each(|_| std::hint::spin_loop());
            counter.fetch_sub(1, Ordering::SeqCst);
            polls += 1;
        }
        Done { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes: polls, elapsed: gate.elapsed() }
    });
    for owner in 1..=12 {
        let class = if owner % 3 == 0 { Class::Clock } else { Class::Analysis };
        harness.start(owner, ENDLESS, class, Some(400 + 40 * owner));
    }
    let ended: BTreeSet<u64> = (0..12).map(|_| harness.done().owner).collect();
    assert_eq!(ended.len(), 12);
    assert!(most.load(Ordering::SeqCst) <= 2);
}

#[test]
fn a_dropped_pool_leaves_no_thread() {
    let harness = Harness::new(2, 20);
    for owner in 1..=20 {
        harness.start(owner, ENDLESS, Class::Analysis, None);
    }
    let Harness { pool, woken, mailbox, .. } = harness;
    drop(pool);
    drop(mailbox);
    // The sender of this channel was in the mailbox, and the mailbox in the threads.
    assert_eq!(woken.recv_timeout(TIMEOUT), Err(RecvTimeoutError::Disconnected));
}
