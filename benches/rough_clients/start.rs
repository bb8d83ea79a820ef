//! Searches that begin as soon as the server listens, as when another server's clients arrive all
//! at once.

use farboard::load::Plan;
use farboard::load::Report;
use farboard::load::openings::Openings;
use farboard::load::runner::Runner;
use farboard::load::scenarios::analysis::Analyses;
use farboard::load::statistics::ratio;
use std::io;
use std::time::Duration;

/// Duration of a count of nodes.
const LOOK: Duration = Duration::from_millis(500);
/// Number of later counts, of which the median is used.
const LATER: usize = 5;

/// Searches of the plan, one for each core by default.
pub fn sessions(plan: &Plan) -> usize {
    plan.sessions_or(plan.workers())
}

/// Sessions in total.
pub fn capacity(plan: &Plan) -> usize {
    sessions(plan) * (LATER + 1)
}

/// Analyses positions immediately after the start, and the same positions again later.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let first = look(runner, plan, report)?;
    runner.run(&mut Analyses::none(plan.lasting()), plan.lasting(), report)?;
    let mut later = Vec::new();
    for _ in 0..LATER {
        later.push(look(runner, plan, report)?.nodes().sum::<u64>());
    }
    later.sort_unstable();
    let able = first.nodes().count() > 0;
    let usual = able.then(|| later[LATER / 2] as f64);
    let nodes = able.then(|| first.nodes().sum::<u64>() as f64);

    report.count("searches", first.nodes().count());
    report.add("nodes of the first half second", nodes, "");
    report.add("nodes of half a second later", usual, "");
    report.add(
        "first half second / later",
        nodes.zip(usual).and_then(|(nodes, usual)| ratio(nodes, usual)),
        "",
    );
    report.count("without output in the first half second", first.silent);
    report.must_be_none("searches lost", first.lost());
    Ok(())
}

/// Half a second of analyses of the same positions, each time in new sessions, which cannot use
/// earlier results.
fn look(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<Analyses> {
    let mut clients = runner.open(sessions(plan), report)?.clients;
    clients.retain(|client| client.engine.can_analyze());
    let mut analyses = Analyses::new(&clients, &mut Openings::new(plan.seed), LOOK);
    analyses.patience = Duration::ZERO;
    runner.run(&mut analyses, LOOK, report)?;
    report.problems.append(&mut analyses.errors);
    Ok(analyses)
}
