//! A game alone, and beside many fast games from another address.

use farboard::engines::time_control::Clock;
use farboard::load::Plan;
use farboard::load::Report;
use farboard::load::phase::Concurrent;
use farboard::load::runner::Runner;
use farboard::load::scenarios::games::{Games, add_figures};
use farboard::load::statistics::ratio;
use std::io;
use std::time::Duration;

/// Games from the other address by default.
pub const GAMES: usize = 500;

/// The clock of the measured game. Its moves take seconds.
const UNHURRIED: Clock = Clock { base: Duration::from_secs(60), increment: Duration::from_secs(1) };

/// Plays a game alone, then beside the games from the other address, each for the duration of the
/// plan.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let pair = runner.open(2, report)?.clients;
    let mut alone = Games::new(&pair, plan.openings(plan.seed), UNHURRIED).lasting(plan.lasting());
    runner.run(&mut alone, plan.lasting(), report)?;
    if !runner.use_next_address() {
        report.problem("the server must be at an IPv4 loopback address, to be reached from two addresses");
    }
    let others = runner.open(2 * plan.games_or(GAMES), report)?.clients;
    let mut beside = Games::new(&pair, plan.openings(plan.seed), UNHURRIED).lasting(plan.lasting());
    let mut crowd = Games::new(&others, plan.openings(!plan.seed), plan.clock).lasting(plan.lasting());
    runner.run(&mut Concurrent([&mut beside, &mut crowd]), plan.lasting(), report)?;

    report.count("games of the neighbour", others.len() / 2);
    let rate = |games: &Games| games.stats.nodes as f64 / games.elapsed().as_secs_f64().max(1e-9);
    let of_move = |games: &Games| ratio(games.stats.nodes as f64, games.stats.moves as f64);
    report.add("nodes of the game alone", rate(&alone), "nodes/s");
    report.add("nodes of the game beside the neighbour's", rate(&beside), "nodes/s");
    report.add("nodes of a move alone", of_move(&alone), "");
    report.add("nodes of a move beside the neighbour's", of_move(&beside), "");
    report.add("beside the neighbour's / alone", ratio(rate(&beside), rate(&alone)), "");
    report.add("nodes of the neighbour's games", rate(&crowd), "nodes/s");
    add_figures(&mut alone.stats, ", alone", report);
    add_figures(&mut beside.stats, ", beside the neighbour's", report);
    add_figures(&mut crowd.stats, ", of the neighbour", report);
    Ok(())
}
