//! A process with its pipes, its state, and the answer that it owes.
//!
//! A search may lose its token while the process owes an answer, and another search may get the
//! process then. It waits for that answer first.

use super::EngineSpec;
use super::dialect::Dialect;
use super::failure::Failure;
use super::lender::Ticket;
use super::question::Question;
use super::spawner::Spawner;
use crate::engines::{Backlog, EngineEvent, Program, read_lines};
use std::io::{ErrorKind, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Lines in a second above which an engine prints without end; a long line counts as several.
/// Stockfish prints 20,000 on a fast machine when it shows 32 variations.
const MOST_LINES: usize = 100_000;
/// Bytes of a line that count as one more line.
const LONG_LINE: usize = 1024;
/// Silence after which an engine counts as one of the xboard protocol's first version, which has no
/// greeting.
const NO_GREETING: Duration = Duration::from_secs(10);

/// Output that may wait to be read: some 2 MiB, since many processes may be idle. A variation of a
/// hundred moves is half a kilobyte, the longest list of variants two. Reports of a search that
/// come faster than they are read are dropped, and an engine that prints still more has to wait.
const BACKLOG: Backlog = Backlog { lines: 256, longest: 8 * 1024, dropped_reports: MOST_LINES };
/// Input that a process may leave unread, in bytes: more than any question.
const MOST_UNREAD: usize = 64 * 1024;

/// The state of a process, by the last command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// It has received nothing.
    Started,
    /// It has been greeted, and is not introduced yet.
    Greeting,
    /// It has received the configured options, and is not ready yet.
    SettingUp,
    /// It has no search.
    Idle,
    /// It has received the position of a search, and is not ready yet.
    Preparing,
    /// It is ready for that search.
    Prepared,
    /// It searches.
    Searching,
    /// It has received the command to stop, and has not reported the end.
    Stopping,
}

/// A process of an engine.
#[derive(Debug)]
pub(super) struct RunningEngine {
    program: Program,
    input: ChildStdin,
    /// Input that its pipe has not taken yet.
    unread: Vec<u8>,
    lines: Receiver<String>,
    pub(super) dialect: Dialect,
    stage: Stage,
    /// The search that it was last prepared for.
    asked_by: Option<Ticket>,
    /// Whether it was prepared for another search before.
    used: bool,
    /// Whether its table must be cleared before the next search.
    must_forget: bool,
    /// Time for which the owed answer has been awaited.
    waited: Duration,
    suspended: bool,
    /// When the current second began, and lines since.
    flood: (Instant, usize),
}

impl RunningEngine {
    /// Starts a process.
    pub(super) fn start(spec: &EngineSpec, spawner: &Spawner) -> Result<RunningEngine, Failure> {
        let (program, pipes) = spawner.start(&spec.command, spec.memory)?;
        let lines = read_lines(pipes.output, BACKLOG).map_err(Failure::Start)?;
        // A search thread must not wait for an engine that does not read: it has a token, and
        // checks its gate.
        rustix::io::ioctl_fionbio(&pipes.input, true).map_err(|error| Failure::Start(error.into()))?;
        Ok(RunningEngine {
            program,
            input: pipes.input,
            unread: Vec::new(),
            lines,
            dialect: Dialect::new(spec.protocol),
            stage: Stage::Started,
            asked_by: None,
            used: false,
            must_forget: false,
            waited: Duration::ZERO,
            suspended: false,
            flood: (Instant::now(), 0),
        })
    }

    /// The process ID.
    pub(super) fn id(&self) -> u32 {
        self.program.id()
    }

    /// Its state.
    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns true if it was last prepared for this search.
    pub(super) fn serves(&self, search: Ticket) -> bool {
        self.asked_by == Some(search)
    }

    /// Returns true if it was never prepared for a search.
    pub(super) fn is_new(&self) -> bool {
        matches!(self.stage, Stage::Started | Stage::Greeting | Stage::SettingUp)
    }

    fn enter(&mut self, stage: Stage) {
        (self.stage, self.waited) = (stage, Duration::ZERO);
    }

    /// Greets it.
    pub(super) fn greet(&mut self) -> Result<(), Failure> {
        self.enter(Stage::Greeting);
        self.send(self.dialect.greeting())
    }

    /// Returns true if a new process might do what this one cannot, as it does not forget earlier
    /// searches.
    pub(super) fn is_worn(&self) -> bool {
        self.used && !self.dialect.forgets()
    }

    /// Clears its table when it is prepared for the next search.
    pub(super) fn forget(&mut self) {
        self.must_forget = true;
    }

    /// Prepares it for a search.
    pub(super) fn prepare(&mut self, search: Ticket, question: &Question) -> Result<(), Failure> {
        self.used |= self.asked_by.replace(search).is_some();
        let text = self.dialect.prepare(question, std::mem::take(&mut self.must_forget));
        self.enter(if self.dialect.can_ping() { Stage::Preparing } else { Stage::Prepared });
        self.send(&text)
    }

    /// Begins the search. `nodes_left` is what is left of its limit of nodes, if it has one.
    pub(super) fn go(&mut self, question: &Question, nodes_left: Option<u64>) -> Result<(), Failure> {
        let text = self.dialect.go(question, nodes_left);
        self.enter(Stage::Searching);
        self.send(&text)
    }

    /// Stops its search.
    pub(super) fn stop(&mut self) -> Result<(), Failure> {
        let text = self.dialect.stop();
        self.enter(if self.dialect.reports_end() { Stage::Stopping } else { Stage::Idle });
        self.send(&text)
    }

    /// Returns true if a search ends with the result that the engine has claimed. Only a ping
    /// separates a move that it makes nevertheless from the next search.
    pub(super) fn has_given_up(&self) -> bool {
        let searches = matches!(self.stage, Stage::Searching | Stage::Stopping);
        searches && self.dialect.can_ping() && !self.dialect.can_analyze()
    }

    /// Records the end of its search.
    pub(super) fn ended(&mut self) {
        self.enter(Stage::Idle);
    }

    /// Goes on after the owed answer. Returns true if the process is set up now.
    fn proceed(&mut self, spec: &EngineSpec) -> Result<bool, Failure> {
        match self.stage {
            Stage::Greeting => {
                let text = self.dialect.set_up(spec);
                self.enter(if self.dialect.can_ping() { Stage::SettingUp } else { Stage::Idle });
                self.send(&text)?;
                return Ok(self.stage == Stage::Idle);
            }
            Stage::SettingUp => {
                self.enter(Stage::Idle);
                return Ok(true);
            }
            Stage::Preparing => self.enter(Stage::Prepared),
            Stage::Stopping => self.enter(Stage::Idle),
            Stage::Started | Stage::Idle | Stage::Prepared | Stage::Searching => {}
        }
        Ok(false)
    }

    /// Waits for the owed answer for this time, and goes on if it arrives. Returns true if the
    /// process is set up now.
    ///
    /// # Errors
    /// It fails, also by owing the answer for too long. Time for which it is suspended does not
    /// count.
    pub(super) fn settle(&mut self, within: Duration, spec: &EngineSpec) -> Result<bool, Failure> {
        let before = Instant::now();
        let answered = match self.line(within)? {
            Some(line) => self.is_answer(&line)?,
            None => false,
        };
        if answered {
            return self.proceed(spec);
        }
        self.waited += before.elapsed();
        let may_be_silent = self.stage == Stage::Greeting && self.dialect.may_be_silent();
        let (patience, failure) = match self.stage {
            Stage::Greeting if may_be_silent => {
                (NO_GREETING.min(spec.patience), Failure::Silent("the greeting"))
            }
            Stage::Greeting => (spec.patience, Failure::Silent("the greeting")),
            // Stockfish takes a millisecond, or a tenth of a second on a busy machine.
            Stage::Stopping => (spec.patience / 4, Failure::Deaf),
            _ => (spec.patience, Failure::Silent("isready or ping")),
        };
        match self.waited > patience {
            false => Ok(false),
            true if may_be_silent => self.proceed(spec),
            true => Err(failure),
        }
    }

    fn is_answer(&mut self, line: &str) -> Result<bool, Failure> {
        let prepares = matches!(self.stage, Stage::SettingUp | Stage::Preparing);
        match self.dialect.receive(line) {
            EngineEvent::Introduced => Ok(self.stage == Stage::Greeting),
            EngineEvent::Ready => Ok(prepares),
            EngineEvent::BestMove { .. } => Ok(self.stage == Stage::Stopping),
            EngineEvent::Error(line) if prepares => Err(Failure::Reports(line.to_owned())),
            _ => Ok(false),
        }
    }

    /// Reads what an idle process has sent unasked: some announce features late.
    pub(super) fn catch_up(&mut self) -> Result<(), Failure> {
        while let Some(line) = self.line(Duration::ZERO)? {
            self.dialect.receive(&line);
        }
        Ok(())
    }

    /// Sends text. What the engine does not read at once is sent while its lines are read, so that
    /// it fails by not answering.
    fn send(&mut self, text: &str) -> Result<(), Failure> {
        self.resume();
        log::trace!("to engine {}: {text:?}", self.id());
        self.unread.extend_from_slice(text.as_bytes());
        self.flush()?;
        if self.unread.len() > MOST_UNREAD { Err(Failure::Unread) } else { Ok(()) }
    }

    /// Sends as much as the process takes now.
    fn flush(&mut self) -> Result<(), Failure> {
        while !self.unread.is_empty() {
            match self.input.write(&self.unread) {
                Ok(written) => drop(self.unread.drain(..written)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Failure::Exited),
            }
        }
        Ok(())
    }

    /// The next line, or `None` if none comes within this time.
    pub(super) fn line(&mut self, within: Duration) -> Result<Option<String>, Failure> {
        self.flush()?;
        match self.lines.recv_timeout(within) {
            Ok(line) => {
                log::trace!("engine {}: {line:?}", self.id());
                self.count(&line)?;
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Failure::Exited),
        }
    }

    fn count(&mut self, line: &str) -> Result<(), Failure> {
        let now = Instant::now();
        let (began, count) = &mut self.flood;
        if now.saturating_duration_since(*began) > Duration::from_secs(1) {
            (*began, *count) = (now, 0);
        }
        *count += 1 + line.len() / LONG_LINE;
        if *count > MOST_LINES { Err(Failure::Flood) } else { Ok(()) }
    }

    /// Suspends the process.
    pub(super) fn suspend(&mut self) {
        if !std::mem::replace(&mut self.suspended, true) {
            self.program.suspend();
        }
    }

    /// Resumes the process.
    pub(super) fn resume(&mut self) {
        if std::mem::take(&mut self.suspended) {
            self.program.resume();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosting::EngineProtocol;

    fn engine(script: &str) -> RunningEngine {
        let spec = EngineSpec {
            name: "test".to_owned(),
            command: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(),
            protocol: EngineProtocol::Uci,
            processes: 1,
            options: Vec::new(),
            share_table: false,
            memory: 1024,
            patience: Duration::from_secs(60),
        };
        let spawner = Spawner::new(None).expect("a thread");
        let engine = RunningEngine::start(&spec, &spawner).expect("a process");
        // Without a launcher the process does not end with the thread.
        drop(spawner);
        engine
    }

    /// More than a pipe holds.
    fn long() -> String {
        "position startpos\n".repeat(100 * 1024 / 18)
    }

    #[test]
    fn an_engine_that_does_not_read_holds_up_no_search() {
        let mut engine = engine("sleep 1000");
        let mut sent = 0;
        let failure = loop {
            match engine.send(&long()) {
                Ok(()) => sent += 1,
                Err(failure) => break failure,
            }
        };
        assert!(matches!(failure, Failure::Unread), "{failure}");
        assert!(sent < 3, "{sent}");
    }

    #[test]
    fn input_that_is_not_read_at_once_is_sent_later() {
        let mut engine = engine("read first; echo ready; read second; cat");
        engine.send("first\n").expect("it reads");
        assert_eq!(engine.line(Duration::from_secs(60)).unwrap().as_deref(), Some("ready"));
        engine.program.suspend();
        // More than a pipe of Linux holds; where pipes are of 4 KiB when memory is short, the rest
        // may wait.
        let text = "position startpos\n".repeat(66 * 1024 / 18);
        engine.send(&text).expect("it may read later");
        assert!(!engine.unread.is_empty(), "no pipe holds that");
        engine.program.resume();
        for line in text.lines().skip(1) {
            let deadline = Instant::now() + Duration::from_secs(60);
            let heard = loop {
                assert!(Instant::now() < deadline);
                if let Some(line) = engine.line(Duration::from_millis(2)).unwrap() {
                    break line;
                }
            };
            assert_eq!(heard, line);
        }
        assert!(engine.unread.is_empty());
    }
}
