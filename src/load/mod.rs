//! `farboard load`: thousands of clients in one thread, and how a server bears them.
//!
//! A [`Scenario`] runs a few phases ([`phase::Phase`]), each a state machine without sockets and clocks. The
//! event loop in [`clients`] performs the actions of a phase and passes it what the server says. Any engine
//! that speaks xboard or UCI over TCP can be loaded; a figure that it cannot give is "n/a", and every wait has
//! an end.
//!
//! * [`plan`]: what to measure. [`target`], `tls_files`: the server. [`process`]: what it takes of the machine.
//!   [`machine`], [`stalls`]: delays that are not its fault.
//! * [`dialect`]: what clients say and hear in each protocol.
//! * [`connect_phase`]: opening sessions. `client_stream`: how each client reaches the server. [`scenarios`]: what clients do, and the figures.
//! * [`openings`]: distinct start positions.
//! * [`report`], [`statistics`]: figures and problems. [`progress`]: what is shown before there are any.

mod client_stream;
pub mod clients;
pub mod connect_phase;
pub mod dialect;
pub mod machine;
pub mod openings;
pub mod phase;
pub mod plan;
pub mod process;
pub mod progress;
pub mod report;
pub mod runner;
pub mod scenarios;
mod source_addresses;
pub mod stalls;
pub mod statistics;
pub mod target;
mod tls_files;

pub use client_stream::Way;
pub use plan::{Plan, Scenario};
pub use report::{Figure, Report};

use dialect::Protocol;
use machine::Machine;
use runner::Runner;
use rustix::time::{ClockId, clock_gettime};
use scenarios::flood::deaf;
use scenarios::games::{mixed, neighbours};
use scenarios::pings::{self, idle};
use scenarios::strangers::SecretFile;
use scenarios::{analysis, churn, flood, games, handshakes, scroll, start, strangers};
use stalls::StallWatch;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use target::{Capacity, Target, TargetError};

/// Why nothing was measured.
#[derive(Debug)]
pub enum LoadError {
    /// The server cannot be reached or started.
    Target(TargetError),
    /// A system call failed or a resource is used up.
    System(io::Error),
    /// The clients of this scenario speak xboard only.
    Protocol,
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LoadError::Target(error) => error.fmt(f),
            LoadError::System(_) => f.write_str("the system has no room for that many clients"),
            LoadError::Protocol => f.write_str(
                "this scenario is in xboard's protocol only: --protocol uci is for analysis, games, mixed, neighbours and start",
            ),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LoadError::Target(error) => error.source(),
            LoadError::System(error) => Some(error),
            LoadError::Protocol => None,
        }
    }
}

/// Runs the plan. `program` is `farboard`, for a server started by the load generator.
///
/// # Errors
/// Nothing could be measured. Problems with the measured server are in the report.
pub fn run(plan: &Plan, program: &Path) -> Result<Report, LoadError> {
    if plan.protocol == Protocol::Uci && !plan.scenario.knows_uci() {
        return Err(LoadError::Protocol);
    }
    let sessions = |default| plan.sessions_or(default);
    let (name, sessions, searches) = match plan.scenario {
        Scenario::Idle => ("idle", sessions(idle::SESSIONS), 0),
        Scenario::Ping => ("ping", pings::BYSTANDERS + pings::searches(plan), pings::searches(plan)),
        Scenario::Analysis => ("analysis", sessions(analysis::SESSIONS), sessions(analysis::SESSIONS)),
        Scenario::Games => ("games", 2 * plan.games(), plan.games()),
        Scenario::Mixed => ("mixed", 2 * plan.games() + sessions(mixed::ANALYSES), sessions(mixed::ANALYSES)),
        Scenario::Neighbours => {
            let games = plan.games_or(neighbours::GAMES);
            ("neighbours", 2 + 2 * games, 2 * (1 + games))
        }
        Scenario::Scroll => ("scroll", sessions(scroll::SESSIONS), sessions(scroll::SESSIONS)),
        Scenario::Handshakes => {
            ("handshakes", handshakes::BYSTANDERS + plan.connections_or(handshakes::AT_ONCE), 0)
        }
        Scenario::Churn => ("churn", churn::capacity(plan), 0),
        Scenario::Flood => {
            let flooders = sessions(flood::SESSIONS);
            ("flood", flood::BYSTANDERS + 2 * flooders, flooders)
        }
        Scenario::Deaf => ("deaf", deaf::BYSTANDERS + 2 * sessions(deaf::SESSIONS), 0),
        Scenario::Strangers => ("strangers", 2 * sessions(strangers::SESSIONS), 0),
        Scenario::Start => ("start", start::capacity(plan), start::sessions(plan)),
    };
    let capacity = Capacity { sessions, searches };
    let (secret, plan) = with_secret(plan).map_err(LoadError::System)?;
    let plan = &plan;
    let target = Target::of(plan, capacity, program).map_err(LoadError::Target)?;
    drop(secret);
    let mut report = Report::new(name);
    let mut runner =
        Runner::new(target, plan.protocol, plan.way(), plan.profile.clone()).map_err(LoadError::System)?;
    let (began, used, machine) = (Instant::now(), processor_time(), Machine::now());
    let watch = StallWatch::begin();
    let done = match plan.scenario {
        Scenario::Idle => idle::run(&mut runner, plan, &mut report),
        Scenario::Ping => pings::run(&mut runner, plan, &mut report),
        Scenario::Analysis => analysis::run(&mut runner, plan, &mut report),
        Scenario::Games => games::run(&mut runner, plan, &mut report),
        Scenario::Mixed => mixed::run(&mut runner, plan, &mut report),
        Scenario::Neighbours => neighbours::run(&mut runner, plan, &mut report),
        Scenario::Scroll => scroll::run(&mut runner, plan, &mut report),
        Scenario::Handshakes => handshakes::run(&mut runner, plan, &mut report),
        Scenario::Churn => churn::run(&mut runner, plan, &mut report),
        Scenario::Flood => flood::run(&mut runner, plan, &mut report),
        Scenario::Deaf => deaf::run(&mut runner, plan, &mut report),
        Scenario::Strangers => strangers::run(&mut runner, plan, &mut report),
        Scenario::Start => start::run(&mut runner, plan, &mut report),
    };
    let stall = watch.end();
    done.map_err(LoadError::System)?;
    let own = processor_time().saturating_sub(used).as_secs_f64() / began.elapsed().as_secs_f64().max(1e-9);
    report.add("the load generator's share of a core", own * 100.0, "%");
    let stolen = Machine::now().zip(machine).and_then(|(now, before)| now.stolen_since(before));
    report.add("cores that other machines took", stolen.map(|part| part * 100.0), "%");
    report.add("longest stall of a core", stall.map(|stall| stall.as_secs_f64() * 1000.0), "ms");
    runner.close_all();
    if let Err(problem) = runner.target.end() {
        report.problem(problem);
    }
    Ok(report)
}

/// Adds a secret file to the plan of a scenario that needs one. It may be removed as soon as the server
/// listens, since the server has read it by then.
fn with_secret(plan: &Plan) -> io::Result<(Option<SecretFile>, Plan)> {
    let mut plan = plan.clone();
    if plan.scenario != Scenario::Strangers || plan.server.is_some() {
        return Ok((None, plan));
    }
    let file = SecretFile::new()?;
    plan.serve.extend(file.flags());
    Ok((Some(file), plan))
}

/// CPU time used by this process.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}
