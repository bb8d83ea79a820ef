//! The threads that search, and obey the scheduler.

use super::job::{Job, WorkerGate};
use super::scheduler::{Order, Scheduler};
use super::{JobId, Mailbox, Terms};
use crate::search::{Done, Gate, Report, Request, Score, Table, search};
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
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

/// Bytes of a worker's stack. A search needs some kilobytes for each ply, of which there are at most
/// [`crate::search::MAX_PLY`]; what is not touched costs no memory.
const STACK: usize = 2 << 20;

/// How big a pool is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Run tokens: how many search at one time. At least 1; the number of cores is right.
    pub workers: usize,
    /// How many searches of each class may be started and not ended, so have a thread; further ones wait.
    pub searches: usize,
    /// Added to the niceness of the searching threads (0 to 19), so that whoever feeds them goes first.
    pub niceness: i32,
}

/// Searches, and the threads they run on.
///
/// Every method returns at once. Dropping the pool stops all searches and waits for their threads.
pub struct Pool {
    shared: Arc<Shared>,
}

/// What the threads of a pool share.
pub(super) struct Shared {
    state: Mutex<State>,
    /// A search was put into `starting`, or the pool closes.
    work: Condvar,
    search: Box<SearchFn>,
    mailbox: Arc<Mailbox>,
    niceness: i32,
}

struct State {
    scheduler: Scheduler,
    jobs: HashMap<JobId, Arc<Job>>,
    /// Granted for the first time, and not yet taken by a thread.
    starting: VecDeque<Arc<Job>>,
    threads: Vec<JoinHandle<()>>,
    /// Threads that wait for work or are about to. At least as many as there is in `starting`.
    idle: usize,
    closing: bool,
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
            threads: Vec::new(),
            idle: 0,
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
        self.shared.obey(&mut state, |scheduler, now, orders| scheduler.depart(id, now, orders));
    }

    /// How many searches were started and have not ended.
    pub fn searches(&self) -> usize {
        self.shared.lock().jobs.len()
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
            std::mem::take(&mut state.threads)
        };
        self.shared.work.notify_all();
        for thread in threads {
            if thread.join().is_err() {
                log::error!("a search thread ended by a panic outside of a search");
            }
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search gives its token back; if nobody goes before it, it is granted another slice at once.
    pub(super) fn give_back(self: &Arc<Shared>, id: JobId) {
        self.obey(&mut self.lock(), |scheduler, now, orders| scheduler.give_back(id, now, orders));
    }

    /// Tells the scheduler something and carries out what it orders.
    fn obey(
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

    /// Gives a search that has not run yet to a thread.
    fn hand_over(self: &Arc<Shared>, state: &mut State, job: Arc<Job>) {
        if state.idle <= state.starting.len() {
            let shared = Arc::clone(self);
            let name = format!("search-{}", state.threads.len());
            match std::thread::Builder::new().name(name).stack_size(STACK).spawn(move || shared.work()) {
                Ok(thread) => {
                    state.threads.push(thread);
                    state.idle += 1;
                }
                Err(error) => {
                    log::error!("a search ends before it began, as no thread can be had: {error}");
                    self.ended(state, &job, NOTHING_FOUND);
                    return;
                }
            }
        }
        state.starting.push_back(job);
        self.work.notify_one();
    }

    /// What a thread does all its life.
    fn work(self: Arc<Shared>) {
        step_back(self.niceness);
        while let Some(job) = self.next_job() {
            let done = if job.is_stopped() { NOTHING_FOUND } else { self.run(&job) };
            let mut state = self.lock();
            // Before anything is handed over: this thread may be the one to take it.
            state.idle += 1;
            self.ended(&mut state, &job, done);
            self.obey(&mut state, |_, _, _| {});
        }
    }

    fn next_job(&self) -> Option<Arc<Job>> {
        let mut state = self.lock();
        loop {
            if state.closing {
                return None;
            }
            if let Some(job) = state.starting.pop_front() {
                state.idle -= 1;
                return Some(job);
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn run(self: &Arc<Shared>, job: &Job) -> Done {
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
    fn ended(&self, state: &mut State, job: &Job, done: Done) {
        if job.is_stopped() {
            return;
        }
        state.jobs.remove(&job.id);
        state.scheduler.depart(job.id, Instant::now(), &mut state.orders);
        self.mailbox.done(job.id, done);
    }
}

/// The result of a search that found nothing because it could not.
const NOTHING_FOUND: Done = Done { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes: 0 };

/// Lets other threads of the process go before this one when cores are short.
fn step_back(niceness: i32) {
    if niceness <= 0 {
        return;
    }
    let thread = Some(rustix::thread::gettid());
    if let Err(error) = rustix::process::setpriority_process(thread, niceness) {
        log::debug!("a search thread keeps its priority: {error}");
    }
}
