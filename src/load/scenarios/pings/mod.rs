//! Ping times while all cores search.

pub mod idle;
mod phase;

pub use phase::Pings;

use crate::load::client::LoadClient;
use crate::load::openings::Openings;
use crate::load::phase::WithBackground;
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
    if able {
        runner.run(&mut WithBackground(&mut busy, &mut analyses), 2 * plan.lasting(), report)?;
    }
    let (quiet, busy) = (PingStats::of(&quiet), PingStats::of(&busy));
    report.count("searches", searching.len());
    quiet.add_figures("of an idle server", report);
    busy.add_figures("while it searches", report);
    let worse = quiet.p99.zip(busy.p99).and_then(|(quiet, busy)| ratio(busy, quiet));
    report.add("ping p99, searching / idle", worse, "");
    report.must_be_none("pings lost", quiet.lost + busy.lost);
    report.must_be_none("searches lost", analyses.lost());
    Ok(())
}

/// Ping times in milliseconds; `None` where the engine cannot be pinged.
#[derive(Clone, Copy, Debug)]
pub struct PingStats {
    /// Median.
    pub p50: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// Longest.
    pub worst: Option<f64>,
    /// Pings without an answer.
    pub lost: usize,
}

impl PingStats {
    /// Figures of a phase.
    pub fn of(pings: &Pings) -> PingStats {
        PingStats::of_samples(&pings.samples, pings.lost)
    }

    /// Figures of several phases, with `lost` pings without an answer.
    pub fn of_samples(samples: &Samples, lost: usize) -> PingStats {
        let (p50, p99, worst) = (samples.percentile(50.0), samples.percentile(99.0), samples.worst());
        PingStats { p50, p99, worst, lost }
    }

    /// Adds the figures to the report.
    pub fn add_figures(&self, when: &str, report: &mut Report) {
        report.add(format!("ping p50 {when}"), self.p50, "ms");
        report.add(format!("ping p99 {when}"), self.p99, "ms");
        report.add(format!("ping worst {when}"), self.worst, "ms");
    }
}

/// Clients whose engine can be pinged.
pub fn with_ping(clients: &[LoadClient]) -> Vec<LoadClient> {
    clients.iter().filter(|client| client.engine.can_ping()).cloned().collect()
}
