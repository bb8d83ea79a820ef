//! An engine at the other end of pipes or a TCP connection, as lines.

use super::EngineError;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The longest line that is read, in bytes; the rest of a longer one is another line.
const MAX_LINE: u64 = 64 * 1024;
/// Lines that may wait to be read: an engine that says more has to wait.
const MAX_WAITING: usize = 4096;

/// An engine that is reached by lines. Dropping it ends a process.
pub(in crate::matches) struct Peer {
    input: Box<dyn Write + Send>,
    lines: Receiver<String>,
    process: Option<Process>,
    /// The connection, to be shut down.
    connection: Option<TcpStream>,
}

/// A process with a folder of its own: some engines write files where they are.
struct Process {
    child: Child,
    folder: PathBuf,
}

impl Peer {
    /// Starts a program. Its standard error is dropped.
    pub fn spawn(command: &[String]) -> Result<Peer, EngineError> {
        let failed = |error| EngineError::Start(command.join(" "), error);
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("farboard-match-{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        // A relative path is meant from where we are.
        let program = &command[0];
        let program = if program.contains('/') {
            std::path::absolute(program).map_err(failed)?
        } else {
            program.into()
        };
        let child = Command::new(program)
            .args(&command[1..])
            .current_dir(&folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let child = child.inspect_err(|_| drop(std::fs::remove_dir(&folder))).map_err(failed)?;
        let mut process = Process { child, folder };
        let pipes = process.child.stdin.take().zip(process.child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| failed(io::Error::other("it has no pipes")))?;
        let lines = read_lines(output).map_err(failed)?;
        Ok(Peer { input: Box::new(input), lines, process: Some(process), connection: None })
    }

    /// Connects to a server.
    pub fn connect(address: &str) -> Result<Peer, EngineError> {
        let connected = || {
            let connection = TcpStream::connect(address)?;
            connection.set_nodelay(true)?;
            let (input, output) = (connection.try_clone()?, connection.try_clone()?);
            let lines = read_lines(output)?;
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
        self.lines.try_iter().take(2 * MAX_WAITING).collect()
    }

    /// CPU time that the process has used; `None` for a server.
    pub fn cpu_time(&self) -> Option<Duration> {
        let id = self.process.as_ref()?.child.id();
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

impl Drop for Process {
    /// Ends the process, and what it has started.
    fn drop(&mut self) {
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A thread that reads until the end, or until nobody wants the lines.
fn read_lines(output: impl Read + Send + 'static) -> io::Result<Receiver<String>> {
    let (sender, lines) = sync_channel(MAX_WAITING);
    std::thread::Builder::new().name("engine".to_owned()).spawn(move || pass_on(output, &sender))?;
    Ok(lines)
}

fn pass_on(output: impl Read, sender: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match (&mut output).take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                if sender.send(text).is_err() {
                    return;
                }
            }
        }
    }
}
