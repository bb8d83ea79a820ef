//! Many analyses at once, compared with two at a time.

mod phase;

pub use phase::Analyses;

use crate::load::client::LoadClient;
use crate::load::machine::Machine;
use crate::load::openings::Openings;
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::runner::Runner;
use crate::load::statistics::{jain, ratio};
use std::io;
use std::time::Duration;

/// Pairs of analyses before the measurement and after it: the speed of machines and positions
/// varies.
const PAIRS: u32 = 10;
/// The pairs on one side together take this part of the duration of the plan.
const PART: u32 = 4;
/// Pause before the last pairs.
const PAUSE: Duration = Duration::from_millis(500);

/// Analyses by default.
pub const SESSIONS: usize = 1_000;

/// Nodes per second.
#[derive(Clone, Copy, Default, Debug)]
struct Rate {
    reported: f64,
    /// Per second of CPU time that was not stolen from this machine.
    undisturbed: Option<f64>,
}

impl Rate {
    /// The rate of finished analyses that began at `since`.
    fn of(analyses: &Analyses, since: Option<Machine>) -> Rate {
        let stolen = Machine::now().zip(since).and_then(|(now, before)| now.stolen_since(before));
        let reported = analyses.rate();
        Rate { reported, undisturbed: stolen.and_then(|stolen| ratio(reported, 1.0 - stolen)) }
    }

    fn mean(rates: &[Rate]) -> Rate {
        let count = rates.len().max(1) as f64;
        let undisturbed: Option<Vec<f64>> = rates.iter().map(|rate| rate.undisturbed).collect();
        Rate {
            reported: rates.iter().map(|rate| rate.reported).sum::<f64>() / count,
            undisturbed: undisturbed.map(|rates| rates.iter().sum::<f64>() / count),
        }
    }
}

/// Runs pairs of analyses one after another, then all analyses at once, then pairs again.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let before = runner.target.usage();
    let clients = runner.open(plan.sessions_or(SESSIONS), report)?.clients;
    report.count("analyses", clients.len());
    if clients.is_empty() || clients.iter().any(|client| !client.engine.can_analyze()) {
        add_empty_figures(report);
        return Ok(());
    }
    let mut openings = plan.openings(plan.seed);
    let mut pairs = pairs_of(runner, plan, &clients, &mut openings, report)?;
    let mut all = Analyses::new(&clients, &mut openings, plan.lasting()).that_pause();
    let began = Machine::now();
    runner.run(&mut all, plan.lasting(), report)?;
    // All of them still run.
    let (shares, after) = (shares(runner), runner.target.usage());
    runner.run(&mut all, Duration::ZERO, report)?;
    let together = Rate::of(&all, began);
    runner.run(&mut Analyses::none(PAUSE), PAUSE, report)?;
    pairs.extend(pairs_of(runner, plan, &clients, &mut openings, report)?);
    let pairs = Rate::mean(&pairs);

    report.add("nodes of two at a time", pairs.reported, "nodes/s");
    report.add("nodes of all together", together.reported, "nodes/s");
    report.add("all together / two at a time", ratio(together.reported, pairs.reported), "");
    let undisturbed =
        together.undisturbed.zip(pairs.undisturbed).and_then(|(together, pairs)| ratio(together, pairs));
    report.add("the same, of cores not stolen", undisturbed, "");
    report.add("fairness of time (Jain's index)", shares.and_then(jain), "");
    report.add("fairness of nodes (Jain's index)", jain(all.nodes()), "");
    report.add("least of all / average", least(&all), "");
    report.count("without output in time", all.silent());
    let added = before.zip(after).map(|(before, after)| after.memory.saturating_sub(before.memory) as f64);
    report.add("memory of an analysis", added.map(|added| added / 1024.0 / clients.len() as f64), "KiB");
    report.add("memory of all processes", after.map(|after| after.memory as f64 / 1_048_576.0), "MiB");
    report.must_be_none("starved", all.starved());
    report.must_be_none("analyses lost", all.lost());
    report.problems.extend(all.errors);
    Ok(())
}

/// Rates of analyses two at a time, pair after pair.
fn pairs_of(
    runner: &mut Runner,
    plan: &Plan,
    clients: &[LoadClient],
    openings: &mut Openings,
    report: &mut Report,
) -> io::Result<Vec<Rate>> {
    let lasting = plan.lasting() / PART / PAIRS;
    let mut rates = Vec::new();
    for index in 0..PAIRS as usize {
        // Different clients each time, since a position that is in the table already must not
        // count.
        let pair = [0, 1].map(|side| clients[(2 * index + side) % clients.len()].clone());
        let pair = &pair[..clients.len().min(2)];
        // An engine with little output may have none in such a short time.
        let mut analyses = Analyses::new(pair, openings, lasting).impatient();
        let began = Machine::now();
        runner.run(&mut analyses, lasting, report)?;
        rates.push(Rate::of(&analyses, began));
        report.problems.append(&mut analyses.errors);
    }
    Ok(rates)
}

/// Run time of each search, as the server reports it. Nodes would not do, since positions differ in
/// speed.
fn shares(runner: &Runner) -> Option<Vec<u64>> {
    let sessions = runner.target.snapshot()?.sessions;
    Some(sessions.into_iter().filter_map(|row| row.ran).collect())
}

fn least(analyses: &Analyses) -> Option<f64> {
    let (count, sum) = (analyses.nodes().count() as f64, analyses.nodes().sum::<u64>() as f64);
    ratio(analyses.nodes().min()? as f64 * count, sum)
}

/// Adds the figures without values, for an engine that cannot analyse.
fn add_empty_figures(report: &mut Report) {
    for (name, unit) in [
        ("nodes of two at a time", "nodes/s"),
        ("nodes of all together", "nodes/s"),
        ("all together / two at a time", ""),
        ("the same, of cores not stolen", ""),
        ("fairness of time (Jain's index)", ""),
        ("fairness of nodes (Jain's index)", ""),
        ("least of all / average", ""),
        ("without output in time", ""),
        ("memory of an analysis", "KiB"),
        ("memory of all processes", "MiB"),
        ("starved", ""),
        ("analyses lost", ""),
    ] {
        report.add(name, None, unit);
    }
}
