//! Games beside analyses, and the same games without them.

use super::{add_figures, ask_server};
use crate::load::phase::Concurrent;
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::runner::Runner;
use crate::load::scenarios::analysis::Analyses;
use crate::load::scenarios::games::Games;
use crate::load::statistics::ratio;
use std::io;

/// Analyses by default.
pub const ANALYSES: usize = 1_000;

/// Plays games alone, then games beside analyses, each for the duration of the plan.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let players = runner.open(2 * plan.games(), report)?.clients;
    let mut alone = Games::new(&players, plan.openings(plan.seed), plan.clock).lasting(plan.lasting());
    runner.run(&mut alone, plan.lasting(), report)?;
    ask_server(runner, &mut alone.stats);
    // Late output of the first games must not reach the second ones.
    runner.close_all();
    let players = runner.open(2 * plan.games(), report)?.clients;
    let others = runner.open(plan.sessions_or(ANALYSES), report)?.clients;
    let mut beside = Games::new(&players, plan.openings(plan.seed), plan.clock).lasting(plan.lasting());
    let others: Vec<_> = others.into_iter().filter(|client| client.engine.can_analyze()).collect();
    let mut analyses = Analyses::new(&others, &mut plan.openings(!plan.seed), plan.lasting());
    runner.run(&mut Concurrent([&mut beside, &mut analyses]), plan.lasting(), report)?;
    ask_server(runner, &mut beside.stats);

    report.count("games at once", players.len() / 2);
    report.count("analyses", others.len());
    let rate = |games: &Games| games.stats.nodes as f64 / games.elapsed().as_secs_f64().max(1e-9);
    report.add("nodes of the games alone", rate(&alone), "nodes/s");
    report.add("nodes of the games beside analyses", rate(&beside), "nodes/s");
    report.add("games beside analyses / alone", ratio(rate(&beside), rate(&alone)), "");
    report.add("nodes of the analyses", (!others.is_empty()).then(|| analyses.rate()), "nodes/s");
    add_figures(&mut alone.stats, ", alone", report);
    add_figures(&mut beside.stats, ", beside analyses", report);
    // While games want all cores, analyses get none; afterwards they must.
    report.must_be_none("starved", analyses.starved());
    report.must_be_none("analyses lost", analyses.lost());
    report.problems.append(&mut analyses.errors);
    Ok(())
}
