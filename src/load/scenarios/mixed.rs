//! Games beside analyses, and the same games without them.

use super::games::{ask_server, tell};
use crate::load::openings::Openings;
use crate::load::phase::Together;
use crate::load::phases::{Analyses, Games};
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use crate::load::statistics::ratio;
use std::io;

/// Analyses, if the plan says nothing.
pub const ANALYSES: usize = 1_000;

/// Plays games alone, then the same beside analyses, each for as long as the plan says.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let players = stage.open(2 * plan.games(), report)?.guests;
    let mut alone = Games::new(&players, plan.seed, plan.clock).lasting(plan.lasting());
    stage.run(&mut alone, plan.lasting(), report)?;
    ask_server(stage, &mut alone.faults);
    // Nothing that was said in the first games shall reach the second ones.
    stage.clear();
    let players = stage.open(2 * plan.games(), report)?.guests;
    let others = stage.open(plan.sessions_or(ANALYSES), report)?.guests;
    let mut beside = Games::new(&players, plan.seed, plan.clock).lasting(plan.lasting());
    let others: Vec<_> = others.into_iter().filter(|guest| guest.features.analyze).collect();
    let mut analyses = Analyses::new(&others, &mut Openings::new(!plan.seed), plan.lasting());
    stage.run(&mut Together([&mut beside, &mut analyses]), plan.lasting(), report)?;
    ask_server(stage, &mut beside.faults);

    report.count("games at once", players.len() / 2);
    report.count("analyses", others.len());
    let rate = |games: &Games| games.faults.nodes as f64 / games.elapsed().as_secs_f64().max(1e-9);
    report.add("nodes of the games alone", rate(&alone), "nodes/s");
    report.add("nodes of the games beside analyses", rate(&beside), "nodes/s");
    report.add("games beside analyses / alone", ratio(rate(&beside), rate(&alone)), "");
    report.add("nodes of the analyses", (!others.is_empty()).then(|| analyses.rate()), "nodes/s");
    tell(&mut alone.faults, ", alone", report);
    tell(&mut beside.faults, ", beside analyses", report);
    // As long as games want all cores analyses get none, but afterwards they must.
    report.must_be_none("starved", analyses.starved());
    report.must_be_none("analyses lost", analyses.lost());
    report.problems.append(&mut analyses.complaints);
    Ok(())
}
