//! `farboard load`: thousands of clients in one thread, and what a server makes of them.
//!
//! A [`Scenario`] is a few phases ([`phase::Phase`]), each a state machine without sockets and clocks. The [`crowd`] carries
//! out what they order and tells them what the server says. Any engine that speaks xboard over TCP can be loaded; what it
//! does not know is "n/a", and nothing is waited for without end.
//!
//! * [`plan`]: what is to be measured. [`target`]: the server, and [`process`] what it takes of the [`machine`],
//!   whose [`stalls`] are not its doing.
//! * [`phases`]: opening sessions, pings, analyses, games … [`scenarios`]: which of them, in which order, and the figures.
//! * [`disturbance`]: clients that are no part of what is measured, and disturb it.
//! * [`handshakes`]: TLS, as far as it costs a server something.
//! * [`heard`], [`features`]: what engines say. [`openings`]: different positions to begin with.
//! * [`report`], [`statistics`]: figures, and what was wrong. [`progress`]: what is said before there are any.

pub mod crowd;
pub mod disturbance;
pub mod features;
pub mod handshakes;
pub mod heard;
pub mod machine;
pub mod openings;
pub mod phase;
pub mod phases;
pub mod plan;
pub mod process;
pub mod progress;
pub mod report;
pub mod scenarios;
mod sources;
pub mod stage;
pub mod stalls;
pub mod statistics;
pub mod target;

pub use plan::{Plan, Scenario};
pub use report::{Figure, Report};

use machine::Machine;
use rustix::time::{ClockId, clock_gettime};
use scenarios::strangers::SecretFile;
use scenarios::{
    analysis, churn, deaf, flood, games, handshakes as tls, idle, mixed, neighbours, ping, scroll, start,
    strangers,
};
use stage::Stage;
use stalls::Watch;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use target::{Room, Target, TargetError};

/// Why nothing was measured.
#[derive(Debug)]
pub enum LoadError {
    /// There is no server.
    Target(TargetError),
    /// The system has no more of something, or does not tell.
    System(io::Error),
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LoadError::Target(error) => error.fmt(f),
            LoadError::System(_) => f.write_str("the system does not let so many clients be"),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LoadError::Target(error) => error.source(),
            LoadError::System(error) => Some(error),
        }
    }
}

/// Does what the plan says. `program` is `farboard`, for a server of our own.
///
/// # Errors
/// Nothing could be measured; what was wrong with what was measured is in the report.
pub fn run(plan: &Plan, program: &Path) -> Result<Report, LoadError> {
    let sessions = |default| plan.sessions_or(default);
    let (name, sessions, searches) = match plan.scenario {
        Scenario::Idle => ("idle", sessions(idle::SESSIONS), 0),
        Scenario::Ping => ("ping", ping::ASKED + ping::searches(plan), ping::searches(plan)),
        Scenario::Analysis => ("analysis", sessions(analysis::SESSIONS), sessions(analysis::SESSIONS)),
        Scenario::Games => ("games", 2 * plan.games(), plan.games()),
        Scenario::Mixed => ("mixed", 2 * plan.games() + sessions(mixed::ANALYSES), sessions(mixed::ANALYSES)),
        Scenario::Neighbours => {
            let games = plan.games_or(neighbours::GAMES);
            ("neighbours", 2 + 2 * games, 2 * (1 + games))
        }
        Scenario::Scroll => ("scroll", sessions(scroll::SESSIONS), sessions(scroll::SESSIONS)),
        Scenario::Handshakes => ("handshakes", tls::ASKED + plan.connections_or(tls::AT_ONCE), 0),
        Scenario::Churn => ("churn", churn::room(plan), 0),
        Scenario::Flood => {
            let flooders = sessions(flood::SESSIONS);
            ("flood", flood::ASKED + 2 * flooders, flooders)
        }
        Scenario::Deaf => ("deaf", deaf::ASKED + 2 * sessions(deaf::SESSIONS), 0),
        Scenario::Strangers => ("strangers", 2 * sessions(strangers::SESSIONS), 0),
        Scenario::Start => ("start", start::room(plan), start::sessions(plan)),
    };
    let room = Room { sessions, searches };
    let (secret, plan) = with_secret(plan).map_err(LoadError::System)?;
    let plan = &plan;
    let target = Target::of(plan, room, program).map_err(LoadError::Target)?;
    drop(secret);
    let mut report = Report::new(name);
    let mut stage = Stage::new(target).map_err(LoadError::System)?;
    let (began, used, machine) = (Instant::now(), processor_time(), Machine::now());
    let watch = Watch::begin();
    let done = match plan.scenario {
        Scenario::Idle => idle::run(&mut stage, plan, &mut report),
        Scenario::Ping => ping::run(&mut stage, plan, &mut report),
        Scenario::Analysis => analysis::run(&mut stage, plan, &mut report),
        Scenario::Games => games::run(&mut stage, plan, &mut report),
        Scenario::Mixed => mixed::run(&mut stage, plan, &mut report),
        Scenario::Neighbours => neighbours::run(&mut stage, plan, &mut report),
        Scenario::Scroll => scroll::run(&mut stage, plan, &mut report),
        Scenario::Handshakes => tls::run(&mut stage, plan, &mut report),
        Scenario::Churn => churn::run(&mut stage, plan, &mut report),
        Scenario::Flood => flood::run(&mut stage, plan, &mut report),
        Scenario::Deaf => deaf::run(&mut stage, plan, &mut report),
        Scenario::Strangers => strangers::run(&mut stage, plan, &mut report),
        Scenario::Start => start::run(&mut stage, plan, &mut report),
    };
    let stall = watch.end();
    done.map_err(LoadError::System)?;
    let own = processor_time().saturating_sub(used).as_secs_f64() / began.elapsed().as_secs_f64().max(1e-9);
    report.add("the load generator's share of a core", own * 100.0, "%");
    let stolen = Machine::now().zip(machine).and_then(|(now, before)| now.stolen_since(before));
    report.add("cores that other machines took", stolen.map(|part| part * 100.0), "%");
    report.add("longest stall of a core", stall.map(|stall| stall.as_secs_f64() * 1000.0), "ms");
    stage.clear();
    if let Err(problem) = stage.target.end() {
        report.problem(problem);
    }
    Ok(report)
}

/// The plan with a secret for a server of our own, where that is what is measured. The server has read the file when it
/// listens.
fn with_secret(plan: &Plan) -> io::Result<(Option<SecretFile>, Plan)> {
    let mut plan = plan.clone();
    if plan.scenario != Scenario::Strangers || plan.server.is_some() {
        return Ok((None, plan));
    }
    let file = SecretFile::new()?;
    plan.serve.extend(file.flags());
    Ok((Some(file), plan))
}

/// What this process has used of a processor.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}
