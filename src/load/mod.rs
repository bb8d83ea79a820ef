//! `farboard load`: thousands of clients in one thread, and what a server bears of them.
//!
//! A scenario runs a few phases ([`phase::Phase`]), each a state machine without sockets and
//! clocks. The event loop in [`client_loop`] performs the actions of a phase and passes it what the
//! server sends. Any engine that speaks xboard or UCI over TCP can be loaded; a figure that it
//! cannot give is "n/a", and every wait has an end.
//!
//! * [`plan`]: what to measure. [`target`]: the server. [`process`]: its resources. [`machine`],
//!   [`stalls`]: delays that are not the server's fault.
//! * [`client`]: a session. [`connect_phase`]: opening sessions. `client_stream`: the route to the
//!   server.
//! * [`scenarios`]: what clients do, and the figures. [`openings`]: distinct start positions.
//! * [`report`], [`statistics`]: figures and problems. [`progress`]: messages before there are any.

pub mod client;
pub mod client_loop;
mod client_stream;
pub mod connect_phase;
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

pub use client_stream::Route;
pub use plan::{LoadArguments, Plan, Scenario};
pub use report::{Figure, Report};

use machine::Machine;
use runner::Runner;
use rustix::time::{ClockId, clock_gettime};
use scenarios::games::mixed;
use scenarios::pings::{self, idle};
use scenarios::{analysis, games};
use stalls::StallWatch;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use target::{Capacity, Target, TargetError};

/// A failure to measure anything.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The server cannot be reached or started.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A system call failed or a resource is used up.
    #[error("the system has no room for that many clients")]
    System(#[from] io::Error),
}

/// Runs a scenario of the program. `program` is `farboard`, for a server started by the load
/// generator.
///
/// # Errors
/// Nothing could be measured. Problems with the measured server are in the report.
pub fn run(arguments: &LoadArguments, program: &Path) -> Result<Report, LoadError> {
    let plan = &arguments.plan;
    let sessions = |default| plan.sessions_or(default);
    let (analyses, games) = (sessions(analysis::SESSIONS), plan.games());
    let beside = sessions(mixed::ANALYSES);
    let pinged = pings::searches(plan);
    type Run = fn(&mut Runner, &Plan, &mut Report) -> io::Result<()>;
    let (name, run, sessions, searches): (_, Run, _, _) = match arguments.scenario {
        Scenario::Idle => ("idle", idle::run, sessions(idle::SESSIONS), 0),
        Scenario::Ping => ("ping", pings::run, pings::BYSTANDERS + pinged, pinged),
        Scenario::Analysis => ("analysis", analysis::run, analyses, analyses),
        Scenario::Games => ("games", games::run, 2 * games, games),
        Scenario::Mixed => ("mixed", mixed::run, 2 * games + beside, beside),
    };
    measure(name, Capacity { sessions, searches }, plan, program, run)
}

/// Runs a scenario with this name on a server with that capacity.
///
/// # Errors
/// Nothing could be measured. Problems with the measured server are in the report.
pub fn measure(
    name: &'static str,
    capacity: Capacity,
    plan: &Plan,
    program: &Path,
    scenario: impl FnOnce(&mut Runner, &Plan, &mut Report) -> io::Result<()>,
) -> Result<Report, LoadError> {
    let target = Target::of(plan, capacity, program)?;
    let mut report = Report::new(name);
    let mut runner = Runner::new(target, plan.protocol, plan.route(program), plan.profile.clone())?;
    let (began, used, machine) = (Instant::now(), processor_time(), Machine::now());
    let watch = StallWatch::begin();
    let done = scenario(&mut runner, plan, &mut report);
    let stall = watch.end();
    done?;
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

/// CPU time used by this process.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}
