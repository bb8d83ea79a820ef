//! One engine of the configuration, and its processes.

use super::EngineSpec;
use super::failure::Failure;
use super::health::Health;
use super::hosted_search::HostedSearch;
use super::lender::{Borrower, Lender, Loan, Priority, ProcessState, Ticket};
use super::running_engine::{RunningEngine, Stage};
use super::spawner::Spawner;
use crate::metrics::Counter;
use crate::search::{Done, ExternalEngine, Gate, Report, Request};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Timeout of an engine's name, if its patience is not less. The start of the
/// server waits for that.
const INTRODUCTION: Duration = Duration::from_secs(5);
/// Time between two checks of the clock while the name is awaited.
const LISTENING: Duration = Duration::from_millis(50);
/// Maximum length of a name in characters.
const LONGEST_NAME: usize = 60;

/// An engine that is lent to searches.
#[derive(Debug)]
pub struct Host {
    pub(super) spec: EngineSpec,
    spawner: Arc<Spawner>,
    /// Failures of the engine of this name since the server started.
    failures: Arc<Counter>,
    inner: Mutex<Inner>,
    /// Signals that a process has become free.
    freed: Condvar,
    tickets: AtomicU64,
    /// The engine's own name, once it has been asked.
    name: OnceLock<Option<String>>,
}

#[derive(Debug)]
struct Inner {
    lender: Lender,
    /// The processes that are not lent.
    engines: Vec<Option<RunningEngine>>,
    /// The process IDs, lent or not.
    ids: Vec<Option<u32>>,
    health: Health,
    /// Searches that the built-in engine took over because this one would have been late.
    late: u64,
    /// Running searches.
    searches: usize,
    /// Running searches for games.
    games: usize,
    /// Time from getting a process to the first variation of a search, a moving average.
    first_variation: Duration,
    /// Whether the configured options were compared with the declared ones.
    options_checked: bool,
}

/// A borrowed process.
pub(super) struct Borrowed {
    /// Its number.
    pub(super) process: usize,
    /// `None` if it is to be started.
    pub(super) engine: Option<RunningEngine>,
    pub(super) loan: Loan,
}

/// A process as administrators see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProcessRow {
    /// The engine's name in the configuration.
    pub engine: String,
    /// The process id.
    pub process: u32,
    /// `searching`, `suspended` in the middle of a search, or `idle`.
    pub state: String,
    /// Its resident memory in bytes, where the system reports it.
    pub memory: Option<u64>,
    /// Failures of the engine since the server started.
    pub failures: u64,
    /// Searches since then that the built-in engine took over because this one would have been
    /// late.
    #[serde(default)]
    pub late: u64,
}

/// The processes of one engine together.
#[derive(Default, Debug)]
pub(crate) struct EngineSummary {
    pub(crate) processes: u64,
    pub(crate) searching: u64,
    pub(crate) suspended: u64,
    /// Their resident memory in bytes, as far as the system reports it.
    pub(crate) memory: u64,
    pub(crate) failures: u64,
    pub(crate) late: u64,
}

impl EngineSummary {
    /// Sums up processes by the name of their engine.
    pub(crate) fn by_engine(rows: &[ProcessRow]) -> BTreeMap<&str, EngineSummary> {
        let mut engines = BTreeMap::<&str, EngineSummary>::new();
        for row in rows {
            let engine = engines.entry(&row.engine).or_default();
            engine.processes += 1;
            engine.searching += u64::from(row.state == "searching");
            engine.suspended += u64::from(row.state == "suspended");
            engine.memory += row.memory.unwrap_or(0);
            (engine.failures, engine.late) = (row.failures, row.late);
        }
        engines
    }
}

/// The announcements of an engine that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TriedEngine {
    /// Its own name.
    pub name: String,
    /// The options of the configuration that it does not have.
    pub unknown_options: Vec<String>,
}

/// Time between two checks of the clock while an engine is tried.
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
            first_variation: Duration::ZERO,
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

    /// Returns the engine's own name. The first call starts a process to ask for it, which takes up
    /// to five seconds. `None` if it does not answer; a search will then report what is wrong.
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
        let name = engine.dialect.name().filter(|_| greeted).map(plain_name);
        name.filter(|name| !name.is_empty())
    }

    /// Registers a search.
    pub(super) fn begin(&self, priority: Priority) -> Ticket {
        let mut inner = self.lock();
        inner.searches += 1;
        inner.games += usize::from(priority == Priority::Game);
        Ticket(self.tickets.fetch_add(1, Ordering::Relaxed))
    }

    /// Unregisters a search, which holds no process but may have parked one.
    pub(super) fn end(&self, who: Borrower) {
        let mut inner = self.lock();
        inner.searches -= 1;
        inner.games -= usize::from(who.priority == Priority::Game);
        inner.lender.give_back(who.ticket);
    }

    /// Returns true if another search would soon take the parked process of one with this priority:
    /// it is not worth parking. Games lose theirs only to games as long as there are others.
    pub(super) fn is_crowded(&self, priority: Priority) -> bool {
        let inner = self.lock();
        let processes = inner.engines.len();
        match priority {
            Priority::Game => inner.games > processes,
            Priority::Analysis => inner.searches > processes,
            // The oldest keeps its process.
            Priority::Depth => false,
        }
    }

    /// Time from getting a process to the first variation of a search, a moving average.
    pub(super) fn first_variation(&self) -> Duration {
        self.lock().first_variation
    }

    /// Records the time from getting a process to the first variation.
    pub(super) fn note_first_variation(&self, took: Duration) {
        let mut inner = self.lock();
        inner.first_variation = (inner.first_variation * 7 + took) / 8;
    }

    /// Lowers the average after a search that did not begin because of it: otherwise no search
    /// would find that it has become shorter.
    pub(super) fn forget_first_variation(&self) {
        let mut inner = self.lock();
        inner.first_variation = inner.first_variation * 15 / 16;
    }

    /// Counts a search that the built-in engine takes over because this one would be late.
    pub(super) fn count_late(&self) {
        self.lock().late += 1;
    }

    /// Returns true if the engine may be used.
    pub(super) fn is_usable(&self) -> bool {
        self.lock().health.is_usable(Instant::now())
    }

    /// Lends a process; `None` if the search must wait.
    pub(super) fn borrow(&self, who: Borrower) -> Option<Borrowed> {
        let mut inner = self.lock();
        let loan = inner.lender.borrow(who);
        let process = match loan {
            Loan::Wait => return None,
            Loan::Start(process) | Loan::Resume(process) | Loan::Lend { process, .. } => process,
        };
        Some(Borrowed { process, engine: inner.engines[process].take(), loan })
    }

    /// Waits until a process may have become free.
    pub(super) fn wait(&self, most: Duration) {
        drop(self.freed.wait_timeout(self.lock(), most));
    }

    /// Starts the process of this number, which was lent.
    pub(super) fn start(&self, process: usize) -> Result<RunningEngine, Failure> {
        let engine = RunningEngine::start(&self.spec, &self.spawner)?;
        self.lock().ids[process] = Some(engine.id());
        Ok(engine)
    }

    /// Starts a process, sets it up and ends it.
    ///
    /// # Errors
    /// The engine cannot be used: why.
    pub fn try_out(&self) -> Result<TriedEngine, String> {
        let greeted = || {
            let mut engine = RunningEngine::start(&self.spec, &self.spawner)?;
            engine.greet()?;
            while !engine.settle(TRIAL_STEP, &self.spec)? {}
            Ok(engine)
        };
        let engine = greeted().map_err(|failure: Failure| failure.to_string())?;
        let _ = self.name.set(engine.dialect.name().map(plain_name).filter(|name| !name.is_empty()));
        let name = engine.dialect.name().unwrap_or("an engine without a name").to_owned();
        let unknown = engine.dialect.unknown_options(&self.spec);
        Ok(TriedEngine { name, unknown_options: unknown.into_iter().map(str::to_owned).collect() })
    }

    /// Logs the configured options that the engine does not have, once.
    pub(super) fn check_options(&self, engine: &RunningEngine) {
        if std::mem::replace(&mut self.lock().options_checked, true) {
            return;
        }
        let name = engine.dialect.name().unwrap_or("an engine without a name");
        log::info!("[engine.{}] is {name}", self.spec.name);
        for option in engine.dialect.unknown_options(&self.spec) {
            log::warn!(
                "[engine.{}] has no option {option:?}: remove it from the configuration",
                self.spec.name
            );
        }
    }

    /// Parks the suspended process of a search that gives its token back.
    pub(super) fn park(&self, process: usize, engine: RunningEngine, who: Borrower) {
        let mut inner = self.lock();
        inner.engines[process] = Some(engine);
        inner.lender.park(process, who);
        drop(inner);
        self.freed.notify_one();
    }

    /// Takes back the process of a search that has ended; the process may still be searching,
    /// suspended.
    pub(super) fn give_back(&self, process: usize, engine: RunningEngine, ticket: Ticket) {
        let mut inner = self.lock();
        inner.engines[process] = Some(engine);
        inner.lender.give_back(ticket);
        drop(inner);
        self.freed.notify_one();
    }

    /// Records that a process has exited, or is about to be replaced.
    pub(super) fn lost(&self, process: usize) {
        let mut inner = self.lock();
        inner.lender.lost(process);
        inner.ids[process] = None;
        drop(inner);
        self.freed.notify_one();
    }

    /// Records a failure; returns true if the engine is not used for a while. Only the first
    /// failure of a search `counts` towards a rest: a position in which the engine crashes would
    /// take it from all sessions.
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
        !inner.health.is_usable(now)
    }

    /// Records a search without failure.
    pub(super) fn succeeded(&self) {
        self.lock().health.succeeded(Instant::now());
    }

    /// Its processes.
    pub(super) fn rows(&self) -> Vec<ProcessRow> {
        let inner = self.lock();
        let rows = inner.ids.iter().zip(inner.lender.states()).filter_map(|(id, state)| {
            let process = (*id)?;
            let state = match state {
                ProcessState::Vacant | ProcessState::Idle => "idle",
                ProcessState::Lent(_) => "searching",
                ProcessState::Parked(..) => "suspended",
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

/// Removes the characters by which GUIs could take a name for a command.
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
        // The server's loop may drop the last reference, and must not wait.
        self.spawner.end(Box::new(std::mem::take(&mut inner.engines)));
    }
}
