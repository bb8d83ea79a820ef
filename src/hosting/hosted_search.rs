//! One search on a borrowed process, in the thread that the pool has for it.

use super::account::Account;
use super::failure::Failure;
use super::host::{Borrowed, Host, LoanKind};
use super::lender::Borrower;
use super::question::Question;
use super::running_engine::RunningEngine;
use super::tongue::{Heard, Inability};
use crate::search::{
    Done, Gate, Limits, Notice, Progress, Report, Request, Score, Turn, Verdict, static_best_move,
};
use std::time::{Duration, Instant};

/// How long to listen between two looks at the gate: a clock of another game waits for its token that long.
const TICK: Duration = Duration::from_millis(2);
/// Processes that one search may wear out.
const ATTEMPTS: u32 = 3;
/// How long to wait for the process that has the session's table, where another one is free.
const TABLE_WAIT: Duration = Duration::from_millis(50);
/// How long an engine of the first version of xboard's protocol may take, which has no greeting.
const NO_GREETING: Duration = Duration::from_secs(10);
/// Time between two reports of progress.
const PROGRESS: Duration = Duration::from_millis(200);

/// How an attempt ended.
enum Attempt {
    /// The search is over.
    Over,
    /// The engine cannot do it.
    Impossible,
}

/// How the use of a process ended.
enum Use {
    /// The search is over, and the process idle.
    Over,
    /// The token must be given back, and the process is suspended in the middle of the search.
    Suspended,
    /// The token must be given back, and the process is idle: others will need it.
    Interrupted,
    /// The engine cannot do it. The process is idle.
    Impossible,
}

/// A search on processes of a host.
pub(super) struct HostedSearch<'a> {
    host: &'a Host,
    request: &'a Request,
    gate: &'a mut dyn Gate,
    reports: &'a mut dyn FnMut(Report),
    who: Borrower,
    question: Question,
    account: Account,
    /// The best move that the engine has named at the end, and the reply.
    named: Option<(crate::chess::Move, Option<crate::chess::Move>)>,
    progress: Instant,
    /// How long this process has searched without a word.
    mute: Duration,
}

impl<'a> HostedSearch<'a> {
    /// `None` if no engine can answer the request.
    pub fn new(
        host: &'a Host,
        request: &'a Request,
        gate: &'a mut dyn Gate,
        reports: &'a mut dyn FnMut(Report),
    ) -> Option<HostedSearch<'a>> {
        let question = Question::of(request)?;
        let who = Borrower { ticket: host.begin(), table: request.salt, game: request.game, waits: true };
        let account = Account::default();
        let progress = Instant::now();
        Some(HostedSearch {
            host,
            request,
            gate,
            reports,
            who,
            question,
            account,
            named: None,
            progress,
            mute: Duration::ZERO,
        })
    }

    /// Searches. `None` if ours must do it.
    pub fn run(mut self) -> Option<Done> {
        let mut failures = 0;
        loop {
            if !self.host.is_asked() {
                self.tell("has failed several times and is not used for a while");
                return None;
            }
            match self.attempt() {
                Ok(Attempt::Over) => return Some(self.done()),
                Ok(Attempt::Impossible) => return None,
                Err(failure) => {
                    failures += 1;
                    self.account.begin_anew();
                    let rests = self.host.failed(&failure);
                    // A move that was found in a good part of the time is worth more than a search from the beginning.
                    let found = self.request.game && self.account.best.is_some();
                    if found && self.gate.past_optimum(0.5) {
                        return Some(self.done());
                    }
                    if !rests && failures >= ATTEMPTS {
                        self.tell("fails in this position");
                        return None;
                    }
                }
            }
        }
    }

    /// Tells the user why ours searches.
    fn tell(&mut self, what: &str) {
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
            if self.gate.poll(self.account.nodes()) == Verdict::Stop {
                return Ok(Attempt::Over);
            }
            let Some(Borrowed { process, engine, loan }) = self.host.borrow(self.who) else {
                let before = Instant::now();
                self.host.wait(TICK);
                waited += before.elapsed();
                self.who.waits = waited < TABLE_WAIT;
                continue;
            };
            match self.use_process(process, engine, loan) {
                Ok((engine, Use::Suspended)) => self.host.park(process, engine, self.who),
                Ok((engine, Use::Interrupted)) => self.host.give_back(process, engine, self.who.ticket),
                Ok((engine, end)) => {
                    self.host.give_back(process, engine, self.who.ticket);
                    if self.account.heard > 0 {
                        self.host.succeeded();
                    }
                    return Ok(if matches!(end, Use::Over) { Attempt::Over } else { Attempt::Impossible });
                }
                Err(failure) => {
                    self.host.lost(process);
                    return Err(failure);
                }
            }
        }
    }

    /// Searches on a process as long as there is a token. A process that fails has ended.
    fn use_process(
        &mut self,
        process: usize,
        engine: Option<RunningEngine>,
        loan: LoanKind,
    ) -> Result<(RunningEngine, Use), Failure> {
        let mut engine = match engine {
            Some(engine) if loan != LoanKind::ToClear || engine.tongue.forgets() => engine,
            // One that remembers is replaced.
            remembering => {
                drop(remembering);
                self.start(process)?
            }
        };
        if loan != LoanKind::Resumed {
            self.end_search(&mut engine, false)?;
            if !self.can(&engine) {
                return Ok((engine, Use::Impossible));
            }
            self.begin(&mut engine, loan == LoanKind::ToClear)?;
        }
        engine.resume();
        let end = self.follow(&mut engine)?;
        Ok((engine, end))
    }

    /// Begins the search on an idle process.
    fn begin(&mut self, engine: &mut RunningEngine, clear: bool) -> Result<(), Failure> {
        let text = engine.tongue.prepare(&self.question, clear);
        self.obey(engine, &text)?;
        self.account.begin_anew();
        self.mute = Duration::ZERO;
        let limits = self.gate.limits(self.request.limits);
        let nodes_left = limits.nodes.map(|nodes| nodes.saturating_sub(self.account.nodes()));
        let text = engine.tongue.go(&self.question, nodes_left);
        engine.say(&text)?;
        engine.searching = true;
        Ok(())
    }

    /// Listens to a process that searches until the search is over or its token is wanted.
    fn follow(&mut self, engine: &mut RunningEngine) -> Result<Use, Failure> {
        let heard = self.account.heard;
        loop {
            let before = Instant::now();
            if let Some(line) = engine.line(TICK)?
                && self.take(engine, &line)?
            {
                return Ok(Use::Over);
            }
            if self.account.heard == heard && self.account.nodes_now() == 0 {
                self.mute += before.elapsed();
                if self.mute > self.host.spec.patience / 2 {
                    return Err(Failure::Mute);
                }
            }
            if self.is_enough() {
                self.end_search(engine, true)?;
                return Ok(Use::Over);
            }
            match self.gate.turn(self.account.nodes()) {
                Turn::Run => {}
                Turn::Stop => {
                    self.end_search(engine, true)?;
                    return Ok(Use::Over);
                }
                Turn::Wait if self.host.is_crowded() => {
                    self.end_search(engine, true)?;
                    self.report_progress(None);
                    return Ok(Use::Interrupted);
                }
                Turn::Wait => {
                    engine.suspend();
                    return Ok(Use::Suspended);
                }
            }
        }
    }

    /// Takes a line of our search. True if it has ended.
    fn take(&mut self, engine: &mut RunningEngine, line: &str) -> Result<bool, Failure> {
        match engine.tongue.hear(line) {
            Heard::Variation(said) => {
                let shown = self.account.take(&said, &self.question, self.gate.elapsed());
                match shown.map_err(Failure::Illegal)? {
                    Some(info) => (self.reports)(Report::Info(info)),
                    None if self.progress.elapsed() >= PROGRESS => self.report_progress(None),
                    None => {}
                }
            }
            Heard::Current(depth, mv, number) if self.progress.elapsed() >= PROGRESS => {
                self.report_progress(Some((depth, mv, number)));
            }
            Heard::Complaint(line) => return Err(Failure::Complains(line.to_owned())),
            Heard::Ended { best, ponder } => {
                engine.searching = false;
                self.take_best(best, ponder)?;
                return Ok(true);
            }
            Heard::Current(..) | Heard::Greeted | Heard::Ready | Heard::Nothing => {}
        }
        Ok(false)
    }

    fn take_best(&mut self, best: Option<&str>, ponder: Option<&str>) -> Result<(), Failure> {
        let Some(text) = best else { return Ok(()) };
        let position = &self.question.position;
        let mv = position.parse_move(text).ok().filter(|mv| self.question.allowed.contains(mv));
        let mv = mv.ok_or_else(|| Failure::Illegal(text.to_owned()))?;
        let mut after = *position;
        after.play(mv);
        self.named = Some((mv, ponder.and_then(|text| after.parse_move(text).ok())));
        Ok(())
    }

    /// Reports how far the search is: with the depth, the move that is being searched and its number, if they are known.
    fn report_progress(&mut self, current: Option<(u8, &str, u16)>) {
        self.progress = Instant::now();
        let moves_total = u16::try_from(self.question.allowed.len()).unwrap_or(u16::MAX);
        let (depth, moves_left) = current.map_or((0, 0), |(depth, _, number)| {
            (depth, moves_total.saturating_sub(number.saturating_sub(1)))
        });
        (self.reports)(Report::Progress(Progress {
            depth: depth.max(self.account.depth()),
            nodes: self.account.nodes(),
            elapsed: self.gate.elapsed(),
            moves_left,
            moves_total,
            current: current.and_then(|(_, mv, _)| self.question.position.parse_move(mv).ok()),
        }));
    }

    /// Whether a limit is reached, or the time of the move used up.
    fn is_enough(&self) -> bool {
        let Limits { depth, nodes, optimum_nodes } = self.gate.limits(self.request.limits);
        let Some(scale) = self.account.time_scale(&self.question) else { return false };
        let done = self.account.nodes();
        depth.is_some_and(|depth| self.account.finished_depth() >= depth)
            || nodes.is_some_and(|nodes| done >= nodes)
            || optimum_nodes.is_some_and(|nodes| done as f32 >= nodes as f32 * scale)
            || self.gate.past_optimum(scale)
    }

    /// Ends the search that a process is in, if any. If it is not `ours`, what the process says of it is nothing to us.
    fn end_search(&mut self, engine: &mut RunningEngine, ours: bool) -> Result<(), Failure> {
        if !engine.searching {
            return Ok(());
        }
        let text = engine.tongue.stop();
        engine.say(&text)?;
        if !engine.tongue.tells_end() {
            engine.searching = false;
            return Ok(());
        }
        // Stockfish takes a millisecond; a machine with many processes that want to run, a tenth of a second.
        // An engine that stops at once need not be suspended first.
        let (patience, suspend) = (self.host.spec.patience / 4, false);
        self.listen(engine, patience, suspend, Failure::Deaf, |search, engine, line| {
            if ours {
                return search.take(engine, line);
            }
            let ended = matches!(engine.tongue.hear(line), Heard::Ended { .. });
            engine.searching &= !ended;
            Ok(ended)
        })
    }

    /// Says what is no search, and waits until the engine has obeyed.
    fn obey(&mut self, engine: &mut RunningEngine, text: &str) -> Result<(), Failure> {
        engine.say(text)?;
        if !engine.tongue.answers() {
            return Ok(());
        }
        let silent = Failure::Silent("isready or ping");
        self.listen(engine, self.host.spec.patience, true, silent, |_, engine, line| {
            match engine.tongue.hear(line) {
                Heard::Ready => Ok(true),
                Heard::Complaint(line) => Err(Failure::Complains(line.to_owned())),
                _ => Ok(false),
            }
        })
    }

    /// Starts a process and greets it.
    fn start(&mut self, process: usize) -> Result<RunningEngine, Failure> {
        let (mut engine, patience) = (self.host.start(process)?, self.host.spec.patience);
        let greeting = engine.tongue.greeting();
        engine.say(greeting)?;
        let greeted = |_: &mut HostedSearch, engine: &mut RunningEngine, line: &str| {
            Ok(engine.tongue.hear(line) == Heard::Greeted)
        };
        let early = if engine.tongue.may_be_silent() { NO_GREETING.min(patience) } else { patience };
        let silent = || Failure::Silent("the greeting");
        match self.listen(&mut engine, early, true, silent(), greeted) {
            Err(Failure::Silent(_)) if engine.tongue.may_be_silent() => {}
            Err(Failure::Silent(_)) if early < patience => {
                self.listen(&mut engine, patience, true, silent(), greeted)?
            }
            other => other?,
        }
        let text = engine.tongue.set_up(&self.host.spec);
        self.obey(&mut engine, &text)?;
        self.host.check_options(&engine);
        Ok(engine)
    }

    /// Listens until a line is the one that is waited for. With `suspend`, the process is suspended while there is no token,
    /// which does not count as time that it takes.
    fn listen(
        &mut self,
        engine: &mut RunningEngine,
        patience: Duration,
        suspend: bool,
        failure: Failure,
        mut is_it: impl FnMut(&mut Self, &mut RunningEngine, &str) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let mut spent = Duration::ZERO;
        loop {
            let before = Instant::now();
            if let Some(line) = engine.line(TICK)?
                && is_it(self, engine, &line)?
            {
                return Ok(());
            }
            spent += before.elapsed();
            if spent > patience {
                return Err(failure);
            }
            let nodes = self.account.nodes();
            if suspend && self.gate.turn(nodes) == Turn::Wait {
                engine.suspend();
                // A search that must stop finds out soon, and leaves the process in order.
                let _ = self.gate.poll(nodes);
                engine.resume();
            }
        }
    }

    /// Whether the engine can do the search. The user is told of what it cannot.
    fn can(&mut self, engine: &RunningEngine) -> bool {
        let inabilities = engine.tongue.inabilities(&self.question);
        for inability in &inabilities {
            let what = inability.words();
            if inability.prevents_search() {
                self.tell(&what);
            } else {
                self.notice(format!("The engine {} of this server {what}", self.host.spec.name));
            }
        }
        !inabilities.iter().any(Inability::prevents_search)
    }

    /// The result.
    fn done(&self) -> Done {
        let best = self.account.best.as_ref();
        let variation = best.map_or(&[][..], |info| &info.pv);
        let found = self.named.or_else(|| Some((*variation.first()?, variation.get(1).copied())));
        let (mv, reply) = found.unzip();
        Done {
            best: mv.or_else(|| static_best_move(&self.request.position, &self.request.excluded)),
            ponder: reply.flatten(),
            score: best.map_or(Score::DRAW, |info| info.score),
            depth: self.account.depth(),
            nodes: self.account.nodes(),
            elapsed: self.gate.elapsed(),
        }
    }
}

impl Drop for HostedSearch<'_> {
    fn drop(&mut self) {
        self.host.end(self.who.ticket);
    }
}
