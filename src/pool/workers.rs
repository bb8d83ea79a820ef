//! The pool: carries out what the scheduler orders.

use super::job::{Job, WorkerGate};
use super::scheduler::{Claim, Order, Refusal, Scheduler};
use super::sync::{Arc, Mutex, MutexGuard, PoisonError, now};
use super::threads::{Threads, join};
use super::{JobId, Mailbox, SearchOrder, Shortage, Source, Terms};
use crate::search::{Contexts, Done, Gate, Report, Request, Score, Table, search_in};
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How a search is done: the engine, or a stand-in in tests. Called on many threads at once.
pub type SearchFn = dyn Fn(&Request, &mut dyn Gate, &mut dyn FnMut(Report)) -> Done + Send + Sync;

/// The engine, with one table for all searches, whose pages are fetched when the first of them begins, if they are not yet.
pub fn engine(table: impl Into<Arc<Table>>) -> Box<SearchFn> {
    let (table, contexts) = (table.into(), Contexts::default());
    Box::new(move |request, gate, reports| {
        table.fetch_pages();
        search_in(&contexts, request, &table, gate, reports)
    })
}

/// How big a pool is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Run tokens: how many search at one time. At least 1; the number of cores is right.
    pub workers: usize,
    /// How many searches of each class there may be; further ones are refused. There are at most as many threads
    /// as searches, and a few to spare besides one for each token.
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
    search: Box<SearchFn>,
    mailbox: Arc<Mailbox>,
    pub(super) niceness: i32,
}

pub(super) struct State {
    pub(super) scheduler: Scheduler,
    pub(super) jobs: HashMap<JobId, Arc<Job>>,
    /// Granted for the first time, not yet taken by a thread, and not stopped.
    pub(super) starting: VecDeque<Arc<Job>>,
    pub(super) threads: Threads,
    pub(super) closing: bool,
    /// Kept between calls to save allocations.
    pub(super) orders: Vec<Order>,
}

impl Pool {
    /// A pool that searches with `search` and puts what is said into `mailbox`. Threads come with the
    /// first searches.
    pub fn new(size: Size, search: Box<SearchFn>, mailbox: Arc<Mailbox>) -> Pool {
        let state = State {
            scheduler: Scheduler::new(size.workers, size.searches),
            jobs: HashMap::new(),
            starting: VecDeque::new(),
            threads: Threads::new(size.workers),
            closing: false,
            orders: Vec::new(),
        };
        let (state, niceness) = (Mutex::new(state), size.niceness);
        Pool { shared: Arc::new(Shared { state, search, mailbox, niceness }) }
    }

    /// Starts a search, which has the share of this source. Its events go into the mailbox under this name; the last is its
    /// end, or that it was refused.
    /// A name that is in use is a mistake of the caller: logged, and nothing is started.
    pub fn start(&self, id: JobId, request: Box<Request>, terms: Terms, source: Source) {
        let mut state = self.shared.lock();
        if state.jobs.contains_key(&id) {
            log::error!("{id:?} was started twice");
            return;
        }
        let job = Arc::new(Job::new(id, request, terms));
        state.jobs.insert(id, Arc::clone(&job));
        let mut admitted = Ok(());
        self.shared.obey(&mut state, |scheduler, now, orders| {
            admitted = scheduler.arrive(id, source, Claim::from(&terms), now, orders);
        });
        if let Err(Refusal::Full(count)) = admitted {
            state.jobs.remove(&id);
            self.shared.mailbox.refuse(id, Shortage::Searches(count));
        } else if state.jobs.contains_key(&id) {
            // It was not refused at once for want of a thread.
            self.shared.start_helpers(&mut state, &job, source);
        }
    }

    /// Changes the terms of a search, wherever it is: a ponder hit. One that has ended is ignored.
    pub fn retime(&self, id: JobId, terms: Terms) {
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.get(&id) else { return };
        job.retime(terms);
        self.shared.obey(&mut state, |scheduler, now, orders| {
            scheduler.reclass(id, Claim::from(&terms), now, orders);
        });
    }

    /// Suspends a search where it stands: it gives its token back at its next poll, and until
    /// [`Pool::resume`] it gets none and does not end by its maximum. It may be retimed and stopped as any
    /// other. What it said before may still be in the mailbox, its end too. One that has ended is ignored.
    ///
    /// It keeps its thread and its place among those of its class.
    pub fn hold(&self, id: JobId) {
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.get(&id).cloned() else { return };
        job.hold();
        self.shared.obey(&mut state, |scheduler, now, orders| scheduler.hold(id, now, orders));
        self.shared.hold_helpers(&mut state, &job);
    }

    /// Lets a suspended search go on where it stands, on these terms; `since` must have been moved by what it
    /// was held. Elapsed time is without that. One that is not held only gets the terms, one that has ended
    /// is ignored.
    pub fn resume(&self, id: JobId, terms: Terms) {
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.get(&id).cloned() else { return };
        job.resume(terms);
        self.shared.obey(&mut state, |scheduler, now, orders| {
            scheduler.resume(id, Claim::from(&terms), now, orders);
        });
        self.shared.resume_helpers(&mut state, &job);
    }

    /// Stops a search. Its token is free at once; it says no more, though what it has said may still be
    /// in the mailbox. One that has ended is ignored.
    pub fn stop(&self, id: JobId) {
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.remove(&id) else { return };
        job.stop();
        // A thread would only find that there is nothing to do, and its place is wanted by others.
        state.starting.retain(|other| other.id != id);
        self.shared.stop_helpers(&mut state, &job);
        self.shared.obey(&mut state, |scheduler, now, orders| scheduler.depart(id, now, orders));
    }

    /// Does what is ordered of this search.
    pub fn order(&self, id: JobId, order: SearchOrder, source: Source) {
        match order {
            SearchOrder::Start(request, terms) => self.start(id, request, terms, source),
            SearchOrder::Retime(terms) => self.retime(id, terms),
            SearchOrder::Hold => self.hold(id),
            SearchOrder::Resume(terms) => self.resume(id, terms),
            SearchOrder::Stop => self.stop(id),
        }
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
            state.threads.wake_all();
            state.threads.take_all()
        };
        join(threads);
    }
}

/// What the thread that carries out orders does when it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// It goes on: whoever is to search wakes wherever the system has it wake.
    GoesOn,
    /// It sleeps, and leaves its core to the next who is to search.
    Sleeps,
    /// It takes the first search that is to begin.
    Begins,
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search gives its token back; if nobody goes before it, it is granted another slice at once.
    pub(super) fn give_back(self: &Arc<Shared>, id: JobId) {
        let mut state = self.lock();
        let State { scheduler, orders, .. } = &mut *state;
        scheduler.give_back(id, now(), orders);
        let again = orders.iter().any(|order| matches!(order, Order::Grant { job, .. } if *job == id));
        self.carry_out_all(&mut state, if again { Next::GoesOn } else { Next::Sleeps });
    }

    /// Tells the scheduler something and carries out what it orders.
    pub(super) fn obey(
        self: &Arc<Shared>,
        state: &mut State,
        tell: impl FnOnce(&mut Scheduler, Instant, &mut Vec<Order>),
    ) {
        tell(&mut state.scheduler, now(), &mut state.orders);
        self.carry_out_all(state, Next::GoesOn);
    }

    /// Carries out what has been ordered.
    pub(super) fn carry_out_all(self: &Arc<Shared>, state: &mut State, mut next: Next) {
        while !state.orders.is_empty() {
            for order in std::mem::take(&mut state.orders) {
                self.carry_out(state, order, &mut next);
            }
        }
        #[cfg(debug_assertions)]
        state.check_invariants();
    }

    fn carry_out(self: &Arc<Shared>, state: &mut State, order: Order, next: &mut Next) {
        match order {
            Order::Grant { job, until, first, brief } => {
                let Some(job) = state.jobs.get(&job).cloned() else { return };
                if *next == Next::Sleeps && !first {
                    *next = Next::GoesOn;
                    job.offer_seat();
                }
                job.grant(until, brief);
                if first {
                    self.hand_over(state, job, std::mem::replace(next, Next::GoesOn));
                }
            }
            Order::Revoke { job } => {
                if let Some(job) = state.jobs.get(&job) {
                    job.revoke();
                }
            }
        }
    }

    /// Has a search done by the calling thread.
    pub(super) fn run(self: &Arc<Shared>, job: &Job) -> Outcome {
        let mut gate = WorkerGate::open(self, job);
        let mut reports = |report: Report| {
            if matches!(report, Report::Info(_)) {
                job.shows();
            }
            if !job.is_stopped() && !job.id.is_helper() {
                self.mailbox.report(job.id, report.with_more(job.helped()));
            }
        };
        // A defect of the engine costs one search, not the games of everybody else.
        let search = AssertUnwindSafe(|| (self.search)(&job.request, &mut gate, &mut reports));
        match catch_unwind(search) {
            Ok(done) => Outcome::Done(done),
            Err(_) => {
                log::error!("{:?} ended by a panic; its session plays on without a result", job.id);
                Outcome::Failed
            }
        }
    }

    /// A search has ended by itself or could not begin: its token is free, its owner hears of it.
    pub(super) fn ended(&self, state: &mut State, job: &Job, outcome: Outcome) {
        if job.is_stopped() {
            return;
        }
        state.jobs.remove(&job.id);
        state.scheduler.depart(job.id, now(), &mut state.orders);
        self.stop_helpers(state, job);
        if job.id.is_helper() {
            return;
        }
        match outcome {
            Outcome::Done(done) => {
                let nodes = done.nodes.saturating_add(job.helped());
                self.mailbox.done(job.id, Done { nodes, ..done });
            }
            Outcome::Failed => self.mailbox.fail(job.id),
            Outcome::Refused(shortage) => self.mailbox.refuse(job.id, shortage),
        }
    }
}

/// What has become of a search.
pub(super) enum Outcome {
    Done(Done),
    /// It panicked.
    Failed,
    /// It did not begin.
    Refused(Shortage),
}

/// The result of a search that was stopped before it began.
pub(super) const NOTHING_FOUND: Outcome = Outcome::Done(Done {
    best: None,
    ponder: None,
    score: Score::DRAW,
    depth: 0,
    nodes: 0,
    elapsed: Duration::ZERO,
});
