//! Searches that begin as soon as the server is there, as when clients of another server come all at once.

use crate::load::openings::Openings;
use crate::load::phases::Analyses;
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use crate::load::statistics::ratio;
use std::io;
use std::time::Duration;

/// For how long nodes are counted.
const LOOK: Duration = Duration::from_millis(500);
/// How often they are counted later; the median is what is usual.
const LATER: usize = 5;

/// Searches, if the plan says nothing.
pub fn sessions(plan: &Plan) -> usize {
    plan.sessions_or(plan.workers())
}

/// Sessions in all.
pub fn room(plan: &Plan) -> usize {
    sessions(plan) * (LATER + 1)
}

/// Analyses positions at once, and the same positions again when the server has had time.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let first = look(stage, plan, report)?;
    stage.run(&mut Analyses::none(plan.lasting()), plan.lasting(), report)?;
    let mut later = Vec::new();
    for _ in 0..LATER {
        later.push(look(stage, plan, report)?.nodes().sum::<u64>());
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
    report.count("without output in the first half second", first.silent());
    report.must_be_none("searches lost", first.lost());
    Ok(())
}

/// Half a second of analyses, the same positions each time, in sessions of their own: those know nothing of what others have
/// found.
fn look(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<Analyses> {
    let mut guests = stage.open(sessions(plan), report)?.guests;
    guests.retain(|guest| guest.features.analyze);
    let mut analyses = Analyses::new(&guests, &mut Openings::new(plan.seed), LOOK).impatient();
    stage.run(&mut analyses, LOOK, report)?;
    report.problems.append(&mut analyses.complaints);
    Ok(analyses)
}
