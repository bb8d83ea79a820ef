//! `farboard match` and `farboard openings`.

use farboard::matches::openings::{self, OpeningsArguments};
use farboard::matches::{Plan, run};
use farboard::progress_bar::ProgressBar;
use std::error::Error;

/// Plays a match and prints what it has come to.
pub fn play(plan: &Plan) -> Result<(), Box<dyn Error>> {
    let mut bar = ProgressBar::new("games", 0, u64::from(plan.games));
    let mut latest = String::new();
    let played = run(plan, |report| {
        bar.show(report.progress().0.into(), &report.score());
        latest = report.to_string();
    });
    // What was played before an engine failed for good is worth something, too.
    print!("{}", played.as_ref().map_or(latest, ToString::to_string));
    played?;
    Ok(())
}

/// Makes openings and prints them as EPD.
pub fn print_openings(arguments: &OpeningsArguments) -> Result<(), Box<dyn Error>> {
    let OpeningsArguments { variant, count, plies, nodes, margin, seed } = arguments;
    println!(
        "# {}: {plies} random plies, at most {margin} centipawns after {nodes} nodes, seed {seed}.",
        variant.name()
    );
    let mut bar = ProgressBar::new("openings", 0, *count as u64);
    let mut done = 0;
    openings::make(arguments, |line| {
        println!("{line}");
        done += 1;
        bar.show(done, "");
    })?;
    Ok(())
}
