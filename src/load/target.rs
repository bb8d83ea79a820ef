//! The server under load: one of our own, started for this, or any that is there.

use super::handshakes::Files;
use super::plan::{Plan, Scenario};
use super::process::{Process, Usage};
use crate::monitor::Snapshot;
use crate::monitor::ask;
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use std::fmt;
use std::io::{self, BufRead, BufReader};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long our server may take to end.
const END: Duration = Duration::from_secs(30);
/// Open files besides those of sessions.
const OTHER_DESCRIPTORS: usize = 200;
/// What is asked of the system for this process, so that it is not its own lateness that it measures.
const NICENESS: i32 = -10;

/// Why there is nothing to measure.
#[derive(Debug)]
pub enum TargetError {
    /// The address is none, or has none.
    Address(String, io::Error),
    /// Our server did not start.
    Start(io::Error),
    /// It started, and did not say where it listens.
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

/// What a server of our own must have room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Sessions at one time.
    pub sessions: usize,
    /// Searches of one class that all shall be begun at once; there is room for a thousand anyway.
    pub searches: usize,
}

/// A server. One of our own is ended with it.
pub struct Target {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where it speaks TLS, if that is needed.
    pub tls: Option<SocketAddr>,
    process: Option<Process>,
    control: Option<PathBuf>,
    child: Option<Child>,
}

impl Target {
    /// The server that the plan names, or one of our own; `program` is `farboard`.
    ///
    /// # Errors
    /// See [`TargetError`].
    pub fn of(plan: &Plan, room: Room, program: &Path) -> Result<Target, TargetError> {
        allow_descriptors(room.sessions + OTHER_DESCRIPTORS)?;
        let target = match &plan.server {
            Some(address) => Target {
                address: resolve(address)?,
                tls: plan.tls_listener.as_deref().map(resolve).transpose()?,
                process: plan.pid.map(|pid| Process { pid, table: plan.table_bytes() }),
                control: plan.control.clone(),
                child: None,
            },
            None => start(plan, room, program)?,
        };
        // Not before: a child inherits it. Without the permission we are as late as others.
        let _ = rustix::process::setpriority_process(None, NICENESS);
        Ok(target)
    }

    /// What it takes of the machine; `None` if it is not known which process it is, or if it is no more.
    pub fn usage(&self) -> Option<Usage> {
        self.process?.usage().ok()
    }

    /// What it tells of itself; `None` if it has no control socket.
    pub fn snapshot(&self) -> Option<Snapshot> {
        ask::snapshot(self.control.as_ref()?).ok()
    }

    /// Whether it is one of our own.
    pub fn is_ours(&self) -> bool {
        self.child.is_some()
    }

    /// Ends it if it is our own.
    ///
    /// # Errors
    /// What was wrong with its end.
    pub fn end(mut self) -> Result<(), String> {
        let Some(child) = &mut self.child else { return Ok(()) };
        // Twice: running games need not end.
        for _ in 0..2 {
            let _ = kill_process(Pid::from_child(child), Signal::TERM);
            std::thread::sleep(Duration::from_millis(20));
        }
        let deadline = Instant::now() + END;
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

/// Both sides of a connection on this machine need a descriptor, each in its own process; a server of ours inherits the
/// limit.
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

fn start(plan: &Plan, room: Room, program: &Path) -> Result<Target, TargetError> {
    let mut command = Command::new(program);
    command.args(["serve", "--log", "error"]);
    let files = match plan.scenario {
        Scenario::Handshakes => Some(Files::make(plan.tls_file.as_deref()).map_err(TargetError::Start)?),
        _ => None,
    };
    match &files {
        Some(files) => {
            // Whoever is in a handshake has one of these places.
            let places = room.sessions.to_string();
            command.arg("--config").arg(files.config()).args(["--max-unproven", &places])
        }
        None => command.args(["--listen", "127.0.0.1:0"]),
    };
    command.args(["--table", &plan.table().to_string(), "--workers", &plan.workers().to_string()]);
    command.args(["--max-sessions", &(room.sessions + OTHER_DESCRIPTORS).to_string()]);
    command.args(["--max-searches", &room.searches.max(1024).to_string()]);
    let has_flag = |name: &str| plan.serve.iter().any(|flag| flag.starts_with(name));
    if plan.scenario == Scenario::Neighbours && !has_flag("--share-by") {
        command.args(["--share-by", "address"]);
    }
    let control = std::env::temp_dir().join(format!("farboard-load-{}", std::process::id()));
    command.arg("--control").arg(&control);
    // Whatever ends us, by a signal that nobody can see coming too.
    if cfg!(target_os = "linux") {
        command.arg("--end-with-parent");
    }
    // Who looks after us does not look after our server, which has to say where it listens.
    command.env_remove("NOTIFY_SOCKET");
    command.args(&plan.serve).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(TargetError::Start)?;
    let process = Process { pid: child.id(), table: plan.table_bytes() };
    let mut said = String::new();
    if let Some(stdout) = child.stdout.take() {
        // What follows is for people. A pipe has room for it.
        let _ = BufReader::new(stdout).read_line(&mut said);
    }
    // What is named last is loaded. TLS is spoken at the one before, if there is one.
    let mut addresses = said.split_ascii_whitespace().rev().filter_map(|word| word.parse().ok());
    let (address, tls) = (addresses.next(), addresses.next());
    let Some(address) = address else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(TargetError::Silent(said));
    };
    Ok(Target { address, tls, process: Some(process), control: Some(control), child: Some(child) })
}
