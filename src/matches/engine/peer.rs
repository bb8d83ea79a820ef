//! An engine at the other end of pipes or a TCP connection, as lines.

use super::EngineError;
use crate::engines::{Backlog, Confinement, Program, read_lines};
use std::io::Write;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Few engines play at a time, on a machine of their user's, and are listened to when a move is due.
const BACKLOG: Backlog = Backlog { lines: 4096, longest: 64 * 1024, dropped_reports: 0 };

/// An engine that is reached by lines. Dropping it ends a process.
pub(in crate::matches) struct Peer {
    input: Box<dyn Write + Send>,
    lines: Receiver<String>,
    process: Option<Program>,
    /// The connection, to be shut down.
    connection: Option<TcpStream>,
}

impl Peer {
    /// Starts a program. Its standard error is dropped.
    pub fn spawn(command: &[String]) -> Result<Peer, EngineError> {
        let failed = |error| EngineError::Start(command.join(" "), error);
        let (program, pipes) = Program::start(command, &Confinement::default()).map_err(failed)?;
        let lines = read_lines(pipes.output, BACKLOG).map_err(failed)?;
        Ok(Peer { input: Box::new(pipes.input), lines, process: Some(program), connection: None })
    }

    /// Connects to a server.
    pub fn connect(address: &str) -> Result<Peer, EngineError> {
        let connected = || {
            let connection = TcpStream::connect(address)?;
            connection.set_nodelay(true)?;
            let (input, output) = (connection.try_clone()?, connection.try_clone()?);
            let lines = read_lines(output, BACKLOG)?;
            Ok(Peer { input: Box::new(input), lines, process: None, connection: Some(connection) })
        };
        connected().map_err(|error| EngineError::Start(address.to_owned(), error))
    }

    /// Sends lines, each with its end.
    ///
    /// # Errors
    /// The engine has gone.
    pub fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        self.input
            .write_all(lines.as_bytes())
            .and_then(|()| self.input.flush())
            .map_err(|_| EngineError::Gone)
    }

    /// The next line, without its end.
    ///
    /// # Errors
    /// The engine has gone, or says nothing until the deadline.
    pub fn line(&mut self, deadline: Instant) -> Result<String, EngineError> {
        let left = deadline.saturating_duration_since(Instant::now());
        // Else an engine that never stops talking would never be late.
        if left.is_zero() {
            return Err(EngineError::Silent);
        }
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => EngineError::Silent,
            RecvTimeoutError::Disconnected => EngineError::Gone,
        })
    }

    /// All further lines, for another reader: none comes from [`Peer::line`] any more.
    pub fn take_lines(&mut self) -> Receiver<String> {
        let (_, nothing) = sync_channel(0);
        std::mem::replace(&mut self.lines, nothing)
    }

    /// The lines that have arrived. Their number is bounded, so an engine that never stops talking cannot hold the caller.
    pub fn waiting_lines(&mut self) -> Vec<String> {
        self.lines.try_iter().take(2 * BACKLOG.lines).collect()
    }

    /// CPU time that the process has used; `None` for a server.
    pub fn cpu_time(&self) -> Option<Duration> {
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

impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(connection) = &self.connection {
            let _ = connection.shutdown(std::net::Shutdown::Both);
        }
    }
}
