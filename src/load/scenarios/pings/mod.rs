//! Ping times while all cores search.

pub mod idle;
mod phase;

pub use phase::Pings;

use crate::load::client::LoadClient;
use crate::load::openings::Openings;
use crate::load::phase::Concurrent;
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::runner::Runner;
use crate::load::scenarios::analysis::Analyses;
use crate::load::statistics::{Samples, ratio};
use std::io;
use std::time::Duration;

/// Sessions that are pinged.
pub const BYSTANDERS: usize = 10;
/// Pause between an answer and the next ping.
const GAP: Duration = Duration::from_millis(1);
/// Pings per second of the plan.
const PER_SECOND: usize = 400;
/// Longer than any measurement.
const ENDLESS: Duration = Duration::from_secs(24 * 3600);

/// Searches of the plan, two for each core by default.
pub fn searches(plan: &Plan) -> usize {
    plan.sessions_or(2 * plan.workers())
}

/// Pings an idle server, then one that searches.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let pinged = runner.open(BYSTANDERS, report)?.clients;
    let searching = runner.open(searches(plan), report)?.clients;
    let count = plan.seconds.max(1) as usize * PER_SECOND;
    let pings = || Pings::new(with_ping(&pinged), count, GAP, 2 * plan.lasting());
    let mut quiet = pings();
    runner.run(&mut quiet, 2 * plan.lasting(), report)?;

    let able = searching.iter().all(|client| client.engine.can_analyze());
    let mut busy = if able { pings() } else { Pings::new(Vec::new(), 0, GAP, GAP) };
    let mut analyses = Analyses::new(&searching, &mut Openings::new(plan.seed), ENDLESS);
    analyses.in_background = true;
    if able {
        runner.run(&mut Concurrent([&mut analyses, &mut busy]), 2 * plan.lasting(), report)?;
    }
    report.count("searches", searching.len());
    report.add_times("ping", " of an idle server", &quiet.samples);
    report.add_times("ping", " while it searches", &busy.samples);
    add_ratio("ping p99, searching / idle", &busy.samples, &quiet.samples, report);
    report.must_be_none("pings lost", quiet.lost + busy.lost);
    report.must_be_none("searches lost", analyses.lost());
    Ok(())
}

/// Adds the 99th percentile of ping times as a multiple of another one.
pub fn add_ratio(name: &str, samples: &Samples, others: &Samples, report: &mut Report) {
    let (p99, other) = (samples.percentile(99.0), others.percentile(99.0));
    report.add(name, other.zip(p99).and_then(|(other, p99)| ratio(p99, other)), "");
}

/// Clients whose engine can be pinged.
pub fn with_ping(clients: &[LoadClient]) -> Vec<LoadClient> {
    clients.iter().filter(|client| client.engine.can_ping()).cloned().collect()
}
