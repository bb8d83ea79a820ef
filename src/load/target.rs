//! The server under load: a new one, or one that runs already.

use super::plan::{Plan, Scenario};
use super::process::{Process, Usage};
use super::tls_files::TlsFiles;
use crate::monitor::Snapshot;
use crate::monitor::ask;
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use std::fmt;
use std::io::{self, BufRead, BufReader};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time that a new server has to end.
const END_TIMEOUT: Duration = Duration::from_secs(30);
/// File descriptors besides those of sessions.
const OTHER_DESCRIPTORS: usize = 200;
/// Niceness of the load generator, so that it does not measure its own delays.
const NICENESS: i32 = -10;

/// Why there is nothing to measure.
#[derive(Debug)]
pub enum TargetError {
    /// The address is invalid or cannot be resolved.
    Address(String, io::Error),
    /// The new server did not start.
    Start(io::Error),
    /// The new server did not say where it listens.
    Silent(String),
    /// The system allows too few open files.
    Descriptors(u64, usize),
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetError::Address(address, _) => {
                write!(f, "{address} cannot be used: --server takes HOST:PORT, such as 127.0.0.1:5254")
            }
            TargetError::Start(_) => f.write_str("the server to be measured does not start"),
            TargetError::Silent(said) => write!(
                f,
                "the server to be measured does not say where it listens, but {said:?}: what stands behind -- must be \
                 flags of `farboard serve`"
            ),
            TargetError::Descriptors(allowed, wanted) => write!(
                f,
                "the system allows {allowed} open files, and {wanted} are needed: have fewer sessions, or raise the \
                 limit (ulimit -n {wanted})"
            ),
        }
    }
}

impl std::error::Error for TargetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TargetError::Address(_, error) | TargetError::Start(error) => Some(error),
            TargetError::Silent(_) | TargetError::Descriptors(..) => None,
        }
    }
}

/// What a new server must have room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capacity {
    /// Concurrent sessions.
    pub sessions: usize,
    /// Searches of one class that start at once; 1,024 are always possible.
    pub searches: usize,
}

/// The server under load. A new one ends with this value.
pub struct Target {
    /// Address of its listener.
    pub address: SocketAddr,
    /// Address of its TLS listener, if one is needed.
    pub tls: Option<SocketAddr>,
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
                tls: plan.tls_listener.as_deref().map(resolve).transpose()?,
                process: plan.pid.map(|pid| Process { pid, table: plan.table_bytes() }),
                control: plan.control.clone(),
                child: None,
            },
            None => start(plan, capacity, program)?,
        };
        // Only now, since a child process inherits it. Without the permission, the load generator is as late
        // as other programs.
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

    /// Whether the load generator started the server.
    pub fn is_ours(&self) -> bool {
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
    found.map_err(|error| TargetError::Address(address.to_owned(), error))
}

/// Raises the limit of file descriptors. Each side of a connection needs one in its own process; a new server
/// inherits the limit.
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
    Err(TargetError::Descriptors(getrlimit(Resource::Nofile).current.unwrap_or(0), wanted))
}

fn start(plan: &Plan, capacity: Capacity, program: &Path) -> Result<Target, TargetError> {
    let mut command = Command::new(program);
    command.args(["serve", "--log", "error"]);
    let files = match plan.scenario {
        Scenario::Handshakes => Some(TlsFiles::make(plan.tls_file.as_deref()).map_err(TargetError::Start)?),
        _ => None,
    };
    match &files {
        Some(files) => {
            // A client in a handshake takes one of these places.
            let places = capacity.sessions.to_string();
            command.arg("--config").arg(files.config()).args(["--max-unproven", &places])
        }
        None => command.args(["--listen", "127.0.0.1:0"]),
    };
    command.args(["--table", &plan.table().to_string(), "--workers", &plan.workers().to_string()]);
    command.args(["--max-sessions", &(capacity.sessions + OTHER_DESCRIPTORS).to_string()]);
    command.args(["--max-searches", &capacity.searches.max(1024).to_string()]);
    let has_flag = |name: &str| plan.serve.iter().any(|flag| flag.starts_with(name));
    if plan.scenario == Scenario::Neighbours && !has_flag("--share-by") {
        command.args(["--share-by", "address"]);
    }
    let control = std::env::temp_dir().join(format!("farboard-load-{}", std::process::id()));
    command.arg("--control").arg(&control);
    // The server must end even if the load generator is killed.
    if cfg!(target_os = "linux") {
        command.arg("--end-with-parent");
    }
    // The service manager of the load generator must not get the server's notification: the server would not
    // print its addresses then.
    command.env_remove("NOTIFY_SOCKET");
    command.args(&plan.serve).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(TargetError::Start)?;
    let process = Process { pid: child.id(), table: plan.table_bytes() };
    let mut said = String::new();
    if let Some(stdout) = child.stdout.take() {
        // Further output is for people. It fits into the pipe.
        let _ = BufReader::new(stdout).read_line(&mut said);
    }
    // The last address is loaded. The one before, if any, speaks TLS.
    let mut addresses = said.split_ascii_whitespace().rev().filter_map(|word| word.parse().ok());
    let (address, tls) = (addresses.next(), addresses.next());
    let Some(address) = address else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(TargetError::Silent(said));
    };
    Ok(Target { address, tls, process: Some(process), control: Some(control), child: Some(child) })
}
