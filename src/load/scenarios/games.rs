//! Games at once, with clocks.

use crate::load::phases::{Faults, Games};
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use std::io;

/// Plays them all to their ends.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let guests = stage.open(2 * plan.games(), report)?.guests;
    let mut games = Games::new(&guests, plan.seed, plan.clock);
    // All that can be on both clocks: 600 plies, and some patience for each.
    let longest = 2 * plan.clock.base + 600 * plan.clock.increment;
    stage.run(&mut games, longest, report)?;
    ask_server(stage, &mut games.faults);
    report.count("games at once", guests.len() / 2);
    let seconds = games.elapsed().as_secs_f64();
    report.add("duration", seconds, "s");
    report.add("nodes", games.faults.nodes as f64 / seconds.max(1e-9), "nodes/s");
    tell(&mut games.faults, "", report);
    Ok(())
}

/// Has a server that can tell more of the games than any client sees tell it: all nodes, and by how many microseconds it was late.
pub fn ask_server(stage: &Stage, faults: &mut Faults) {
    let Some(snapshot) = stage.target.snapshot() else { return };
    let players = snapshot.sessions.iter().filter(|session| session.moves > 0);
    let (mut nodes, mut overrun) = (0, 0);
    for player in players {
        nodes += player.nodes;
        overrun = overrun.max(player.overrun);
    }
    faults.nodes = nodes;
    faults.overrun_of_maximum = Some(overrun as f64 / 1000.0);
}

/// Adds what games have shown as figures.
pub fn tell(faults: &mut Faults, when: &str, report: &mut Report) {
    let named = |name: &str| format!("{name}{when}");
    report.count(named("games ended"), faults.games);
    report.count(named("moves"), faults.moves);
    report.must_be_none(&named("lost on time"), faults.lost_on_time);
    report.must_be_none(&named("illegal moves"), faults.illegal);
    report.must_be_none(&named("false claims"), faults.false_claims);
    report.must_be_none(&named("games broken off"), faults.broken);
    report.must_be_none(&named("complaints"), faults.complaints);
    report.count(named("moves without a search"), faults.blind);
    report.add(named("worst overrun of the clock"), faults.overrun_of_clock, "ms");
    report.add(named("worst overrun of an allotted maximum"), faults.overrun_of_maximum, "ms");
    let beside = &mut faults.beside_thinking;
    report.add(named("clock beside thinking p50"), beside.percentile(50.0), "ms");
    report.add(named("clock beside thinking p99"), beside.percentile(99.0), "ms");
    report.add(named("clock beside thinking worst"), beside.worst(), "ms");
    report.problems.append(&mut faults.stories);
}
