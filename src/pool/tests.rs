//! Pools with stand-ins for the engine. Nothing here sleeps; what waits has a deadline.

mod help;
mod holding;
mod processor;
mod slices;
mod threads;

use super::*;
use crate::chess::{AnyPosition, Variant};
use crate::search::{Allotment, Done, Gate, Progress, Report, Request, Score, Verdict};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// A pool and what it says. Searches are told by their salt what to do.
pub(super) struct Stand {
    pub(super) pool: Pool,
    mailbox: Arc<Mailbox>,
    woken: Receiver<()>,
    ended: RefCell<VecDeque<(JobId, Done)>>,
    refused: RefCell<VecDeque<(JobId, Shortage)>>,
    failed: RefCell<VecDeque<JobId>>,
    /// Nodes of all that was said to be in progress.
    progress: RefCell<Vec<u64>>,
}

impl Pool {
    /// From now on the system gives threads for searches, or none.
    pub(crate) fn let_have_threads(&self, given: bool) {
        // So big that the system has no room for it.
        self.shared.lock().threads.stack = if given { 1 << 20 } else { 1 << 60 };
    }
}

/// Searches until it is told to stop.
pub(super) const ENDLESS: u64 = 0;
const PANICS: u64 = 1;
/// Ends at the first poll that lets it.
pub(super) const SHORT: u64 = 2;

impl Stand {
    pub(super) fn new(workers: usize, searches: usize) -> Stand {
        Stand::with(workers, searches, |request, gate, _| act(request, gate))
    }

    pub(super) fn with(
        workers: usize,
        searches: usize,
        search: impl Fn(&Request, &mut dyn Gate, &mut dyn FnMut(Report)) -> Done + Send + Sync + 'static,
    ) -> Stand {
        let (sender, woken) = channel();
        let mailbox = Arc::new(Mailbox::new(move || {
            let _ = sender.send(());
        }));
        let size = Size { workers, searches, niceness: 0 };
        let pool = Pool::new(size, Box::new(search), Arc::clone(&mailbox));
        Stand {
            pool,
            mailbox,
            woken,
            ended: RefCell::default(),
            refused: RefCell::default(),
            failed: RefCell::default(),
            progress: RefCell::default(),
        }
    }

    pub(super) fn start(&self, owner: u64, what: u64, class: Class, maximum: Option<u64>) -> JobId {
        self.start_on(owner, what, terms(class, maximum))
    }

    fn start_on(&self, owner: u64, what: u64, terms: Terms) -> JobId {
        let job = JobId { owner, search: SearchId(1) };
        let position = AnyPosition::start(Variant::Normal);
        let request = Request { salt: what, seed: owner, ..Request::of(position) };
        self.pool.start(job, Box::new(request), terms, Source::of(owner));
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
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(end) = queue.borrow_mut().pop_front() {
                return end;
            }
            match self.woken.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) => panic!("nothing of that kind happened in {PATIENCE:?}"),
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
                SearchEvent::Report(_) => {}
                SearchEvent::Done(done) => self.ended.borrow_mut().push_back((job, done)),
                SearchEvent::Refused(shortage) => self.refused.borrow_mut().push_back((job, shortage)),
                SearchEvent::Failed => self.failed.borrow_mut().push_back(job),
            }
        }
    }
}

pub(super) fn terms(class: Class, maximum: Option<u64>) -> Terms {
    let allotment = maximum.map(|milliseconds| {
        let maximum = Duration::from_millis(milliseconds);
        Allotment { optimum: maximum / 2, maximum, exact: false }
    });
    Terms { class, since: Instant::now(), allotment, timebase: Timebase::Wall, limits: None }
}

pub(super) fn act(request: &Request, gate: &mut dyn Gate) -> Done {
    assert_ne!(request.salt, PANICS, "this panic is part of a test");
    let mut polls = 0;
    while gate.poll(polls) == Verdict::Continue && request.salt != SHORT {
        polls += 1;
        std::hint::spin_loop();
    }
    Done { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes: polls, elapsed: gate.elapsed() }
}

#[test]
fn a_clock_search_ends_although_analyses_hold_every_token() {
    let stand = Stand::new(1, 8);
    for owner in 1..=8 {
        stand.start(owner, ENDLESS, Class::Analysis, None);
    }
    let clock = stand.start(9, SHORT, Class::Clock, None);
    assert_eq!(stand.done(), clock);
    assert_eq!(stand.pool.searches(), 8);
}

#[test]
fn at_its_maximum_a_search_ends_running_or_not() {
    let stand = Stand::new(1, 4);
    stand.start(1, ENDLESS, Class::Analysis, Some(600));
    stand.start(2, ENDLESS, Class::Clock, Some(300));
    // This one takes the token from the first and keeps it.
    stand.start(3, ENDLESS, Class::Clock, None);
    stand.start(4, ENDLESS, Class::Clock, Some(1_000_000));
    let ended = BTreeSet::from([stand.done().owner, stand.done().owner]);
    assert_eq!((ended, stand.pool.searches()), (BTreeSet::from([1, 2]), 2));
}

#[test]
fn a_stopped_search_frees_its_token_and_says_no_more() {
    let stand = Stand::new(1, 4);
    let first = stand.start(1, ENDLESS, Class::Clock, None);
    let second = stand.start(2, ENDLESS, Class::Clock, None);
    stand.start(3, SHORT, Class::Analysis, None);
    stand.pool.stop(first);
    stand.pool.stop(second);
    assert_eq!(stand.done().owner, 3);
    assert_eq!(stand.pool.searches(), 0);
}

#[test]
fn one_search_too_many_is_refused_and_others_do_not_notice() {
    let stand = Stand::new(1, 2);
    let first = stand.start(1, ENDLESS, Class::Analysis, None);
    stand.start(2, ENDLESS, Class::Analysis, None);
    let third = stand.start(3, ENDLESS, Class::Analysis, None);
    let clock = stand.start(4, SHORT, Class::Clock, None);
    assert_eq!(stand.done(), clock);
    assert_eq!((stand.refused(), stand.pool.searches()), ((third, Shortage::Searches(2)), 2));
    // It leaves nothing behind that its owner would have to stop.
    stand.pool.stop(first);
    let again = stand.start(3, SHORT, Class::Analysis, None);
    assert_eq!((stand.done(), stand.refused.take().len()), (again, 0));
}

#[test]
fn a_ponder_hit_gives_a_search_an_end() {
    let stand = Stand::new(1, 4);
    let ponder = stand.start(1, ENDLESS, Class::Analysis, None);
    stand.start(2, ENDLESS, Class::Analysis, None);
    stand.pool.retime(ponder, terms(Class::Clock, Some(100)));
    assert_eq!(stand.done(), ponder);
}

#[test]
fn a_panic_ends_one_search_only() {
    let stand = Stand::new(1, 4);
    for owner in 1..=3 {
        let job = stand.start(owner, PANICS, Class::Clock, None);
        assert_eq!(stand.failed(), job);
    }
    let job = stand.start(4, SHORT, Class::Clock, None);
    assert_eq!(stand.done(), job);
    assert_eq!(stand.pool.searches(), 0);
}

#[test]
fn no_more_run_than_there_are_tokens() {
    let running = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let (counter, highest) = (Arc::clone(&running), Arc::clone(&most));
    let stand = Stand::with(2, 16, move |_, gate, _| {
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
        stand.start(owner, ENDLESS, class, Some(400 + 40 * owner));
    }
    let ended: BTreeSet<u64> = (0..12).map(|_| stand.done().owner).collect();
    assert_eq!(ended.len(), 12);
    assert!(most.load(Ordering::SeqCst) <= 2);
}

#[test]
fn a_dropped_pool_leaves_no_thread() {
    let stand = Stand::new(2, 20);
    for owner in 1..=20 {
        stand.start(owner, ENDLESS, Class::Analysis, None);
    }
    let Stand { pool, woken, mailbox, .. } = stand;
    drop(pool);
    drop(mailbox);
    // The sender of this channel lived in the mailbox, and that in the threads.
    assert_eq!(woken.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));
}
