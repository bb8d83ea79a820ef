//! A process that speaks: its pipes, and what it knows.

use super::EngineSpec;
use super::failure::Failure;
use super::spawner::Spawner;
use super::tongue::Tongue;
use crate::engines::{Program, read_lines};
use std::io::Write;
use std::process::ChildStdin;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Lines in a second above which an engine prints without end; a long line counts as several.
const MOST_LINES: usize = 20_000;
/// Bytes that count as one more line.
const LONG_LINE: usize = 1024;

/// A process of an engine.
#[derive(Debug)]
pub(super) struct RunningEngine {
    program: Program,
    input: ChildStdin,
    lines: Receiver<String>,
    pub tongue: Tongue,
    /// It has been told to search, and has not said that it has ended.
    pub searching: bool,
    suspended: bool,
    /// When the second began, and lines since.
    flood: (Instant, usize),
}

impl RunningEngine {
    /// Starts a process, which has heard nothing yet.
    pub fn start(spec: &EngineSpec, spawner: &Spawner) -> Result<RunningEngine, Failure> {
        let (program, pipes) = spawner.start(&spec.command, spec.memory)?;
        let lines = read_lines(pipes.output).map_err(Failure::Start)?;
        Ok(RunningEngine {
            program,
            input: pipes.input,
            lines,
            tongue: Tongue::new(spec.protocol),
            searching: false,
            suspended: false,
            flood: (Instant::now(), 0),
        })
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.program.id()
    }

    /// Says something. It must be short as long as the engine has not answered: the caller would wait for an engine that
    /// does not read.
    pub fn say(&mut self, text: &str) -> Result<(), Failure> {
        self.resume();
        log::trace!("to engine {}: {text:?}", self.id());
        self.input.write_all(text.as_bytes()).map_err(|_| Failure::Died)
    }

    /// The next line, or `None` if none comes within this time.
    pub fn line(&mut self, within: Duration) -> Result<Option<String>, Failure> {
        match self.lines.recv_timeout(within) {
            Ok(line) => {
                log::trace!("engine {}: {line:?}", self.id());
                self.count(&line)?;
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Failure::Died),
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

    /// Suspends the process in the middle of what it does.
    pub fn suspend(&mut self) {
        if !std::mem::replace(&mut self.suspended, true) {
            self.program.suspend();
        }
    }

    /// Lets it go on.
    pub fn resume(&mut self) {
        if std::mem::take(&mut self.suspended) {
            self.program.resume();
        }
    }
}
