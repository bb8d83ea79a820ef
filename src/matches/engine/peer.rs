//! The lines to and from an engine, through pipes or a TCP connection.

use crate::engines::{Backlog, Confinement, Program, read_lines};
use crate::matches::EngineError;
use crate::matches::note::{Found, Note};
use std::io::Write;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Few engines play at a time, on a machine of their user's, and their lines are read when a move
/// is due.
const BACKLOG: Backlog = Backlog { lines: 4096, longest: 64 * 1024, dropped_reports: 0 };

/// A connection to an engine, by lines. Dropping it ends the engine's process.
pub(in crate::matches) struct Peer {
    input: Box<dyn Write + Send>,
    lines: Receiver<String>,
    process: Option<Program>,
    /// The connection, to be shut down.
    connection: Option<TcpStream>,
}

impl Peer {
    /// Starts a program. Its standard error is dropped.
    pub(super) fn spawn(command: &[String]) -> Result<Peer, EngineError> {
        let failed = |error| EngineError::Start { engine: command.join(" "), error };
        let (program, pipes) = Program::start(command, &Confinement::default()).map_err(failed)?;
        let lines = read_lines(pipes.output, BACKLOG).map_err(failed)?;
        Ok(Peer { input: Box::new(pipes.input), lines, process: Some(program), connection: None })
    }

    /// Connects to a server.
    pub(super) fn connect(address: &str) -> Result<Peer, EngineError> {
        let connected = || {
            let connection = TcpStream::connect(address)?;
            connection.set_nodelay(true)?;
            let (input, output) = (connection.try_clone()?, connection.try_clone()?);
            let lines = read_lines(output, BACKLOG)?;
            Ok(Peer { input: Box::new(input), lines, process: None, connection: Some(connection) })
        };
        connected().map_err(|error| EngineError::Start { engine: address.to_owned(), error })
    }

    /// Sends lines, each with its end.
    ///
    /// # Errors
    /// The engine has exited.
    pub(in crate::matches) fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        self.input
            .write_all(lines.as_bytes())
            .and_then(|()| self.input.flush())
            .map_err(|_| EngineError::Exited)
    }

    /// The next line, without its end.
    ///
    /// # Errors
    /// The engine has exited, or sends nothing until the deadline.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<String, EngineError> {
        let left = deadline.saturating_duration_since(Instant::now());
        // Otherwise an engine that prints without end would never be late.
        if left.is_zero() {
            return Err(EngineError::Silent);
        }
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => EngineError::Silent,
            RecvTimeoutError::Disconnected => EngineError::Exited,
        })
    }

    /// Takes all further lines, for another reader: [`Peer::line`] returns none from then on.
    pub(in crate::matches) fn take_lines(&mut self) -> Receiver<String> {
        let (_, nothing) = sync_channel(0);
        std::mem::replace(&mut self.lines, nothing)
    }

    /// Takes the lines that have arrived. Their number is bounded, so an engine that prints without
    /// end does not hold up the caller.
    pub(super) fn waiting_lines(&mut self) -> Vec<String> {
        self.lines.try_iter().take(2 * BACKLOG.lines).collect()
    }

    /// Begins to measure the time of a move.
    pub(super) fn stopwatch(&self) -> Stopwatch {
        // The wall clock last, so that reading the other one does not count.
        let cpu = self.cpu_time();
        Stopwatch { wall: Instant::now(), cpu }
    }

    /// A note of a move with the time used since then: CPU time of the process, or time on the
    /// wall.
    pub(super) fn note_since(&self, begin: Stopwatch, cpu_time: bool, found: Option<Found>) -> Note {
        let wall = begin.wall.elapsed();
        let cpu = self.cpu_time().zip(begin.cpu).map(|(now, before)| now.saturating_sub(before));
        Note { used: cpu.filter(|_| cpu_time).unwrap_or(wall), cpu, found }
    }

    /// CPU time that the process has used; `None` for a server.
    fn cpu_time(&self) -> Option<Duration> {
        let id = self.process.as_ref()?.id();
        let tasks = std::fs::read_dir(format!("/proc/{id}/task")).ok()?;
        let mut nanoseconds = 0;
        for task in tasks.flatten() {
            let text = std::fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            nanoseconds += text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0u64);
        }
        // Threads that have ended count only in the sum of the process, which is coarse.
        let usage = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let behind_name = usage.rsplit_once(')').map_or("", |(_, fields)| fields);
        let ticks: u64 = behind_name
            .split_whitespace()
            .skip(11)
            .take(2)
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        Some(Duration::from_nanos(nanoseconds).max(Duration::from_millis(10 * ticks)))
    }
}

/// The beginning of a measurement.
#[derive(Clone, Copy)]
pub(super) struct Stopwatch {
    wall: Instant,
    cpu: Option<Duration>,
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(connection) = &self.connection {
            let _ = connection.shutdown(std::net::Shutdown::Both);
        }
    }
}
