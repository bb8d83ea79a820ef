//! A game, and the same beside many fast games of another address.

use super::games::tell;
use crate::load::phase::Together;
use crate::load::phases::{Clock, Games};
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use crate::load::statistics::ratio;
use std::io;
use std::time::Duration;

/// Games of the neighbour, if the plan says nothing.
pub const GAMES: usize = 500;

/// The clock of the game that is looked at. Its moves take seconds.
const UNHURRIED: Clock = Clock { base: Duration::from_secs(60), increment: Duration::from_secs(1) };

/// Plays a game alone, then beside the games of the neighbour, each for as long as the plan says.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let pair = stage.open(2, report)?.guests;
    let mut alone = Games::new(&pair, plan.seed, UNHURRIED).lasting(plan.lasting());
    stage.run(&mut alone, plan.lasting(), report)?;
    if !stage.move_on() {
        report.problem(
            "only a server at an IPv4 loopback address can be reached from two addresses of this machine",
        );
    }
    let others = stage.open(2 * plan.games_or(GAMES), report)?.guests;
    let mut beside = Games::new(&pair, plan.seed, UNHURRIED).lasting(plan.lasting());
    let mut crowd = Games::new(&others, !plan.seed, plan.clock).lasting(plan.lasting());
    stage.run(&mut Together([&mut beside, &mut crowd]), plan.lasting(), report)?;

    report.count("games of the neighbour", others.len() / 2);
    let rate = |games: &Games| games.faults.nodes as f64 / games.elapsed().as_secs_f64().max(1e-9);
    let of_move = |games: &Games| ratio(games.faults.nodes as f64, games.faults.moves as f64);
    report.add("nodes of the game alone", rate(&alone), "nodes/s");
    report.add("nodes of the game beside the neighbour's", rate(&beside), "nodes/s");
    report.add("nodes of a move alone", of_move(&alone), "");
    report.add("nodes of a move beside the neighbour's", of_move(&beside), "");
    report.add("beside the neighbour's / alone", ratio(rate(&beside), rate(&alone)), "");
    report.add("nodes of the neighbour's games", rate(&crowd), "nodes/s");
    tell(&mut alone.faults, ", alone", report);
    tell(&mut beside.faults, ", beside the neighbour's", report);
    tell(&mut crowd.faults, ", of the neighbour", report);
    Ok(())
}
