//! Many analyses at once, beside two at a time.

use crate::load::machine::Machine;
use crate::load::openings::Openings;
use crate::load::phases::{Analyses, Guest};
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use crate::load::statistics::{jain, ratio};
use std::io;
use std::time::Duration;

/// Pairs of analyses that are looked at before, and after: machines are not always of the same speed, and some positions
/// are searched faster than others.
const PAIRS: u32 = 10;
/// For how much of the time all of these together.
const PART: u32 = 4;
/// Between all together and the pairs after them.
const PAUSE: Duration = Duration::from_millis(500);

/// Analyses, if the plan says nothing.
pub const SESSIONS: usize = 1_000;

/// Nodes in a second.
#[derive(Clone, Copy, Default, Debug)]
struct Rate {
    told: f64,
    /// For each second that processors were there, and not taken by other machines.
    undisturbed: Option<f64>,
}

impl Rate {
    /// Those of analyses that have ended since then.
    fn of(analyses: &Analyses, since: Option<Machine>) -> Rate {
        let stolen = Machine::now().zip(since).and_then(|(now, before)| now.stolen_since(before));
        let told = analyses.rate();
        Rate { told, undisturbed: stolen.and_then(|stolen| ratio(told, 1.0 - stolen)) }
    }

    fn mean(rates: &[Rate]) -> Rate {
        let count = rates.len().max(1) as f64;
        let undisturbed: Option<Vec<f64>> = rates.iter().map(|rate| rate.undisturbed).collect();
        Rate {
            told: rates.iter().map(|rate| rate.told).sum::<f64>() / count,
            undisturbed: undisturbed.map(|rates| rates.iter().sum::<f64>() / count),
        }
    }
}

/// Lets pairs analyse one after another, then all at once, then pairs again.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let before = stage.target.usage();
    let guests = stage.open(plan.sessions_or(SESSIONS), report)?.guests;
    report.count("analyses", guests.len());
    if guests.is_empty() || guests.iter().any(|guest| !guest.features.analyze) {
        tell_nothing(report);
        return Ok(());
    }
    let mut openings = Openings::new(plan.seed);
    let mut pairs = pairs_of(stage, plan, &guests, &mut openings, report)?;
    let mut all = Analyses::new(&guests, &mut openings, plan.lasting()).that_stay();
    let began = Machine::now();
    stage.run(&mut all, plan.lasting(), report)?;
    let together = Rate::of(&all, began);
    let shares = shares(stage);
    let after = stage.target.usage();
    stage.run(&mut Analyses::none(PAUSE).instead_of(&guests), PAUSE, report)?;
    pairs.extend(pairs_of(stage, plan, &guests, &mut openings, report)?);
    let pairs = Rate::mean(&pairs);

    report.add("nodes of two at a time", pairs.told, "nodes/s");
    report.add("nodes of all together", together.told, "nodes/s");
    report.add("all together / two at a time", ratio(together.told, pairs.told), "");
    let undisturbed =
        together.undisturbed.zip(pairs.undisturbed).and_then(|(together, pairs)| ratio(together, pairs));
    report.add("the same, of the cores that were there", undisturbed, "");
    report.add("fairness of time (Jain's index)", shares.and_then(jain), "");
    report.add("fairness of nodes (Jain's index)", jain(all.nodes()), "");
    report.add("least of all / average", least(&all), "");
    report.count("without output in time", all.silent());
    let added = before.zip(after).map(|(before, after)| after.memory.saturating_sub(before.memory) as f64);
    report.add("memory of an analysis", added.map(|added| added / 1024.0 / guests.len() as f64), "KiB");
    report.must_be_none("starved", all.starved());
    report.must_be_none("analyses lost", all.lost());
    report.problems.extend(all.complaints);
    Ok(())
}

/// Nodes in a second of two at a time, pair after pair.
fn pairs_of(
    stage: &mut Stage,
    plan: &Plan,
    guests: &[Guest],
    openings: &mut Openings,
    report: &mut Report,
) -> io::Result<Vec<Rate>> {
    let lasting = plan.lasting() / PART / PAIRS;
    let mut rates = Vec::new();
    for index in 0..PAIRS as usize {
        // Others each time: what one of them knows already must not count.
        let pair = [guests[2 * index % guests.len()], guests[(2 * index + 1) % guests.len()]];
        let pair = &pair[..guests.len().min(2)];
        // An engine that says little may say nothing in so short a time.
        let mut analyses = Analyses::new(pair, openings, lasting).impatient();
        let began = Machine::now();
        stage.run(&mut analyses, lasting, report)?;
        rates.push(Rate::of(&analyses, began));
        report.problems.append(&mut analyses.complaints);
    }
    Ok(rates)
}

/// How long each has searched, as our server says: some positions are searched faster than others.
fn shares(stage: &Stage) -> Option<Vec<u64>> {
    let sessions = stage.target.snapshot()?.sessions;
    Some(sessions.into_iter().filter_map(|row| row.ran).collect())
}

fn least(analyses: &Analyses) -> Option<f64> {
    let (count, sum) = (analyses.nodes().count() as f64, analyses.nodes().sum::<u64>() as f64);
    ratio(analyses.nodes().min()? as f64 * count, sum)
}

/// The engine cannot analyse.
fn tell_nothing(report: &mut Report) {
    for (name, unit) in [
        ("nodes of two at a time", "nodes/s"),
        ("nodes of all together", "nodes/s"),
        ("all together / two at a time", ""),
        ("the same, of the cores that were there", ""),
        ("fairness of time (Jain's index)", ""),
        ("fairness of nodes (Jain's index)", ""),
        ("least of all / average", ""),
        ("without output in time", ""),
        ("memory of an analysis", "KiB"),
        ("starved", ""),
        ("analyses lost", ""),
    ] {
        report.add(name, None, unit);
    }
}
