//! The server under load: a new one, or one that runs already.

use super::plan::Plan;
use super::process::{Process, Usage};
use crate::monitor::{Snapshot, ask};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use std::io::{self, BufRead, BufReader};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time that a new server has to end.
const END_TIMEOUT: Duration = Duration::from_secs(30);
/// File descriptors in addition to the sessions'.
const OTHER_DESCRIPTORS: usize = 200;
/// Niceness of the load generator, so that it does not measure its own delays.
const NICENESS: i32 = -10;

/// A failure to reach or start the server.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The address is invalid or cannot be resolved.
    #[error("{address} cannot be used: --server takes HOST:PORT, such as 127.0.0.1:5254")]
    Address {
        /// The address.
        address: String,
        /// The cause.
        source: io::Error,
    },
    /// The new server did not start.
    #[error("the server to be measured does not start")]
    Start(#[source] io::Error),
    /// The new server did not print its addresses.
    #[error(
        "the server to be measured does not print its addresses, but {0:?}: arguments behind -- must be flags of \
         `farboard serve`"
    )]
    Silent(String),
    /// The system allows too few open files.
    #[error(
        "the system allows {allowed} open files, and {wanted} are needed: have fewer sessions, or raise the limit \
         (ulimit -n {wanted})"
    )]
    Descriptors {
        /// Open files that a process may have.
        allowed: u64,
        /// Open files that are needed.
        wanted: usize,
    },
}

/// The required capacity of a new server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capacity {
    /// Concurrent sessions.
    pub sessions: usize,
    /// Searches of one class that start at once; 1,024 are always possible.
    pub searches: usize,
}

/// The server under load. A new one ends with this value.
pub struct Target {
    /// Address of the listener that is loaded: the last one.
    pub address: SocketAddr,
    /// Addresses of its further listeners.
    pub others: Vec<SocketAddr>,
    process: Option<Process>,
    control: Option<PathBuf>,
    child: Option<Child>,
}

impl Target {
    /// The server that the plan names, or a new one; `program` is `farboard`.
    ///
    /// # Errors
    /// See [`TargetError`].
    pub fn of(plan: &Plan, capacity: Capacity, program: &Path) -> Result<Target, TargetError> {
        allow_descriptors(capacity.sessions + OTHER_DESCRIPTORS)?;
        let target = match &plan.server {
            Some(address) => Target {
                address: resolve(address)?,
                others: Vec::new(),
                process: plan.pid.map(|pid| Process { pid, table: plan.table_bytes() }),
                control: plan.control.clone(),
                child: None,
            },
            None => start(plan, capacity, program)?,
        };
        // Only now, since a child process inherits it. Without the permission, the load generator
        // is as late as other programs.
        let _ = rustix::process::setpriority_process(None, NICENESS);
        Ok(target)
    }

    /// Resources in use; `None` if the process is not known or has ended.
    pub fn usage(&self) -> Option<Usage> {
        self.process?.usage().ok()
    }

    /// State of the server; `None` without a control socket.
    pub fn snapshot(&self) -> Option<Snapshot> {
        ask::snapshot(self.control.as_ref()?).ok()
    }

    /// Returns true if the load generator started the server.
    pub fn is_own(&self) -> bool {
        self.child.is_some()
    }

    /// Ends the server if the load generator started it.
    ///
    /// # Errors
    /// What went wrong at its end.
    pub fn end(mut self) -> Result<(), String> {
        let Some(child) = &mut self.child else { return Ok(()) };
        // Twice: the second signal ends it without waiting for running games.
        for _ in 0..2 {
            let _ = kill_process(Pid::from_child(child), Signal::TERM);
            std::thread::sleep(Duration::from_millis(20));
        }
        let deadline = Instant::now() + END_TIMEOUT;
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => return Err(format!("the server ended with {status}")),
                Err(error) => return Err(format!("the server cannot be waited for: {error}")),
                Ok(None) if Instant::now() > deadline => return Err("the server does not end".to_owned()),
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn resolve(address: &str) -> Result<SocketAddr, TargetError> {
    let nothing = || io::ErrorKind::AddrNotAvailable.into();
    let found = address.to_socket_addrs().and_then(|mut found| found.next().ok_or_else(nothing));
    found.map_err(|source| TargetError::Address { address: address.to_owned(), source })
}

/// Raises the limit of file descriptors. Each side of a connection needs one in its own process; a
/// new server inherits the limit.
fn allow_descriptors(wanted: usize) -> Result<(), TargetError> {
    let limit = getrlimit(Resource::Nofile);
    let enough = |limit: Option<u64>| limit.is_none_or(|limit| limit >= wanted as u64);
    if enough(limit.current) {
        return Ok(());
    }
    let raise = |most: Option<u64>| {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: most, maximum: most });
        enough(getrlimit(Resource::Nofile).current)
    };
    if raise(limit.maximum) || raise(Some(wanted as u64)) {
        return Ok(());
    }
    let allowed = getrlimit(Resource::Nofile).current.unwrap_or(0);
    Err(TargetError::Descriptors { allowed, wanted })
}

/// The command that starts a server with this control socket.
fn command_of(plan: &Plan, capacity: Capacity, program: &Path, control: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["serve", "--log", "error"]);
    let has_flag = |name: &str| plan.serve.iter().any(|flag| flag.starts_with(name));
    if !has_flag("--config") {
        command.args(["--listen", "127.0.0.1:0"]);
    }
    command.args(["--table", &plan.table().to_string(), "--workers", &plan.workers().to_string()]);
    command.args(["--max-sessions", &(capacity.sessions + OTHER_DESCRIPTORS).to_string()]);
    command.args(["--max-searches", &capacity.searches.max(1024).to_string()]);
    command.arg("--control").arg(control);
    // The server must end even if the load generator is killed.
    if cfg!(target_os = "linux") {
        command.arg("--end-with-parent");
    }
    // The service manager of the load generator must not get the server's notification: the server
    // would not print its addresses then.
    command.env_remove("NOTIFY_SOCKET");
    command.args(&plan.serve).stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

fn start(plan: &Plan, capacity: Capacity, program: &Path) -> Result<Target, TargetError> {
    let control = std::env::temp_dir().join(format!("farboard-load-{}", std::process::id()));
    let mut child = command_of(plan, capacity, program, &control).spawn().map_err(TargetError::Start)?;
    let process = Process { pid: child.id(), table: plan.table_bytes() };
    let mut said = String::new();
    if let Some(stdout) = child.stdout.take() {
        // Further output is not read. It fits into the pipe.
        let _ = BufReader::new(stdout).read_line(&mut said);
    }
    let mut addresses: Vec<SocketAddr> =
        said.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
    let address = addresses.pop();
    let Some(address) = address else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(TargetError::Silent(said));
    };
    Ok(Target {
        address,
        others: addresses,
        process: Some(process),
        control: Some(control),
        child: Some(child),
    })
}
