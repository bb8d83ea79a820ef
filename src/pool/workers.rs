//! The pool: carries out what the scheduler orders.

use super::job::{Job, WorkerGate};
use super::scheduler::{Order, Scheduler};
use super::threads::{Threads, join};
use super::{JobId, Mailbox, Terms};
use crate::search::{Done, Gate, Report, Request, Score, Table, search};
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How a search is done: the engine, or a stand-in in tests. Called on many threads at once.
pub type SearchFn = dyn Fn(&Request, &mut dyn Gate, &mut dyn FnMut(Report)) -> Done + Send + Sync;

/// The engine, with one table for all searches.
pub fn engine(table: Table) -> Box<SearchFn> {
    Box::new(move |request, gate, reports| search(request, &table, gate, reports))
}

/// Time a search runs before the scheduler looks for a better candidate. Much shorter would thrash the
/// caches, longer would be felt as a pause by those that wait.
const SLICE: Duration = Duration::from_millis(10);

/// How big a pool is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Run tokens: how many search at one time. At least 1; the number of cores is right.
    pub workers: usize,
    /// How many searches of each class may be started and not ended, so have a thread; further ones wait.
    /// So there are at most twice as many threads, and a few to spare besides one for each token.
    pub searches: usize,
    /// Added to the niceness of the searching threads (0 to 19), so that whoever feeds them goes first.
    pub niceness: i32,
}

/// Searches, and the threads they run on.
///
/// Every method returns at once. Dropping the pool stops all searches and waits for their threads.
pub struct Pool {
    pub(super) shared: Arc<Shared>,
}

/// What the threads of a pool share.
pub(super) struct Shared {
    state: Mutex<State>,
    /// A search was put into `starting`, or the pool closes.
    pub(super) work: Condvar,
    search: Box<SearchFn>,
    mailbox: Arc<Mailbox>,
    pub(super) niceness: i32,
}

pub(super) struct State {
    pub(super) scheduler: Scheduler,
    jobs: HashMap<JobId, Arc<Job>>,
    /// Granted for the first time, not yet taken by a thread, and not stopped.
    pub(super) starting: VecDeque<Arc<Job>>,
    pub(super) threads: Threads,
    pub(super) closing: bool,
    /// Kept between calls to save allocations.
    orders: Vec<Order>,
}

impl Pool {
    /// A pool that searches with `search` and puts what is said into `mailbox`. Threads come with the
    /// first searches.
    pub fn new(size: Size, search: Box<SearchFn>, mailbox: Arc<Mailbox>) -> Pool {
        let state = State {
            scheduler: Scheduler::new(size.workers, size.searches, SLICE),
            jobs: HashMap::new(),
            starting: VecDeque::new(),
            threads: Threads::new(size.workers),
            closing: false,
            orders: Vec::new(),
        };
        let (state, work, niceness) = (Mutex::new(state), Condvar::new(), size.niceness);
        Pool { shared: Arc::new(Shared { state, work, search, mailbox, niceness }) }
    }

    /// Starts a search. Its events go into the mailbox under this name; the last is its end.
    /// A name that is in use is a mistake of the caller: logged, and nothing is started.
    pub fn start(&self, id: JobId, request: Box<Request>, terms: Terms) {
        let mut state = self.shared.lock();
        if state.jobs.contains_key(&id) {
            log::error!("{id:?} was started twice");
            return;
        }
        state.jobs.insert(id, Arc::new(Job::new(id, request, terms)));
        self.shared.obey(&mut state, |scheduler, now, orders| {
            scheduler.arrive(id, terms.class, terms.deadline(), now, orders);
        });
    }

    /// Changes the terms of a search, wherever it is: a ponder hit. One that has ended is ignored.
    pub fn retime(&self, id: JobId, terms: Terms) {
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.get(&id) else { return };
        job.retime(terms);
        self.shared.obey(&mut state, |scheduler, now, orders| {
            scheduler.reclass(id, terms.class, terms.deadline(), now, orders);
        });
    }

    /// Stops a search. Its token is free at once; it says no more, though what it has said may still be
    /// in the mailbox. One that has ended is ignored.
    pub fn stop(&self, id: JobId) {
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.remove(&id) else { return };
        job.stop();
        // A thread would only find that there is nothing to do, and its place is wanted by others.
        state.starting.retain(|other| other.id != id);
        self.shared.obey(&mut state, |scheduler, now, orders| scheduler.depart(id, now, orders));
    }

    /// How many searches were started and have not ended.
    pub fn searches(&self) -> usize {
        self.shared.lock().jobs.len()
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.shared.lock().threads.len()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let threads = {
            let mut state = self.shared.lock();
            state.closing = true;
            state.starting.clear();
            state.jobs.values().for_each(|job| job.stop());
            state.jobs.clear();
            state.threads.take_all()
        };
        self.shared.work.notify_all();
        join(threads);
    }
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search gives its token back; if nobody goes before it, it is granted another slice at once.
    pub(super) fn give_back(self: &Arc<Shared>, id: JobId) {
        self.obey(&mut self.lock(), |scheduler, now, orders| scheduler.give_back(id, now, orders));
    }

    /// Tells the scheduler something and carries out what it orders.
    pub(super) fn obey(
        self: &Arc<Shared>,
        state: &mut State,
        tell: impl FnOnce(&mut Scheduler, Instant, &mut Vec<Order>),
    ) {
        tell(&mut state.scheduler, Instant::now(), &mut state.orders);
        while !state.orders.is_empty() {
            for order in std::mem::take(&mut state.orders) {
                self.carry_out(state, order);
            }
        }
        #[cfg(debug_assertions)]
        state.check_invariants();
    }

    fn carry_out(self: &Arc<Shared>, state: &mut State, order: Order) {
        match order {
            Order::Grant { job, until, first } => {
                let Some(job) = state.jobs.get(&job).cloned() else { return };
                job.grant(until);
                if first {
                    self.hand_over(state, job);
                }
            }
            Order::Revoke { job } => {
                if let Some(job) = state.jobs.get(&job) {
                    job.revoke();
                }
            }
        }
    }

    pub(super) fn run(self: &Arc<Shared>, job: &Job) -> Done {
        let mut gate = WorkerGate { shared: self, job };
        let mut reports = |report| {
            if !job.is_stopped() {
                self.mailbox.report(job.id, report);
            }
        };
        // A defect of the engine costs one search, not the games of everybody else.
        let search = AssertUnwindSafe(|| (self.search)(&job.request, &mut gate, &mut reports));
        catch_unwind(search).unwrap_or_else(|_| {
            log::error!("{:?} ended by a panic; its session plays on without a result", job.id);
            NOTHING_FOUND
        })
    }

    /// A search has ended by itself or could not begin: its token is free, its owner hears of it.
    pub(super) fn ended(&self, state: &mut State, job: &Job, done: Done) {
        if job.is_stopped() {
            return;
        }
        state.jobs.remove(&job.id);
        state.scheduler.depart(job.id, Instant::now(), &mut state.orders);
        self.mailbox.done(job.id, done);
    }
}

/// The result of a search that found nothing because it could not.
pub(super) const NOTHING_FOUND: Done =
    Done { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes: 0 };
