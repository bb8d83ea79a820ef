//! Many analyses at once, compared with two at a time.

mod phase;

pub use phase::Analyses;

use crate::load::client::LoadClient;
use crate::load::machine::Machine;
use crate::load::openings::Openings;
use crate::load::plan::Plan;
use crate::load::process::Usage;
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

/// The analyses of a server that can analyse.
struct Measured {
    pairs: Rate,
    together: Rate,
    all: Analyses,
    /// Run time of each search.
    shares: Option<Vec<u64>>,
    /// Memory in bytes before the sessions were opened, and while all analyses ran.
    memory: Option<(u64, u64)>,
}

/// Runs pairs of analyses one after another, then all analyses at once, then pairs again.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let before = runner.target.usage();
    let clients = runner.open(plan.sessions_or(SESSIONS), report)?.clients;
    report.count("analyses", clients.len());
    let able = !clients.is_empty() && clients.iter().all(|client| client.engine.can_analyze());
    let measured = if able { Some(measure(runner, plan, &clients, before, report)?) } else { None };
    add_figures(measured.as_ref(), report);
    report.problems.extend(measured.into_iter().flat_map(|measured| measured.all.errors));
    Ok(())
}

fn measure(
    runner: &mut Runner,
    plan: &Plan,
    clients: &[LoadClient],
    before: Option<Usage>,
    report: &mut Report,
) -> io::Result<Measured> {
    let mut openings = plan.openings(plan.seed);
    let mut pairs = pairs_of(runner, plan, clients, &mut openings, report)?;
    let mut all = Analyses::new(clients, &mut openings, plan.lasting());
    all.pauses = true;
    let began = Machine::now();
    runner.run(&mut all, plan.lasting(), report)?;
    // All of them still run.
    let (shares, after) = (shares(runner), runner.target.usage());
    runner.run(&mut all, Duration::ZERO, report)?;
    let together = Rate::of(&all, began);
    runner.run(&mut Analyses::none(PAUSE), PAUSE, report)?;
    pairs.extend(pairs_of(runner, plan, clients, &mut openings, report)?);
    let memory = before.zip(after).map(|(before, after)| (before.memory, after.memory));
    Ok(Measured { pairs: Rate::mean(&pairs), together, all, shares, memory })
}

/// Adds the figures, without values for an engine that cannot analyse.
fn add_figures(measured: Option<&Measured>, report: &mut Report) {
    let mut add = |name: &str, figure: fn(&Measured) -> Option<f64>, unit| {
        report.add(name, measured.and_then(figure), unit);
    };
    add("nodes of two at a time", |of| Some(of.pairs.reported), "nodes/s");
    add("nodes of all together", |of| Some(of.together.reported), "nodes/s");
    add("all together / two at a time", |of| ratio(of.together.reported, of.pairs.reported), "");
    add("the same, of cores not stolen", |of| ratio(of.together.undisturbed?, of.pairs.undisturbed?), "");
    add("fairness of time (Jain's index)", |of| jain(of.shares.iter().flatten().copied()), "");
    add("fairness of nodes (Jain's index)", |of| jain(of.all.nodes()), "");
    add("least of all / average", |of| least(&of.all), "");
    add("without output in time", |of| Some(of.all.silent as f64), "");
    let added = |of: &Measured| {
        let (before, after) = of.memory?;
        ratio(after.saturating_sub(before) as f64 / 1024.0, of.all.nodes().count() as f64)
    };
    add("memory of an analysis", added, "KiB");
    add("memory of all processes", |of| Some(of.memory?.1 as f64 / 1_048_576.0), "MiB");
    for (name, count) in [
        ("starved", measured.map(|of| of.all.starved())),
        ("analyses lost", measured.map(|of| of.all.lost())),
    ] {
        match count {
            Some(count) => report.must_be_none(name, count),
            None => report.add(name, None, ""),
        }
    }
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
        let mut analyses = Analyses::new(pair, openings, lasting);
        analyses.patience = Duration::ZERO;
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
