//! One search on a borrowed process, in the thread that the pool has for it.

mod listening;

use super::dialect::Unsupported;
use super::failure::Failure;
use super::findings::Findings;
use super::host::{Borrowed, Host};
use super::lender::{Borrower, Loan, Priority};
use super::question::Question;
use super::running_engine::{RunningEngine, Stage};
use crate::search::{Done, Gate, Notice, Report, Request, Score, Turn, Verdict, static_best_move};
use std::time::{Duration, Instant};

/// Time between two checks of the gate: the clock of another game waits for its token that long.
const TICK: Duration = Duration::from_millis(2);
/// Processes that one search may lose.
const ATTEMPTS: u32 = 3;
/// Time to wait for the process with the session's table while another one is free.
const TABLE_WAIT: Duration = Duration::from_millis(50);
/// Time for which a search with a running clock that has found nothing may keep a requested token:
/// otherwise its process would be prepared in vain.
const FIRST_VARIATION: Duration = Duration::from_millis(50);
/// Time in which the built-in engine still finds a move.
const LAST_MOMENT: Duration = Duration::from_millis(8);

/// The end of an attempt.
enum Attempt {
    /// The search is over.
    Over,
    /// The engine cannot do this search.
    Impossible,
    /// There is too little time left for the engine to find anything.
    TooLate,
}

/// The end of the use of a process.
enum Use {
    /// The search is over, and the process idle.
    Over,
    /// The token must be given back, and the process is suspended in the middle of the search.
    Suspended,
    /// The token must be given back, and the process is idle, as other searches need it.
    Interrupted,
    /// The engine cannot do this search. The process is idle, or suspended.
    Impossible,
    /// There is too little time left. The process is suspended.
    TooLate,
}

/// Reason to leave a process.
enum Leave {
    /// The token must be given back.
    Wait,
    /// The search must end.
    Stop,
    /// There is too little time left for the engine to find anything.
    TooLate,
}

impl From<Leave> for Use {
    /// The end of the use of a process that has not begun to search.
    fn from(leave: Leave) -> Use {
        match leave {
            Leave::Wait => Use::Suspended,
            Leave::Stop => Use::Over,
            Leave::TooLate => Use::TooLate,
        }
    }
}

/// A search on processes of a host.
pub(super) struct HostedSearch<'a> {
    host: &'a Host,
    request: &'a Request,
    gate: &'a mut dyn Gate,
    reports: &'a mut dyn FnMut(Report),
    who: Borrower,
    question: Question,
    findings: Findings,
    /// The best move that the engine has named at the end, and the reply.
    named: Option<(crate::chess::Move, Option<crate::chess::Move>)>,
    progress: Instant,
    /// Time for which the process has searched without output.
    mute: Duration,
    /// When this search got a process to begin on, until its first variation.
    began: Option<Instant>,
    /// When the token was first requested back.
    overdue: Option<Instant>,
}

impl<'a> HostedSearch<'a> {
    /// A search for a request; `None` if no external engine can answer it.
    pub(super) fn new(
        host: &'a Host,
        request: &'a Request,
        gate: &'a mut dyn Gate,
        reports: &'a mut dyn FnMut(Report),
    ) -> Option<HostedSearch<'a>> {
        let question = Question::of(request)?;
        let priority = match request.limits.depth {
            Some(_) if gate.left().is_none() => Priority::Depth,
            _ if request.game => Priority::Game,
            _ => Priority::Analysis,
        };
        let ticket = host.begin(priority);
        let who = Borrower { ticket, table: request.table.salt, priority, waits: true };
        let findings = Findings::default();
        let progress = Instant::now();
        Some(HostedSearch {
            host,
            request,
            gate,
            reports,
            who,
            question,
            findings,
            named: None,
            progress,
            mute: Duration::ZERO,
            began: None,
            overdue: None,
        })
    }

    /// Runs the search; returns `None` if the built-in engine must take over.
    pub(super) fn run(mut self) -> Option<Done> {
        let mut failures = 0;
        loop {
            if !self.host.is_usable() {
                self.explain("has failed several times and is not used for a while");
                return None;
            }
            match self.attempt() {
                Ok(Attempt::Over) => return Some(self.done()),
                Ok(Attempt::Impossible) => return None,
                Ok(Attempt::TooLate) => {
                    // Unless its session has stopped it.
                    if self.is_too_late(self.host.first_variation().max(LAST_MOMENT)) {
                        self.host.count_late();
                    }
                    return None;
                }
                Err(failure) => {
                    failures += 1;
                    self.findings.begin_anew();
                    let rests = self.host.failed(&failure, failures == 1);
                    // A move found in half of the time is better than a search that begins anew.
                    let found = self.request.game && self.findings.best.is_some();
                    if found && self.gate.past_optimum(0.5) {
                        return Some(self.done());
                    }
                    if !rests && failures >= ATTEMPTS {
                        self.explain("fails in this position");
                        return None;
                    }
                }
            }
        }
    }

    /// Notifies the user of the reason why the built-in engine searches.
    fn explain(&mut self, what: &str) {
        let name = &self.host.spec.name;
        self.notice(format!(
            "The engine {name} of this server {what}, so Farboard's own engine plays instead"
        ));
    }

    fn notice(&mut self, text: String) {
        (self.reports)(Report::Notice(Notice(text.into())));
    }

    /// Searches until the end, or until a process fails.
    fn attempt(&mut self) -> Result<Attempt, Failure> {
        let mut waited = Duration::ZERO;
        loop {
            if self.await_token() == Verdict::Stop {
                return Ok(self.over());
            }
            self.overdue = None;
            if self.is_too_late(self.host.first_variation()) {
                self.host.forget_first_variation();
                return Ok(Attempt::TooLate);
            }
            let Some(Borrowed { process, engine, loan }) = self.host.borrow(self.who) else {
                let before = Instant::now();
                self.host.wait(TICK);
                waited += before.elapsed();
                self.who.waits = waited < TABLE_WAIT;
                continue;
            };
            self.began = (!matches!(loan, Loan::Resume(_))).then(Instant::now);
            let (engine, end) = match self.use_process(process, engine, loan) {
                Ok(used) => used,
                Err(failure) => {
                    self.host.lost(process);
                    return Err(failure);
                }
            };
            if matches!(end, Use::Suspended) {
                self.host.park(process, engine, self.who);
                continue;
            }
            self.host.give_back(process, engine, self.who.ticket);
            if matches!(end, Use::Interrupted) {
                continue;
            }
            if self.findings.received > 0 {
                self.host.succeeded();
            }
            return Ok(match end {
                Use::Impossible => Attempt::Impossible,
                Use::TooLate => Attempt::TooLate,
                _ => self.over(),
            });
        }
    }

    /// Waits for a token. A search that has a move waits no longer than it would search.
    fn await_token(&mut self) -> Verdict {
        let nodes = self.findings.nodes();
        match self.findings.time_scale(&self.question) {
            Some(scale) => self.gate.poll_until_optimum(nodes, scale),
            None => self.gate.poll(nodes),
        }
    }

    /// Ends the search. If a move is due and the engine has found none, the built-in engine makes a
    /// quick move.
    fn over(&self) -> Attempt {
        let empty = self.findings.best.is_none() && self.named.is_none();
        if empty && self.gate.left().is_some() { Attempt::TooLate } else { Attempt::Over }
    }

    /// Returns true if there is no move yet, and less time left than `least`.
    fn is_too_late(&self, least: Duration) -> bool {
        self.findings.best.is_none() && self.gate.left().is_some_and(|left| left < least)
    }

    /// Returns an error if the search must leave its process.
    fn goes_on(&mut self) -> Result<(), Leave> {
        if self.is_too_late(LAST_MOMENT) {
            return Err(Leave::TooLate);
        }
        match self.gate.turn(self.findings.nodes()) {
            Turn::Run => Ok(()),
            Turn::Stop => Err(Leave::Stop),
            Turn::Wait => {
                let has_nothing = self.findings.best.is_none() && self.gate.left().is_some();
                let overdue = self.overdue.get_or_insert_with(Instant::now).elapsed();
                if has_nothing && overdue < FIRST_VARIATION { Ok(()) } else { Err(Leave::Wait) }
            }
        }
    }

    /// Searches on a process as long as there is a token. A process that fails is ended.
    fn use_process(
        &mut self,
        process: usize,
        engine: Option<RunningEngine>,
        loan: Loan,
    ) -> Result<(RunningEngine, Use), Failure> {
        let mut engine = self.take_over(process, engine, loan)?;
        loop {
            let has_question = engine.serves(self.who.ticket);
            match engine.stage() {
                Stage::Started => engine.greet()?,
                Stage::Greeting | Stage::SettingUp | Stage::Preparing | Stage::Stopping => {
                    self.settle(process, &mut engine)?;
                    if let Err(leave) = self.goes_on() {
                        // A process that is starting goes on.
                        if !engine.is_new() {
                            engine.suspend();
                        }
                        return Ok((engine, leave.into()));
                    }
                }
                Stage::Prepared if has_question => self.begin(&mut engine)?,
                Stage::Idle | Stage::Prepared => {
                    engine.catch_up()?;
                    if !self.can(&engine) {
                        return Ok((engine, Use::Impossible));
                    }
                    engine.prepare(self.who.ticket, &self.question)?;
                }
                Stage::Searching if has_question => {
                    let end = self.follow(&mut engine)?;
                    return Ok((engine, end));
                }
                Stage::Searching => engine.stop()?,
            }
        }
    }

    /// Returns the borrowed process, resumed, or a new one if that does not run or cannot forget.
    fn take_over(
        &mut self,
        process: usize,
        engine: Option<RunningEngine>,
        loan: Loan,
    ) -> Result<RunningEngine, Failure> {
        let clear = matches!(loan, Loan::Lend { clear: true, .. });
        let forgets = |engine: &RunningEngine| engine.dialect.forgets() || engine.is_new();
        let mut engine = match engine {
            Some(engine) if !clear || forgets(&engine) => engine,
            // A process that cannot forget is replaced.
            remembering => {
                drop(remembering);
                self.host.start(process)?
            }
        };
        if engine.is_new() {
            // The time that it takes to start would distort the average.
            self.began = None;
        } else if clear {
            engine.forget();
        }
        engine.resume();
        Ok(engine)
    }

    /// Waits for the owed answer. A process that fails because of earlier searches is replaced.
    fn settle(&mut self, process: usize, engine: &mut RunningEngine) -> Result<(), Failure> {
        match engine.settle(TICK, &self.host.spec) {
            Ok(true) => self.host.check_options(engine),
            Ok(false) => {}
            Err(Failure::Reports(line)) if engine.is_worn() => {
                log::debug!("an engine that was used before reports an error: {line:?}");
                *engine = self.host.start(process)?;
            }
            Err(failure) => return Err(failure),
        }
        Ok(())
    }

    /// Returns true if the engine can do the search. Notifies the user of what it does not support.
    fn can(&mut self, engine: &RunningEngine) -> bool {
        let unsupported = engine.dialect.unsupported(&self.question);
        for one in &unsupported {
            let what = one.to_string();
            if one.prevents_search() {
                self.explain(&what);
            } else {
                self.notice(format!("The engine {} of this server {what}", self.host.spec.name));
            }
        }
        !unsupported.iter().any(Unsupported::prevents_search)
    }

    /// The result.
    fn done(&self) -> Done {
        let best = self.findings.best.as_ref();
        let variation = best.map_or(&[][..], |info| &info.pv);
        let found = self.named.or_else(|| Some((*variation.first()?, variation.get(1).copied())));
        let (mv, reply) = found.unzip();
        Done {
            best: mv.or_else(|| {
                static_best_move(&self.request.position, &self.request.first_moves.excluded, None)
            }),
            ponder: reply.flatten(),
            score: best.map_or(Score::DRAW, |info| info.score),
            depth: self.findings.depth(),
            nodes: self.findings.nodes(),
            elapsed: self.gate.elapsed(),
        }
    }
}

impl Drop for HostedSearch<'_> {
    fn drop(&mut self) {
        self.host.end(self.who);
    }
}
