//! `farboard match` and `farboard openings`.

use crate::output::{print, say};
use farboard::matches::openings::{self, OpeningsArguments, ballots};
use farboard::matches::{Plan, run};
use farboard::progress_bar::ProgressBar;
use std::error::Error;

/// Plays a match and prints its report.
pub fn play(plan: &Plan) -> Result<(), Box<dyn Error>> {
    let mut bar = ProgressBar::new("games", 0, plan.all_games().into());
    let mut latest = String::new();
    let played = run(plan, |report| {
        bar.show(report.progress().0.into(), &report.score());
        latest = report.to_string();
    });
    // The report of a match that an engine has ended is printed, too.
    print(&played.as_ref().map_or(latest, ToString::to_string));
    played?;
    Ok(())
}

/// Makes openings and prints them as EPD, or as ballots.
pub fn print_openings(arguments: &OpeningsArguments) -> Result<(), Box<dyn Error>> {
    let OpeningsArguments { variant, count, plies, nodes, margin, seed, .. } = arguments;
    let Some(variant) = *variant else { return print_ballots(*nodes, *margin) };
    say(format_args!(
        "# {}: {plies} random plies, at most {margin} centipawns after {nodes} nodes, seed {seed}.",
        variant.name()
    ));
    let mut bar = ProgressBar::new("openings", 0, *count as u64);
    let mut done = 0;
    openings::make(variant, arguments, |line| {
        say(format_args!("{line}"));
        done += 1;
        bar.show(done, "");
    })?;
    Ok(())
}

/// Searches all ballots of three moves. Prints the even ones as openings and the others as
/// comments.
fn print_ballots(nodes: u64, margin: i32) -> Result<(), Box<dyn Error>> {
    say(format_args!(
        "# Three-move ballots of English draughts: farboard openings --draughts --nodes {nodes} --margin {margin}\n\
         # All {} positions after three legal moves, each with what {nodes} nodes make of it, in centipawns from the view of the\n\
         # side on move. Those beyond {margin} are barred, with # before them. The order is random.",
        ballots::ALL
    ));
    let mut bar = ProgressBar::new("ballots", 0, ballots::ALL as u64);
    let mut done = 0;
    ballots::make(nodes, margin, |ballot, even| {
        say(format_args!("{}{}", if even { "" } else { "# " }, ballot.line()));
        done += 1;
        bar.show(done, "");
    })?;
    Ok(())
}
