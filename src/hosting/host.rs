//! One engine of the configuration: its processes, and who has them.

use super::EngineSpec;
use super::failure::Failure;
use super::health::Health;
use super::hosted_search::HostedSearch;
use super::lender::{Borrower, Lender, Loan, State, Ticket};
use super::running_engine::{RunningEngine, Stage};
use super::spawner::Spawner;
use crate::metrics::Counter;
use crate::search::{Done, ExternalEngine, Gate, Report, Request};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How long an engine may take to say its name, if its patience is not less. A start of the server waits for that.
const INTRODUCTION: Duration = Duration::from_secs(5);
/// How long to listen at a time to an engine that is to say its name.
const LISTENING: Duration = Duration::from_millis(50);
/// The longest name in characters.
const LONGEST_NAME: usize = 60;

/// An engine that is lent to searches.
#[derive(Debug)]
pub struct Host {
    pub(super) spec: EngineSpec,
    spawner: Arc<Spawner>,
    /// Failures of the engine of this name since the server started.
    failures: Arc<Counter>,
    inner: Mutex<Inner>,
    /// A process has become free.
    freed: Condvar,
    tickets: AtomicU64,
    /// What the engine calls itself, once it has been asked.
    name: OnceLock<Option<String>>,
}

#[derive(Debug)]
struct Inner {
    lender: Lender,
    /// Those that are not lent.
    engines: Vec<Option<RunningEngine>>,
    /// The process of each, lent or not.
    ids: Vec<Option<u32>>,
    health: Health,
    /// Searches since then that ours did for lack of time.
    late: u64,
    /// Searches that were begun and have not ended, and how many of them are for games.
    searches: usize,
    games: usize,
    /// How long it takes from a process to the first variation of a search that begins on it, on the average of late.
    first_word: Duration,
    /// Its options were compared with those of the configuration.
    options_checked: bool,
}

/// A process that was borrowed.
pub(super) struct Borrowed {
    /// Its place.
    pub process: usize,
    /// `None` if it is to be started.
    pub engine: Option<RunningEngine>,
    pub loan: LoanKind,
}

/// What a borrowed process does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LoanKind {
    /// It is in the middle of the borrower's search.
    Resumed,
    /// It may be searching for somebody else, and has no table that the borrower may not see.
    Clear,
    /// It may be searching for somebody else, and its table must be cleared.
    ToClear,
}

/// A process as administrators see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProcessRow {
    /// The engine's name in the configuration.
    pub engine: String,
    /// The process id.
    pub process: u32,
    /// What it does: `searching`, `suspended` in the middle of a search, or `idle`.
    pub state: String,
    /// Its resident memory in bytes; none where the system does not tell.
    pub memory: Option<u64>,
    /// Failures of the engine since the server started.
    pub failures: u64,
    /// Searches since then that ours did, since the engine would have been too late.
    #[serde(default)]
    pub late: u64,
}

/// What an engine has said of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TriedEngine {
    /// Its own name.
    pub name: String,
    /// The options of the configuration that it does not have.
    pub unknown_options: Vec<String>,
}

/// How long a process on trial is listened to at a time; how long it may take in all is its patience.
const TRIAL_STEP: Duration = Duration::from_millis(100);

impl Host {
    pub(super) fn new(spec: EngineSpec, spawner: Arc<Spawner>, failures: Arc<Counter>) -> Host {
        let count = spec.processes.max(1);
        let inner = Inner {
            lender: Lender::new(count, spec.share_table),
            engines: (0..count).map(|_| None).collect(),
            ids: vec![None; count],
            health: Health::default(),
            late: 0,
            searches: 0,
            games: 0,
            first_word: Duration::ZERO,
            options_checked: false,
        };
        Host {
            spec,
            spawner,
            failures,
            inner: Mutex::new(inner),
            freed: Condvar::new(),
            tickets: AtomicU64::new(0),
            name: OnceLock::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The engine's own name. The first call starts a process to ask for it: that takes as long as the engine takes to start, up
    /// to five seconds. `None` if it does not answer; then a search will find out what is wrong.
    pub fn introduction(&self) -> Option<String> {
        self.name.get_or_init(|| self.ask_name()).clone()
    }

    fn ask_name(&self) -> Option<String> {
        let mut engine = RunningEngine::start(&self.spec, &self.spawner).ok()?;
        let until = Instant::now() + INTRODUCTION.min(self.spec.patience);
        let mut greeted = engine.greet().is_ok();
        while greeted && engine.stage() == Stage::Greeting && Instant::now() < until {
            greeted = engine.settle(LISTENING, &self.spec).is_ok();
        }
        let name = engine.tongue.name().filter(|_| greeted).map(plain_name);
        name.filter(|name| !name.is_empty())
    }

    /// A search begins, for a game or not. Returns a number for it.
    pub(super) fn begin(&self, game: bool) -> Ticket {
        let mut inner = self.lock();
        inner.searches += 1;
        inner.games += usize::from(game);
        Ticket(self.tickets.fetch_add(1, Ordering::Relaxed))
    }

    /// A search has ended. It holds no process, but may have parked one.
    pub(super) fn end(&self, who: Borrower) {
        let mut inner = self.lock();
        inner.searches -= 1;
        inner.games -= usize::from(who.game);
        inner.lender.give_back(who.ticket);
    }

    /// Whether there are more searches than processes, so that a parked process would be taken by another search. Those of
    /// games are taken by games only, as long as there are others.
    pub(super) fn is_crowded(&self, game: bool) -> bool {
        let inner = self.lock();
        let rivals = if game { inner.games } else { inner.searches };
        rivals > inner.engines.len()
    }

    /// How long it takes from a process to the first variation of a search that begins on it, on the average of late.
    pub(super) fn first_word(&self) -> Duration {
        self.lock().first_word
    }

    /// A search has got a process, and has heard of it after this time.
    pub(super) fn note_first_word(&self, took: Duration) {
        let mut inner = self.lock();
        inner.first_word = (inner.first_word * 7 + took) / 8;
    }

    /// A search has not begun since the average was too long. Nobody would learn that it has become shorter.
    pub(super) fn was_too_late(&self) {
        let mut inner = self.lock();
        inner.first_word = inner.first_word * 15 / 16;
    }

    /// Ours does a search, since the engine would be too late.
    pub(super) fn came_too_late(&self) {
        self.lock().late += 1;
    }

    /// Whether the engine may be asked.
    pub(super) fn is_asked(&self) -> bool {
        self.lock().health.is_asked(Instant::now())
    }

    /// Lends a process; `None` if all search.
    pub(super) fn borrow(&self, who: Borrower) -> Option<Borrowed> {
        let mut inner = self.lock();
        let (process, loan) = match inner.lender.borrow(who) {
            Loan::Wait => return None,
            Loan::Start(process) => (process, LoanKind::Clear),
            Loan::Resume(process) => (process, LoanKind::Resumed),
            Loan::Lend { process, clear: true } => (process, LoanKind::ToClear),
            Loan::Lend { process, clear: false } => (process, LoanKind::Clear),
        };
        Some(Borrowed { process, engine: inner.engines[process].take(), loan })
    }

    /// Waits until a process may have become free.
    pub(super) fn wait(&self, most: Duration) {
        drop(self.freed.wait_timeout(self.lock(), most));
    }

    /// Starts a process in a place that was lent.
    pub(super) fn start(&self, process: usize) -> Result<RunningEngine, Failure> {
        let engine = RunningEngine::start(&self.spec, &self.spawner)?;
        self.lock().ids[process] = Some(engine.id());
        Ok(engine)
    }

    /// Starts a process once, has it set up, and ends it: whether the engine can be used.
    ///
    /// # Errors
    /// It cannot: why.
    pub fn try_out(&self) -> Result<TriedEngine, String> {
        let greeted = || {
            let mut engine = RunningEngine::start(&self.spec, &self.spawner)?;
            engine.greet()?;
            while !engine.settle(TRIAL_STEP, &self.spec)? {}
            Ok(engine)
        };
        let engine = greeted().map_err(|failure: Failure| failure.to_string())?;
        // It need not be asked again.
        let _ = self.name.set(engine.tongue.name().map(plain_name).filter(|name| !name.is_empty()));
        let name = engine.tongue.name().unwrap_or("an engine without a name").to_owned();
        let unknown = engine.tongue.unknown_options(&self.spec);
        Ok(TriedEngine { name, unknown_options: unknown.into_iter().map(str::to_owned).collect() })
    }

    /// A process has been greeted for the first time: says which options of the configuration it does not have.
    pub(super) fn check_options(&self, engine: &RunningEngine) {
        if std::mem::replace(&mut self.lock().options_checked, true) {
            return;
        }
        let name = engine.tongue.name().unwrap_or("an engine without a name");
        log::info!("[engine.{}] is {name}", self.spec.name);
        for option in engine.tongue.unknown_options(&self.spec) {
            log::warn!("[engine.{}]: it has no option {option:?}; take it away", self.spec.name);
        }
    }

    /// A search gives its token back in the middle; its process is suspended.
    pub(super) fn park(&self, process: usize, engine: RunningEngine, who: Borrower) {
        let mut inner = self.lock();
        inner.engines[process] = Some(engine);
        inner.lender.park(process, who);
        drop(inner);
        self.freed.notify_one();
    }

    /// A search has ended. Its process may still be searching, suspended, for nobody.
    pub(super) fn give_back(&self, process: usize, engine: RunningEngine, ticket: Ticket) {
        let mut inner = self.lock();
        inner.engines[process] = Some(engine);
        inner.lender.give_back(ticket);
        drop(inner);
        self.freed.notify_one();
    }

    /// A process has ended, or is about to be replaced.
    pub(super) fn lost(&self, process: usize) {
        let mut inner = self.lock();
        inner.lender.lost(process);
        inner.ids[process] = None;
        drop(inner);
        self.freed.notify_one();
    }

    /// The engine has failed. It gets no nearer to a rest if the search has counted a failure before: a position in which it
    /// crashes would take it from everybody. Returns whether it is not asked for a while.
    pub(super) fn failed(&self, failure: &Failure, counts: bool) -> bool {
        self.failures.add(1);
        let mut inner = self.lock();
        let (name, now) = (&self.spec.name, Instant::now());
        let rest = if counts { inner.health.failed(now) } else { None };
        if let Some(rest) = rest {
            let seconds = rest.as_secs();
            log::error!(
                "[engine.{name}] has failed again ({failure}) and is not used for {seconds} s; Farboard's own engine plays instead"
            );
            return true;
        }
        log::warn!("[engine.{name}] has failed: {failure}. Its process is replaced");
        !inner.health.is_asked(now)
    }

    /// The engine has done a search.
    pub(super) fn succeeded(&self) {
        self.lock().health.succeeded(Instant::now());
    }

    /// What its processes do.
    pub(super) fn rows(&self) -> Vec<ProcessRow> {
        let inner = self.lock();
        let rows = inner.ids.iter().zip(inner.lender.states()).filter_map(|(id, state)| {
            let process = (*id)?;
            let state = match state {
                State::Vacant | State::Idle => "idle",
                State::Lent(_) => "searching",
                State::Parked(..) => "suspended",
            };
            Some(ProcessRow {
                engine: self.spec.name.clone(),
                process,
                state: state.to_owned(),
                memory: None,
                failures: self.failures.get(),
                late: inner.late,
            })
        });
        rows.collect()
    }
}

/// A name in which no protocol's word can hide.
fn plain_name(name: &str) -> String {
    let is_plain = |letter: &char| letter.is_ascii_graphic() && !"\"\\{}".contains(*letter) || *letter == ' ';
    name.chars().filter(is_plain).take(LONGEST_NAME).collect::<String>().trim().to_owned()
}

impl ExternalEngine for Host {
    fn search(
        &self,
        request: &Request,
        gate: &mut dyn Gate,
        reports: &mut dyn FnMut(Report),
    ) -> Option<Done> {
        HostedSearch::new(self, request, gate, reports)?.run()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        // The loop of the server may be the last to let go.
        self.spawner.end(Box::new(std::mem::take(&mut inner.engines)));
    }
}
