//! Concurrent games with clocks.

mod game;
pub mod mixed;
mod phase;

pub use game::GameStats;
pub use phase::Games;

use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::runner::Runner;
use std::io;

/// Plays all games to their ends.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let clients = runner.open(2 * plan.games(), report)?.clients;
    let mut games = Games::new(&clients, plan.openings(plan.seed), plan.clock);
    // Both clocks for 600 plies, and some time for each answer.
    let longest = 2 * plan.clock.base + 600 * plan.clock.increment;
    runner.run(&mut games, longest, report)?;
    ask_server(runner, &mut games.stats);
    report.count("games at once", clients.len() / 2);
    let seconds = games.elapsed().as_secs_f64();
    report.add("duration", seconds, "s");
    report.add("nodes", games.stats.nodes as f64 / seconds.max(1e-9), "nodes/s");
    add_figures(&mut games.stats, "", report);
    Ok(())
}

/// Takes nodes and overruns from the server, if it reports them: more exactly than any client can
/// know them.
pub fn ask_server(runner: &Runner, stats: &mut GameStats) {
    let Some(snapshot) = runner.target.snapshot() else { return };
    let players = snapshot.sessions.iter().filter(|session| session.status.moves > 0);
    let (mut nodes, mut overrun) = (0, 0);
    for player in players {
        nodes += player.status.nodes;
        overrun = overrun.max(player.status.overrun);
    }
    stats.too_late = snapshot.overview.engines.first().map(|row| row.late);
    stats.nodes = nodes;
    stats.overrun_of_maximum = Some(overrun as f64 / 1000.0);
}

/// Adds the results of games as figures.
pub fn add_figures(stats: &mut GameStats, when: &str, report: &mut Report) {
    let named = |name: &str| format!("{name}{when}");
    report.count(named("games ended"), stats.games);
    report.count(named("moves"), stats.moves);
    report.must_be_none(&named("lost on time"), stats.lost_on_time);
    report.must_be_none(&named("illegal moves"), stats.illegal);
    report.must_be_none(&named("false claims"), stats.false_claims);
    report.must_be_none(&named("games aborted"), stats.aborted);
    report.must_be_none(&named("errors"), stats.errors);
    report.count(named("moves without a search"), stats.without_search);
    if let Some(late) = stats.too_late {
        report.add(named("hosted engine too late, so far"), late as f64, "");
    }
    report.add(named("worst overrun of the clock"), stats.overrun_of_clock, "ms");
    report.add(named("worst overrun of an allotted maximum"), stats.overrun_of_maximum, "ms");
    stats.unused.sort_unstable_by(f64::total_cmp);
    if let Some(unused) = stats.unused.get(stats.unused.len() / 2) {
        report.add(named("clock never used p50, of 60 moves or more"), 100.0 * unused, "%");
    }
    report.add(named("largest part of a clock for a move"), 100.0 * stats.largest_part, "%");
    report.add_times("clock beside thinking", when, &stats.overhead);
    report.problems.append(&mut stats.descriptions);
}
